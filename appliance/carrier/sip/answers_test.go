package sip_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/store/call"
)

// TestFinalAnswers checks that each final response is acknowledged, and has the evidence and outcome of the contract.
func TestFinalAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, reason string
		code, q850     int
		outcome        call.CallStatus
		failure        call.FailureReason
	}{
		{"486 Busy Here", "", 486, 0, call.UserRejected, call.Busy},
		{"600 Busy Everywhere", "", 600, 0, call.UserRejected, call.Busy},
		{"603 Decline", "", 603, 0, call.UserRejected, call.Declined},
		{"608 Rejected", "", 608, 0, call.UserRejected, call.Declined},
		{"404 Not Found", "", 404, 0, call.UserUnavailable, call.InvalidNumber},
		{"480 Temporarily Unavailable", "", 480, 0, call.UserUnavailable, call.Unavailable},
		{"403 Forbidden", "", 403, 0, call.Failed, call.CarrierFailure},
		{"488 Not Acceptable Here", "", 488, 0, call.Failed, call.CarrierFailure},
		{"503 Service Unavailable", "", 503, 0, call.Failed, call.CarrierFailure},
		{"302 Moved Temporarily", "", 302, 0, call.Failed, call.CarrierFailure},
		{"480 Temporarily Unavailable", `Q.850;cause=18;text="No user responding"`, 480, 18, call.NoAnswer, call.RingTimeout},
		{"480 Temporarily Unavailable", `SIP;cause=480, Q.850;cause=19`, 480, 19, call.NoAnswer, call.RingTimeout},
		{"403 Forbidden", `q.850 ; text="a;cause=99, b" ; cause=17`, 403, 17, call.UserRejected, call.Busy},
		{"503 Service Unavailable", "Q.850;cause=21", 503, 21, call.UserRejected, call.Declined},
		{"503 Service Unavailable", "Q.850;cause=20", 503, 20, call.UserUnavailable, call.Unavailable},
		{"500 Server Internal Error", "Q.850;cause=1", 500, 1, call.UserUnavailable, call.InvalidNumber},
		{"503 Service Unavailable", "Q.850;cause=34", 503, 34, call.Failed, call.CarrierFailure},
		{"486 Busy Here", "Q.850;cause=16", 486, 16, call.UserRejected, call.Busy},
	} {
		t.Run(c.status+" "+c.reason, func(t *testing.T) {
			t.Parallel()
			more := []string{}
			if c.reason != "" {
				more = append(more, "Reason: "+c.reason)
			}
			peer := startSIPp(t, answerKeepAlive("200 OK", invited, inviteAnswers("100 Trying"), inviteAnswers(c.status, more...), receiveStep("ACK")))
			r := dialRefused(t, openCarrier(t, peer.TrunkAddress()))
			wantCode(t, "the status", r.SIPCode, c.code)
			wantCode(t, "the cause", r.Q850, c.q850)
			if r.Rang || r.RingTimeout {
				t.Errorf("%+v: it did not ring", r)
			}
			if status, f := carrier.ClassifyRefusal(r); status != c.outcome || f.Reason != c.failure {
				t.Errorf("it is %s (%s), want %s (%s)", status, f.Reason, c.outcome, c.failure)
			}
		})
	}
}

// TestManyProvisionalAnswers checks that any number of provisional responses does not end the dial, and ringing is
// reported once.
func TestManyProvisionalAnswers(t *testing.T) {
	t.Parallel()
	var all []scenarioStep
	for i := range 15 {
		all = append(all, inviteAnswers([]string{"180 Ringing", "182 Queued", "183 Session Progress"}[i%3], contact), pauseStep(20))
	}
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("100 Trying"), joinSteps(all...), agreeAnswer(), receiveStep("ACK"), weHangUp))
	rang := 0
	r := newDialRequest("01")
	r.Ringing = func() { rang++ }
	line, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
	if rang != 1 {
		t.Errorf("it rang %d times", rang)
	}
}

