package sip_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// holdUntil calls the peer, hangs up when it has got n requests of a method, and returns the last one. The call must not
// end before.
func holdUntil(t *testing.T, peer *sippPeer, method string, n int) sipMessage {
	t.Helper()
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	ended := readFrames(t, line)
	last := peer.awaitRequest(t, method, n)
	line.Hangup()
	if err := <-ended; !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("Next = %v", err)
	}
	peer.awaitRequest(t, "BYE", 1)
	return last
}

// TestSessionTimer (RFC 4028) checks that we refresh the session if that is our part, by UPDATE or, if the peer does
// not support it, by INVITE.
func TestSessionTimer(t *testing.T) {
	t.Parallel()
	const timer = "Session-Expires: 20;refresher=uac" // shorter ones expire when the machine stalls
	ok := replyStep("200 OK", timer, "Require: timer", contact)
	again := withAttributes(replyStep("200 OK", append([]string{timer, "Require: timer", contact}, soundBody(mediaHere)...)...), repeated)
	t.Run("by UPDATE", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, joinScenario(invited, agreeAnswer(timer, "Require: timer", "Allow: INVITE, ACK, BYE, CANCEL, UPDATE"), receiveStep("ACK"), plays,
			receiveStep("UPDATE"), ok, receiveStep("UPDATE"), ok, weHangUp))
		if got := holdUntil(t, peer, "UPDATE", 2); !strings.HasPrefix(got.headerValue("Session-Expires"), "20") {
			t.Errorf("Session-Expires is %q", got.headerValue("Session-Expires"))
		}
	})
	t.Run("by INVITE", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, joinScenario(invited, agreeAnswer(timer, "Require: timer"), receiveStep("ACK"), plays, receiveStep("INVITE"), again, receiveStep("ACK"),
			receiveStep("INVITE"), again, receiveStep("ACK"), weHangUp))
		holdUntil(t, peer, "ACK", 3)
		o := map[string]bool{}
		for _, m := range peer.sentRequests("INVITE") {
			for l := range strings.Lines(m.body) {
				if strings.HasPrefix(l, "o=") {
					o[l] = true
				}
			}
		}
		if len(o) != 1 {
			t.Errorf("a description that did not change has the versions %v (RFC 4028 §7.4)", o)
		}
	})
	lost := func(t *testing.T, steps ...scenarioStep) {
		t.Helper()
		peer := startSIPp(t, joinScenario(append([]scenarioStep{invited}, steps...)...))
		err := awaitLineEnd(t, dialLine(t, openCarrier(t, peer.TrunkAddress())))
		broken, ok := errors.AsType[*carrier.DialError](err)
		if !ok || carrier.ClassifyBrokenLine(broken).Reason != call.CarrierFailure {
			t.Errorf("Next = %v: the peer was lost", err)
		}
		if got := peer.awaitRequest(t, "BYE", 1).headerValue("Reason"); !strings.HasPrefix(got, "Q.850;cause=102;") {
			t.Errorf("Reason is %q", got)
		}
	}
	t.Run("theirs does not come", func(t *testing.T) {
		t.Parallel()
		lost(t, agreeAnswer("Session-Expires: 10;refresher=uas", "Require: timer"), receiveStep("ACK"), plays, weHangUp)
	})
	t.Run("ours is not answered", func(t *testing.T) {
		t.Parallel()
		lost(t, agreeAnswer(timer, "Require: timer", "Allow: INVITE, ACK, BYE, CANCEL, UPDATE"), receiveStep("ACK"), plays, receiveStep("UPDATE"), weHangUp)
	})
	t.Run("theirs comes", func(t *testing.T) {
		t.Parallel()
		const theirs = "Session-Expires: 10;refresher=uac" // of the request: who asks refreshes
		var refreshes scenarioStep
		for n := range 11 {
			refreshes += pauseStep(1000) + peerRequest(n+1, "UPDATE", theirs) + receiveStep("200")
		}
		peer := startSIPp(t, joinScenario(invited, agreeAnswer("Session-Expires: 10;refresher=uas", "Require: timer"), receiveStep("ACK"), plays,
			refreshes, hangsUp(12)))
		if err := awaitLineEnd(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
		for _, m := range peer.sentAnswers("UPDATE") {
			if got := m.headerValue("Session-Expires"); !strings.HasPrefix(got, "10;") || !strings.Contains(got, "refresher=uac") {
				t.Errorf("Session-Expires in our answer is %q", got)
			}
		}
	})
}

