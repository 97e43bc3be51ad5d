package sip_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"munadi/appliance/carrier"
)

// notifyTransfer is a NOTIFY about the state of a transfer: the peer's nth request.
func notifyTransfer(n int, state, fragment string) scenarioStep {
	return peerRequest(n, "NOTIFY", "Event: refer", "Subscription-State: "+state, "Content-Type: message/sipfrag", "", fragment) + receiveStep("200")
}

// TestTransfer checks that the outcome of a transfer is what the peer reports, and that until its success the call
// continues. A peer that hangs up without a report of success has not transferred it.
func TestTransfer(t *testing.T) {
	t.Parallel()
	refer := receiveStep("REFER")
	for _, c := range []struct {
		name  string
		steps []scenarioStep
		works bool
		ends  bool
	}{
		{"answered", []scenarioStep{refer, replyStep("202 Accepted"), notifyTransfer(1, "active", "SIP/2.0 100 Trying"), notifyTransfer(2, "active", "SIP/2.0 180 Ringing"), notifyTransfer(3, "terminated", "SIP/2.0 200 OK"), weHangUp}, true, true},
		{"they hang up", []scenarioStep{refer, replyStep("202 Accepted"), notifyTransfer(1, "active", "SIP/2.0 180 Ringing"), hangsUp(2)}, false, true},
		{"they hang up untold", []scenarioStep{refer, replyStep("202 Accepted"), hangsUp(1)}, false, true},
		{"told nothing", []scenarioStep{refer, replyStep("202 Accepted"), weHangUp}, false, false},
		{"nobody there", []scenarioStep{refer, replyStep("202 Accepted"), notifyTransfer(1, "active", "SIP/2.0 100 Trying"), notifyTransfer(2, "terminated", "SIP/2.0 486 Busy Here"), weHangUp}, false, false},
		{"ends untold", []scenarioStep{refer, replyStep("202 Accepted"), notifyTransfer(1, "active", "SIP/2.0 100 Trying"), peerRequest(2, "NOTIFY", "Event: refer", "Subscription-State: terminated;reason=giveup") + receiveStep("200"), weHangUp}, false, false},
		{"ends while trying", []scenarioStep{refer, replyStep("202 Accepted"), notifyTransfer(1, "terminated;reason=timeout", "SIP/2.0 100 Trying"), weHangUp}, false, false},
		{"not known", []scenarioStep{refer, replyStep("405 Method Not Allowed"), weHangUp}, false, false},
		{"refused", []scenarioStep{refer, replyStep("603 Decline"), weHangUp}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(append([]scenarioStep{invited, agreeAnswer(), receiveStep("ACK")}, c.steps...)...))
			line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
			err := line.Transfer(t.Context(), "+966500000055")
			if (err == nil) != c.works {
				t.Fatalf("Transfer = %v", err)
			}
			if to := peer.awaitRequest(t, "REFER", 1).headerValue("Refer-To"); !strings.Contains(to, "sip:+966500000055@"+peer.At.Addr().String()) {
				t.Errorf("Refer-To is %q", to)
			}
			if c.ends {
				if !c.works && !errors.Is(err, io.EOF) {
					t.Errorf("Transfer = %v, want the end of the line", err)
				}
				if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
					t.Errorf("Next = %v", err)
				}
				return
			}
			if _, err := line.Next(t.Context()); err != nil {
				t.Errorf("Next = %v: the call should go on", err)
			}
			line.Hangup()
			peer.awaitRequest(t, "BYE", 1)
		})
	}
}

// TestTransferGivenUp checks that waiting for a transfer can be cancelled.
func TestTransferGivenUp(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), receiveStep("REFER"), replyStep("202 Accepted"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	if err := givenUpTransfer(t, peer, line); !errors.Is(err, context.Canceled) {
		t.Errorf("Transfer = %v", err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestTransferToAddress checks the URI in the REFER as it is sent: that of the target, or of a number at the trunk.
func TestTransferToAddress(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"sip:desk@pbx.example:5070", "sip:+966500000055@[2001:db8::1]"} {
		peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), receiveStep("REFER"), replyStep("202 Accepted"),
			notifyTransfer(1, "terminated", "SIP/2.0 200 OK"), weHangUp))
		line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
		if err := line.Transfer(t.Context(), to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if got := peer.awaitRequest(t, "REFER", 1).headerValue("Refer-To"); got != "<"+to+">" {
			t.Errorf("Refer-To is %q, not <%s>", got, to)
		}
	}
}

// givenUpTransfer stops waiting for a transfer once the peer has received the REFER.
func givenUpTransfer(t *testing.T, peer *sippPeer, line carrier.Line) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- line.Transfer(ctx, "+966500000055") }()
	peer.awaitRequest(t, "REFER", 1)
	cancel()
	return <-ended
}

// TestTransferAgain checks that a late NOTIFY of a cancelled transfer does not count for the next one.
func TestTransferAgain(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), receiveStep("REFER"), replyStep("202 Accepted"), pauseStep(300),
		notifyTransfer(1, "terminated", "SIP/2.0 486 Busy Here"), receiveStep("REFER"), replyStep("202 Accepted"),
		notifyTransfer(2, "terminated", "SIP/2.0 200 OK"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	if err := givenUpTransfer(t, peer, line); err == nil {
		t.Fatal("the first transfer worked")
	}
	peer.awaitAnswer(t, "NOTIFY", 1)
	if err := line.Transfer(t.Context(), "+966500000056"); err != nil {
		t.Errorf("the second Transfer = %v", err)
	}
	peer.awaitRequest(t, "BYE", 1)
}
