package sip_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
)

// cancelled takes our CANCEL and ends the INVITE with a final answer.
func cancelled(final ...step) step {
	return steps(append([]step{recv("CANCEL"), replies("200 OK")}, final...)...)
}

// TestCancel: a dial that is given up, or rings too long, is cancelled, as the same transaction (RFC 3261 §9.1).
func TestCancel(t *testing.T) {
	t.Parallel()
	ringing := scenario(invited, inviteAnswers("180 Ringing"), cancelled(inviteAnswers("487 Request Terminated"), recv("ACK")))
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, ringing)
		ctx, cancel := context.WithCancel(t.Context())
		r := asking("01")
		r.Ringing = cancel
		if _, err := calls(t, peer.TrunkAddress()).Dial(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("Dial = %v", err)
		}
		checkCancel(t, peer)
	})
	t.Run("rings too long", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, ringing)
		r := asking("01")
		r.Ring = 500 * time.Millisecond
		_, err := calls(t, peer.TrunkAddress()).Dial(t.Context(), r)
		var refusal *carrier.DialError
		if !errors.As(err, &refusal) || !refusal.RingTimeout || !refusal.Rang {
			t.Errorf("Dial = %+v", err)
		}
		checkCancel(t, peer)
	})
	t.Run("before anything came back", func(t *testing.T) {
		t.Parallel()
		// RFC 3261 §9.1: no CANCEL before a provisional answer has come.
		peer := sipp(t, scenario(invited, pause(700), inviteAnswers("180 Ringing"), cancelled(inviteAnswers("487 Request Terminated"), recv("ACK"))))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := calls(t, peer.TrunkAddress()).Dial(ctx, asking("01")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Dial = %v", err)
		}
		checkCancel(t, peer)
	})
}

// checkCancel wants our CANCEL to be what RFC 3261 §9.1 says, and an ACK of the 487 (§17.1.1.3).
func checkCancel(t *testing.T, peer *stranger) {
	t.Helper()
	invite, cancel, ack := peer.await(t, "INVITE", 1), peer.await(t, "CANCEL", 1), peer.await(t, "ACK", 1)
	for _, name := range []string{"Via", "From", "To", "Call-Id"} {
		if cancel.get(name) != invite.get(name) {
			t.Errorf("the CANCEL's %s is %q, the INVITE's %q", name, cancel.get(name), invite.get(name))
		}
	}
	if ack.get("Via") != invite.get("Via") {
		t.Errorf("the ACK's Via is %q, the INVITE's %q", ack.get("Via"), invite.get("Via"))
	}
	number := strings.Fields(invite.get("Cseq"))[0]
	if cancel.get("Cseq") != number+" CANCEL" || ack.get("Cseq") != number+" ACK" {
		t.Errorf("CSeq %q, then %q and %q", invite.get("Cseq"), cancel.get("Cseq"), ack.get("Cseq"))
	}
}

// TestAnswerCrossesCancel: the call is up at the other side though we gave it up; it is acknowledged and ended.
func TestAnswerCrossesCancel(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, inviteAnswers("180 Ringing"), cancelled(agrees(), recv("ACK"), weHangUp)))
	ctx, cancel := context.WithCancel(t.Context())
	r := asking("01")
	r.Ringing = cancel
	if _, err := calls(t, peer.TrunkAddress()).Dial(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v", err)
	}
	peer.await(t, "BYE", 1)
}

// TestLateAnswer: the same, when the peer never answers the CANCEL and picks up seconds later.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, inviteAnswers("180 Ringing"), cancelled(pause(3000), agrees(), recv("ACK"), weHangUp)))
	r := asking("01")
	r.Ring = 200 * time.Millisecond
	c := calls(t, peer.TrunkAddress())
	_, err := c.Dial(t.Context(), r)
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) || !refusal.RingTimeout {
		t.Errorf("Dial = %v", err)
	}
	peer.await(t, "BYE", 1)
}

// TestFork: a proxy let two telephones ring and both answered (RFC 3261 §13.2.2.4): one is spoken to, the other is
// acknowledged and ended.
func TestFork(t *testing.T) {
	t.Parallel()
	other := send(true, append([]string{
		"SIP/2.0 200 OK", "Via: [$via]", "From: [$from]", "To: [$to];tag=other", "Call-ID: [call_id]", "CSeq: [$cseq] INVITE", contact,
	}, sound(mediaHere)...))
	bye := `<recv request="BYE"><action><ereg regexp="tag=other" search_in="hdr" header="To:" %s="true" assign_to="dialog"/></action></recv>`
	ends := func(which string) step {
		return step(fmt.Sprintf(bye, which)) + replies("200 OK")
	}
	peer := sipp(t, scenario(invited, inviteAnswers("180 Ringing"), agrees(), recv("ACK"), other, recv("ACK"),
		ends("check_it"), ends("check_it_inverse"), `<Reference variables="dialog"/>`))
	line := dial(t, calls(t, peer.TrunkAddress()))
	ack := peer.await(t, "ACK", 2)
	if !strings.Contains(ack.get("To"), "tag=other") {
		t.Errorf("the second ACK goes to %q", ack.get("To"))
	}
	peer.await(t, "BYE", 1)
	if _, err := line.Next(t.Context()); err != nil {
		t.Errorf("the first call: %v", err)
	}
	line.Hangup()
	peer.await(t, "BYE", 2)
}