// TestSessionTimerOfProxy checks a session timer that a proxy added to the request of a telephone without support for
// timers: we refresh, since the telephone does not, and our answer requires no support (RFC 4028 §9, table 2).
func TestSessionTimerOfProxy(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer("Allow: INVITE, ACK, BYE, CANCEL, UPDATE"), receiveStep("ACK"), plays,
		peerRequest(1, "UPDATE", "Session-Expires: 20"), receiveStep("200"), receiveStep("UPDATE"), replyStep("200 OK", contact), weHangUp))
	holdUntil(t, peer, "UPDATE", 1)
	answer := peer.awaitAnswer(t, "UPDATE", 1)
	if got := answer.headerValue("Session-Expires"); got != "20;refresher=uas" || answer.headerValue("Require") != "" {
		t.Errorf("Session-Expires is %q, want 20;refresher=uas; Require is %q, want none", got, answer.headerValue("Require"))
	}
}

// TestSessionTooBrief checks a trunk that requires a longer session interval (422, RFC 4028 §7.2), even though we
// offered none.
func TestSessionTooBrief(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("422 Session Interval Too Small", "Min-SE: 1800"), receiveStep("ACK"), invited,
		agreeAnswer("Session-Expires: 1800;refresher=uac", "Require: timer"), receiveStep("ACK"), weHangUp))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	second := peer.awaitRequest(t, "INVITE", 2)
	var expires, least int
	_, _ = fmt.Sscan(second.headerValue("Session-Expires"), &expires)
	_, _ = fmt.Sscan(second.headerValue("Min-Se"), &least)
	if least != 1800 || expires < 1800 {
		t.Errorf("Session-Expires %q, Min-SE %q", second.headerValue("Session-Expires"), second.headerValue("Min-Se"))
	}
	checkFollows(t, peer.sentRequests("INVITE")[0], second)
}

// TestRefusedRefresh checks a refresh that is refused for its kind and its interval: it is sent again by re-INVITE where an
// UPDATE is not allowed, and with the interval that the peer asks for (RFC 4028 §7.3), so that the call does not end.
func TestRefusedRefresh(t *testing.T) {
	t.Parallel()
	const timer, longer = "Session-Expires: 40;refresher=uac", "Session-Expires: 90;refresher=uac"
	brief := withAttributes(replyStep("422 Session Interval Too Small", "Min-SE: 90"), repeated)
	ok := withAttributes(replyStep("200 OK", append([]string{longer, "Require: timer", contact}, soundBody(mediaHere)...)...), repeated)
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(timer, "Require: timer", "Allow: INVITE, ACK, BYE, CANCEL, UPDATE"), receiveStep("ACK"), plays,
		receiveStep("UPDATE"), replyStep("405 Method Not Allowed", "Allow: INVITE, ACK, BYE, CANCEL"),
		receiveStep("INVITE"), brief, receiveStep("ACK"), receiveStep("INVITE"), ok, receiveStep("ACK"), weHangUp))
	holdUntil(t, peer, "ACK", 3)
	last := peer.sentRequests("INVITE")[2]
	if got := last.headerValue("Session-Expires") + ", " + last.headerValue("Min-Se"); got != "90;refresher=uac, 90" {
		t.Errorf("Session-Expires and Min-SE are %s", got)
	}
}

// TestGlareOfARefresh checks that a refresh which crosses a change of the peer (491) is tried again after the time of
// RFC 3261 §14.1, with the same description.
func TestGlareOfARefresh(t *testing.T) {
	t.Parallel()
	const timer = "Session-Expires: 40;refresher=uac"
	pending := withAttributes(replyStep("491 Request Pending"), repeated)
	ok := withAttributes(replyStep("200 OK", append([]string{timer, "Require: timer", contact}, soundBody(mediaHere)...)...), repeated)
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(timer, "Require: timer"), receiveStep("ACK"), plays,
		receiveStep("INVITE"), pending, receiveStep("ACK"), receiveStep("INVITE"), ok, receiveStep("ACK"), weHangUp))
	holdUntil(t, peer, "ACK", 3)
	all := peer.sentRequests("INVITE")
	if len(all) < 3 || all[1].body != all[2].body {
		t.Errorf("%d INVITEs; the last description is %q", len(all), all[len(all)-1].body)
	}
}