// TestEarlyMedia checks that early media is not part of the call, and that the SDP of a 183 counts if the 200 has none.
func TestEarlyMedia(t *testing.T) {
	t.Parallel()
	early := append([]string{contact}, soundBody(mediaHere)...)
	for name, final := range map[string]scenarioStep{"with another description": agreeAnswer(), "without one": inviteAnswers("200 OK", contact)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, inviteAnswers("183 Session Progress", early...), plays, pauseStep(600), final, receiveStep("ACK"), weHangUp))
			line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
			for i := 0; ; i++ {
				f, err := line.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if want := time.Duration(i) * carrier.Tick; f.At != want {
					t.Fatalf("frame %d is at %v", i, f.At)
				}
				if f.At > patience {
					t.Fatalf("%v without a sound", f.At)
				}
				if slices.ContainsFunc(f.In[:], func(s int16) bool { return s > 1000 || s < -1000 }) {
					break
				}
			}
			line.Hangup()
			peer.awaitRequest(t, "BYE", 1)
		})
	}
}

// TestLostAcknowledgement checks that a retransmitted 200 is acknowledged again with the same CSeq (RFC 3261
// §13.2.2.4).
func TestLostAcknowledgement(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), pauseStep(100), agreeAnswer(), receiveStep("ACK"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	first, second := peer.awaitRequest(t, "ACK", 1), peer.awaitRequest(t, "ACK", 2)
	if first.headerValue("Cseq") != second.headerValue("Cseq") || first.headerValue("To") != second.headerValue("To") {
		t.Errorf("the ACKs differ: %q %q, %q %q", first.headerValue("Cseq"), first.headerValue("To"), second.headerValue("Cseq"), second.headerValue("To"))
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestByeWithReason checks that a BYE ends the line, whatever its Reason header says.
func TestByeWithReason(t *testing.T) {
	t.Parallel()
	for _, cause := range []int{16, 17, 18, 19, 20, 21, 34, 1} {
		t.Run(fmt.Sprint(cause), func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), pauseStep(300), hangsUp(1, fmt.Sprintf("Reason: Q.850;cause=%d", cause))))
			line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
			if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
				t.Errorf("Next = %v", err)
			}
			line.Hangup()
			if n := len(peer.sentRequests("BYE")); n != 0 {
				t.Errorf("%d BYE of ours to a call that is over", n)
			}
		})
	}
}

// TestAnswerWithUnusableSDP checks that a 200 with unusable SDP is acknowledged and ended by BYE, with the fault in the
// error.
func TestAnswerWithUnusableSDP(t *testing.T) {
	t.Parallel()
	refusedSound := []string{
		contact, "Content-Type: application/sdp", "", "v=0", "o=peer 1 1 IN IP4 [media_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0",
		"m=audio 0 RTP/AVP 8",
	}
	garbage := []string{contact, "Content-Type: application/sdp", "", "v=1", "m=audio", "a"}
	for name, answer := range map[string][]string{"refused sound": refusedSound, "nothing": {contact}, "garbage": garbage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", answer...), receiveStep("ACK"), weHangUp))
			var log sipptest.LockedText
			r := dialRefused(t, openCarrier(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) }))
			if !strings.Contains(log.String(), "media description") {
				t.Errorf("the log does not say why: %s", log.String())
			}
			wantCode(t, "the status", r.SIPCode, 200)
			if status, f := carrier.ClassifyRefusal(r); status != call.Failed || f.Reason != call.IncompatibleMedia || !strings.Contains(r.Error(), "media description") {
				t.Errorf("%v is %s (%s)", r, status, f.Reason)
			}
			peer.awaitRequest(t, "BYE", 1)
		})
	}
}

// TestNoContact checks that after a 200 without Contact, requests go to the address of the INVITE.
func TestNoContact(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", soundBody(mediaHere)...), receiveStep("ACK"), weHangUp))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestManyCalls checks twenty concurrent calls, each with its own Call-ID that begins with our prefix.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("180 Ringing"), agreeAnswer(), receiveStep("ACK"), weHangUp))
	c := openCarrier(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) { o.Lines = 20 })
	done := make(chan error)
	for i := range 20 {
		go func() {
			r := newDialRequest("01")
			r.CallID = fmt.Sprintf("call_%02d", i)
			line, err := c.Dial(t.Context(), r)
			if err == nil {
				_, err = line.Next(t.Context())
				line.Hangup()
			}
			done <- err
		}()
	}
	for range 20 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	ids := map[string]bool{}
	for i := range 20 {
		ids[peer.awaitRequest(t, "BYE", i+1).headerValue("Call-Id")] = true
	}
	if len(ids) != 20 {
		t.Errorf("%d different calls: %v", len(ids), ids)
	}
}
