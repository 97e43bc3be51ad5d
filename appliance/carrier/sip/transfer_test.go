package sip_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"munadi/appliance/carrier"
)

// notify tells how a transfer goes: the peer's nth request.
func notify(n int, state, fragment string) step {
	return asks(n, "NOTIFY", "Event: refer", "Subscription-State: "+state, "Content-Type: message/sipfrag", "", fragment) + recv("200")
}

// TestTransfer: the outcome of a transfer is what the other side tells of it; until it succeeds the call goes on.
func TestTransfer(t *testing.T) {
	t.Parallel()
	refer := recv("REFER")
	for _, c := range []struct {
		name  string
		steps []step
		works bool
	}{
		{"answered", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), notify(2, "active", "SIP/2.0 180 Ringing"), notify(3, "terminated", "SIP/2.0 200 OK"), weHangUp}, true},
		{"they hang up", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), hangsUp(2)}, true},
		{"nobody there", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), notify(2, "terminated", "SIP/2.0 486 Busy Here"), weHangUp}, false},
		{"ends untold", []step{refer, replies("202 Accepted"), notify(1, "active", "SIP/2.0 100 Trying"), asks(2, "NOTIFY", "Event: refer", "Subscription-State: terminated;reason=giveup") + recv("200"), weHangUp}, false},
		{"ends while trying", []step{refer, replies("202 Accepted"), notify(1, "terminated;reason=timeout", "SIP/2.0 100 Trying"), weHangUp}, false},
		{"not known", []step{refer, replies("405 Method Not Allowed"), weHangUp}, false},
		{"refused", []step{refer, replies("603 Decline"), weHangUp}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := sipp(t, scenario(append([]step{invited, agrees(), recv("ACK")}, c.steps...)...))
			line := dial(t, calls(t, peer.TrunkAddress()))
			err := line.Transfer(t.Context(), "+966500000055")
			if (err == nil) != c.works {
				t.Fatalf("Transfer = %v", err)
			}
			if to := peer.await(t, "REFER", 1).get("Refer-To"); !strings.Contains(to, "sip:+966500000055@"+peer.At.Addr().String()) {
				t.Errorf("Refer-To is %q", to)
			}
			if c.works {
				if err := over(t, line); !errors.Is(err, io.EOF) {
					t.Errorf("Next = %v", err)
				}
				return
			}
			if _, err := line.Next(t.Context()); err != nil {
				t.Errorf("Next = %v: the call should go on", err)
			}
			line.Hangup()
			peer.await(t, "BYE", 1)
		})
	}
}

// TestTransferGivenUp: whoever waits for a transfer may stop waiting.
func TestTransferGivenUp(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), recv("REFER"), replies("202 Accepted"), weHangUp))
	line := dial(t, calls(t, peer.TrunkAddress()))
	if err := givenUpTransfer(t, peer, line); !errors.Is(err, context.Canceled) {
		t.Errorf("Transfer = %v", err)
	}
	line.Hangup()
	peer.await(t, "BYE", 1)
}

// givenUpTransfer stops waiting for a transfer once the peer knows of it.
func givenUpTransfer(t *testing.T, peer *stranger, line carrier.Line) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- line.Transfer(ctx, "+966500000055") }()
	peer.await(t, "REFER", 1)
	cancel()
	return <-ended
}

// TestTransferAgain: what becomes of a transfer that was given up is not taken for the next one's outcome.
func TestTransferAgain(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), recv("REFER"), replies("202 Accepted"), pause(300),
		notify(1, "terminated", "SIP/2.0 486 Busy Here"), recv("REFER"), replies("202 Accepted"),
		notify(2, "terminated", "SIP/2.0 200 OK"), weHangUp))
	line := dial(t, calls(t, peer.TrunkAddress()))
	if err := givenUpTransfer(t, peer, line); err == nil {
		t.Fatal("the first transfer worked")
	}
	peer.awaitAnswer(t, "NOTIFY", 1)
	if err := line.Transfer(t.Context(), "+966500000056"); err != nil {
		t.Errorf("the second Transfer = %v", err)
	}
	peer.await(t, "BYE", 1)
}
