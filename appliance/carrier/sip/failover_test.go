package sip_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/store/call"
)

// answerKeepAlive is a scenario that answers OPTIONS with a status; steps after the last one of a call are not reached.
func answerKeepAlive(status string, steps ...scenarioStep) string {
	all := append([]scenarioStep{`<recv request="OPTIONS" optional="true" next="alive"/>`}, steps...)
	last := len(all) - 1
	all[last] = scenarioStep(replaceLast(string(all[last]), "/>", ` next="end"/>`))
	return joinScenario(append(all, `<label id="alive"/>`, replyStep(status))...)
}

func replaceLast(s, old, with string) string { return s[:len(s)-len(old)] + with }

// dialAnswered makes a call that a server answers and we end.
func dialAnswered() []scenarioStep {
	return []scenarioStep{invited, inviteAnswers("180 Ringing"), agreeAnswer(), receiveStep("ACK"), receiveStep("BYE"), withAttributes(replyStep("200 OK"), `next="end"`), receiveStep("ACK")}
}

// serversOf returns a carrier whose trunk has these servers, in this order.
func serversOf(t *testing.T, peers ...*sippPeer) *sip.Carrier {
	t.Helper()
	var records []string
	for n, p := range peers {
		host := string(rune('a'+n)) + ".test"
		records = append(records, "--host-record="+host+","+p.At.Addr().String(), srvRecord("_sip._udp.trunk.test", host, p.At.Port(), n+1))
	}
	c := openCarrier(t, "sip:trunk.test")
	c.AskNames(startNameServer(t, records...))
	return c
}

// TestNextServer checks that 503, 408 and silence after 100 lead to the trunk's next server (failover, RFC 3263 §4.3).
func TestNextServer(t *testing.T) {
	t.Parallel()
	for name, first := range map[string][]scenarioStep{
		"503": {invited, inviteAnswers("100 Trying"), inviteAnswers("503 Service Unavailable"), receiveStep("ACK")},
		"408": {invited, inviteAnswers("408 Request Timeout"), receiveStep("ACK")},
		"100 and then nothing": {
			invited, inviteAnswers("100 Trying"), receiveStep("CANCEL"), replyStep("200 OK"), inviteAnswers("487 Request Terminated"), receiveStep("ACK"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := startSIPp(t, answerKeepAlive("200 OK", first...)), startSIPp(t, answerKeepAlive("200 OK", dialAnswered()...))
			c := serversOf(t, a, b)
			dialLine(t, c).Hangup()
			b.awaitRequest(t, "BYE", 1)
			if n := len(a.sentRequests("INVITE")); n != 1 {
				t.Errorf("the first server was asked for %d calls", n)
			}
		})
	}
}

// TestResponseAboutCalleeHasNoFailover checks that a response about the callee does not lead to the next server.
func TestResponseAboutCalleeHasNoFailover(t *testing.T) {
	t.Parallel()
	for _, answer := range [][]string{
		{"486 Busy Here"}, {"480 Temporarily Unavailable"}, {"403 Forbidden"}, {"503 Service Unavailable", "Reason: Q.850;cause=17"},
	} {
		t.Run(answer[0], func(t *testing.T) {
			t.Parallel()
			a := startSIPp(t, answerKeepAlive("200 OK", invited, inviteAnswers(answer[0], answer[1:]...), receiveStep("ACK")))
			b := startSIPp(t, answerKeepAlive("200 OK", dialAnswered()...))
			if r := dialRefused(t, serversOf(t, a, b)); r.RetryAfter != 0 {
				t.Errorf("%+v", r)
			}
			if n := len(b.sentRequests("INVITE")); n != 0 {
				t.Errorf("the second server was asked for %d calls", n)
			}
		})
	}
}

// TestRetryAfter checks that a number is not called during its Retry-After, that no other number waits for it, that no
// number is called during the Retry-After of two, and that no call is lost.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, answerKeepAlive("200 OK", invited, inviteAnswers("503 Service Unavailable", "Retry-After: 600 (maintenance)"), receiveStep("ACK")))
	c := openCarrier(t, peer.TrunkAddress())
	for _, call := range []struct {
		ending string
		code   int // of the answer; 0: it is not sent
		waits  bool
	}{{"01", 503, false}, {"01", 0, false}, {"02", 503, true}, {"02", 0, true}, {"03", 0, true}} {
		_, err := c.Dial(t.Context(), newDialRequest(call.ending))
		r, ok := errors.AsType[*carrier.DialError](err)
		if !ok || r.RetryAfter < 9*time.Minute || r.RetryAfter > 10*time.Minute {
			t.Fatalf("%s: %+v", call.ending, err)
		}
		wantCode(t, "the status", r.SIPCode, call.code)
		if s := c.Status(); s.Up == call.waits || (c.Lines() == 0) != call.waits {
			t.Errorf("after %s: %d lines, %+v", call.ending, c.Lines(), s)
		}
	}
	if n := len(peer.sentRequests("INVITE")); n != 2 {
		t.Errorf("the trunk was asked for %d calls", n)
	}
}

