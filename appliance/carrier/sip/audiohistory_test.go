package sip_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/store/call"
)

// TestNoAudio checks that a call without audio is ended by BYE with its reason, after the answer and in the middle, and
// that the trunk's status counts it; that of a call with audio counts too.
func TestNoAudio(t *testing.T) {
	t.Parallel()
	once := scenarioStep(strings.Replace(string(plays), ",-1,", ",1,", 1))
	for name, c := range map[string]struct {
		audio       scenarioStep
		least, most time.Duration // of the call
	}{
		"after the answer": {"", 5 * time.Second, 9 * time.Second},
		"in the middle":    {once, 11 * time.Second, 17 * time.Second}, // the audio takes 2 s
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), c.audio, weHangUp))
			trunk := openCarrier(t, peer.TrunkAddress())
			line := dialLine(t, trunk)
			err := awaitLineEnd(t, line)
			broken, ok := errors.AsType[*carrier.DialError](err)
			if !ok || carrier.ClassifyBrokenLine(broken).Reason != call.NoAudio {
				t.Errorf("Next = %v", err)
			}
			// Before our Hangup.
			if got := peer.awaitRequest(t, "BYE", 1).headerValue("Reason"); !strings.HasPrefix(got, "Q.850;cause=44;") {
				t.Errorf("Reason is %q", got)
			}
			if lasted := line.(carrier.MeasuredLine).Lasted(); lasted < c.least || lasted > c.most {
				t.Errorf("it lasted %v", lasted)
			}
			if got := trunk.Status().NoAudio; got != (sip.NoAudio{Calls: 1, Of: 1}) {
				t.Errorf("the trunk's status says %+v", got)
			}
		})
	}
	t.Run("a call with audio", func(t *testing.T) {
		t.Parallel()
		peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), plays, weHangUp))
		trunk := openCarrier(t, peer.TrunkAddress())
		line := dialLine(t, trunk)
		for line.(carrier.MeasuredLine).Measure().Received == 0 {
			if _, err := line.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		line.Hangup()
		if got := peer.awaitRequest(t, "BYE", 1).headerValue("Reason"); !strings.HasPrefix(got, "Q.850;cause=16;") {
			t.Errorf("Reason is %q", got)
		}
		if got := trunk.Status().NoAudio; got != (sip.NoAudio{Of: 1}) {
			t.Errorf("the trunk's status says %+v", got)
		}
	})
}
