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

// expectCancel expects our CANCEL and ends the INVITE with a final response.
func expectCancel(final ...scenarioStep) scenarioStep {
	return joinSteps(append([]scenarioStep{receiveStep("CANCEL"), replyStep("200 OK")}, final...)...)
}

// TestCancel checks that a dial that is given up, or rings too long, is cancelled in the same transaction (RFC 3261
// §9.1).
func TestCancel(t *testing.T) {
	t.Parallel()
	ringing := joinScenario(invited, inviteAnswers("180 Ringing"), expectCancel(inviteAnswers("487 Request Terminated"), receiveStep("ACK")))
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, ringing)
		ctx, cancel := context.WithCancel(t.Context())
		r := newDialRequest("01")
		r.Ringing = cancel
		if _, err := openCarrier(t, peer.TrunkAddress()).Dial(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("Dial = %v", err)
		}
		checkCancel(t, peer)
	})
	t.Run("rings too long", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, ringing)
		r := newDialRequest("01")
		r.Ring = 2 * time.Second
		_, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), r)
		var refusal *carrier.DialError
		if !errors.As(err, &refusal) || !refusal.RingTimeout || !refusal.Rang {
			t.Errorf("Dial = %+v", err)
		}
		checkCancel(t, peer)
	})
	t.Run("before anything came back", func(t *testing.T) {
		t.Parallel()
		// RFC 3261 §9.1: no CANCEL is sent before a provisional response was received.
		peer := startSIPp(t, joinScenario(invited, pauseStep(700), inviteAnswers("180 Ringing"), expectCancel(inviteAnswers("487 Request Terminated"), receiveStep("ACK"))))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for len(peer.sentRequests("INVITE")) == 0 {
				<-time.After(time.Millisecond)
			}
			cancel()
		}()
		if _, err := openCarrier(t, peer.TrunkAddress()).Dial(ctx, newDialRequest("01")); !errors.Is(err, context.Canceled) {
			t.Errorf("Dial = %v", err)
		}
		checkCancel(t, peer)
	})
}

// checkCancel compares our CANCEL with RFC 3261 §9.1, and expects an ACK of the 487 (§17.1.1.3).
func checkCancel(t *testing.T, peer *sippPeer) {
	t.Helper()
	invite, cancel, ack := peer.awaitRequest(t, "INVITE", 1), peer.awaitRequest(t, "CANCEL", 1), peer.awaitRequest(t, "ACK", 1)
	for _, name := range []string{"Via", "From", "To", "Call-Id"} {
		if cancel.headerValue(name) != invite.headerValue(name) {
			t.Errorf("the CANCEL's %s is %q, the INVITE's %q", name, cancel.headerValue(name), invite.headerValue(name))
		}
	}
	if ack.headerValue("Via") != invite.headerValue("Via") {
		t.Errorf("the ACK's Via is %q, the INVITE's %q", ack.headerValue("Via"), invite.headerValue("Via"))
	}
	number := strings.Fields(invite.headerValue("Cseq"))[0]
	if cancel.headerValue("Cseq") != number+" CANCEL" || ack.headerValue("Cseq") != number+" ACK" {
		t.Errorf("CSeq %q, then %q and %q", invite.headerValue("Cseq"), cancel.headerValue("Cseq"), ack.headerValue("Cseq"))
	}
}

// TestAnswerCrossesCancel checks that a call that was answered while we cancelled it is acknowledged and ended by BYE.
func TestAnswerCrossesCancel(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("180 Ringing"), expectCancel(agreeAnswer(), receiveStep("ACK"), weHangUp)))
	ctx, cancel := context.WithCancel(t.Context())
	r := newDialRequest("01")
	r.Ringing = cancel
	if _, err := openCarrier(t, peer.TrunkAddress()).Dial(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v", err)
	}
	peer.awaitRequest(t, "BYE", 1)
}

// TestLateAnswer checks the same if the peer never answers the CANCEL and answers the call seconds later.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("180 Ringing"), expectCancel(pauseStep(3000), agreeAnswer(), receiveStep("ACK"), weHangUp)))
	r := newDialRequest("01")
	r.Ring = 200 * time.Millisecond
	c := openCarrier(t, peer.TrunkAddress())
	_, err := c.Dial(t.Context(), r)
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) || !refusal.RingTimeout {
		t.Errorf("Dial = %v", err)
	}
	peer.awaitRequest(t, "BYE", 1)
}

// TestFork checks a proxy that forked the INVITE to two telephones, both of which answered (RFC 3261 §13.2.2.4): one is
// used, the other is acknowledged and ended by BYE.
func TestFork(t *testing.T) {
	t.Parallel()
	other := sendStep(true, append([]string{
		"SIP/2.0 200 OK", "Via: [$via]", "From: [$from]", "To: [$to];tag=other", "Call-ID: [call_id]", "CSeq: [$cseq] INVITE", contact,
	}, soundBody(mediaHere)...))
	bye := `<recv request="BYE"><action><ereg regexp="tag=other" search_in="hdr" header="To:" %s="true" assign_to="dialog"/></action></recv>`
	ends := func(which string) scenarioStep {
		return scenarioStep(fmt.Sprintf(bye, which)) + replyStep("200 OK")
	}
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("180 Ringing"), agreeAnswer(), receiveStep("ACK"), other, receiveStep("ACK"),
		ends("check_it"), ends("check_it_inverse"), `<Reference variables="dialog"/>`))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	ack := peer.awaitRequest(t, "ACK", 2)
	if !strings.Contains(ack.headerValue("To"), "tag=other") {
		t.Errorf("the second ACK goes to %q", ack.headerValue("To"))
	}
	peer.awaitRequest(t, "BYE", 1)
	if _, err := line.Next(t.Context()); err != nil {
		t.Errorf("the first call: %v", err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 2)
}