// TestRefusedCallsWait checks that a trunk that refuses INVITEs and answers OPTIONS is paused, and that at most four of
// many calls at once are lost by it.
func TestRefusedCallsWait(t *testing.T) {
	t.Parallel()
	for _, refusal := range []string{"401 Unauthorized", "403 Account Suspended", "407 Proxy Authentication Required", "500 Oops", "503 Service Unavailable"} {
		t.Run(refusal, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("takes seconds")
			}
			peer := startSIPp(t, answerKeepAlive("200 OK", invited, inviteAnswers(refusal), receiveStep("ACK")))
			c := openCarrier(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) { o.Rate = 1000 })
			runCarrier(t, c)
			var all sync.WaitGroup
			var lost atomic.Int64
			for i := range 20 {
				all.Go(func() {
					_, err := c.Dial(t.Context(), newDialRequest(fmt.Sprintf("%02d", i)))
					if r, ok := errors.AsType[*carrier.DialError](err); ok && r.RetryAfter == 0 {
						lost.Add(1)
					}
				})
			}
			all.Wait()
			if _, err := c.PingTrunk(t.Context()); err != nil {
				t.Error(err)
			}
			s := c.Status()
			if n := lost.Load(); n > 4 || c.Lines() > 1 || s.Up || s.Paused == nil || s.Paused.Answer() != refusal {
				t.Errorf("%d calls are lost, %d lines, %+v, %+v", n, c.Lines(), s, s.Paused)
			}
		})
	}
}

// TestMaintenance checks that a 503 without Retry-After fails the call, unless the trunk answers OPTIONS with 503 too.
func TestMaintenance(t *testing.T) {
	t.Parallel()
	busy := []scenarioStep{invited, inviteAnswers("503 Service Unavailable"), receiveStep("ACK")}
	t.Run("this call alone", func(t *testing.T) {
		t.Parallel()
		c := openCarrier(t, startSIPp(t, answerKeepAlive("200 OK", busy...)).TrunkAddress())
		if r := dialRefused(t, c); r.RetryAfter != 0 || c.Lines() == 0 {
			t.Errorf("%+v, %d lines", r, c.Lines())
		}
	})
	t.Run("everything", func(t *testing.T) {
		t.Parallel()
		c := openCarrier(t, startSIPp(t, answerKeepAlive("503 Service Unavailable", busy...)).TrunkAddress())
		if r := dialRefused(t, c); r.RetryAfter == 0 || c.Lines() != 0 {
			t.Errorf("%+v, %d lines", r, c.Lines())
		}
	})
}

// TestSilenceAfterTryingIsTheCarriersFailure checks that 100 and then silence is the carrier's failure, since the
// telephone did not ring.
func TestSilenceAfterTryingIsTheCarriersFailure(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, answerKeepAlive("200 OK", invited, inviteAnswers("100 Trying"),
		receiveStep("CANCEL"), replyStep("200 OK"), inviteAnswers("487 Request Terminated"), receiveStep("ACK")))
	r := newDialRequest("01")
	r.Ring = time.Second
	_, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), r)
	refusal, ok := errors.AsType[*carrier.DialError](err)
	if !ok || refusal.Rang || refusal.RetryAfter != 0 {
		t.Fatalf("Dial = %+v", err)
	}
	if status, f := carrier.ClassifyRefusal(refusal); status != call.Failed || f.Reason != call.CarrierFailure {
		t.Errorf("it is %s (%s)", status, f.Reason)
	}
	peer.awaitRequest(t, "CANCEL", 1)
}

// TestAdmittedCallsWait checks that no call that was released before the trunk was found to be down is lost, and that
// those that had not begun are not sent.
func TestAdmittedCallsWait(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	trunk := newElsewhere(t)
	c := openCarrier(t, "sip:"+trunk.socket.LocalAddr().String())
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	const n = 40
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			_, err := c.Dial(t.Context(), newDialRequest("01"))
			if r, ok := errors.AsType[*carrier.DialError](err); !ok || r.RetryAfter == 0 {
				t.Errorf("a call is lost: %v", err)
			}
		})
	}
	all.Wait()
	if n := c.Lines(); n != 0 {
		t.Errorf("%d lines", n)
	}
	if _, err := c.Dial(t.Context(), newDialRequest("02")); err == nil {
		t.Error("a call of a trunk that is down was answered")
	}
	for id := range trunk.asked {
		if id[:7] == "call_02" {
			t.Error("a call was sent to a trunk that is known to be down")
		}
	}
}

// TestTrunkWithoutOptionsIsProbedByRegister checks that a trunk that has never answered OPTIONS is probed by a REGISTER
// that changes nothing, not by a call.
func TestTrunkWithoutOptionsIsProbedByRegister(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	trunk := newElsewhere(t)
	c := openCarrier(t, "sip:"+trunk.socket.LocalAddr().String())
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	if r := dialRefused(t, c); r.RetryAfter == 0 {
		t.Errorf("%+v", r)
	}
	runCarrier(t, c)
	register := trunk.answerRequest("REGISTER")
	if register.headerValue("Contact") != "" || register.headerValue("Expires") != "" {
		t.Errorf("it changes something: %v", register.header)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, nil, func() bool { return c.Lines() > 0 }); err != nil {
		t.Errorf("it stays down: %+v", c.Status())
	}
}
