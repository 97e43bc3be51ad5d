package sip_test

import (
	"errors"
	"testing"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// TestEarlyMediaIsKept checks with SIPp that the sound before a refusal is kept with it, and is no answer; and that a
// refusal without any has none.
func TestEarlyMediaIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps []scenarioStep
		least int // samples
	}{
		"183 with SDP": {[]scenarioStep{
			inviteAnswers("183 Session Progress", append([]string{contact}, soundBody(mediaHere)...)...),
			plays, pauseStep(2500),
		}, 3 * carrier.Rate / 2},
		"180 alone": {[]scenarioStep{inviteAnswers("180 Ringing"), pauseStep(300)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(append(append([]scenarioStep{invited}, c.steps...),
				inviteAnswers("480 Temporarily Unavailable"), receiveStep("ACK"))...))
			_, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), newDialRequest("01"))
			refused, ok := errors.AsType[*carrier.DialError](err)
			if !ok || refused.SIPCode == nil || *refused.SIPCode != 480 {
				t.Fatalf("Dial = %v", err)
			}
			if n := len(refused.Early); n < c.least || c.least == 0 && n > 0 {
				t.Errorf("%d samples of early media are kept, want %d", n, c.least)
			}
			loudest := int16(0)
			for _, s := range refused.Early {
				loudest = max(loudest, s)
			}
			if c.least > 0 && loudest < 1000 {
				t.Errorf("the early media is silent: at most %d", loudest)
			}
			refused.Announced = call.SwitchedOff
			if status, f := carrier.ClassifyRefusal(refused); status != call.UserUnavailable || f.Reason != call.SwitchedOff {
				t.Errorf("announced: %s, %s", status, f.Reason)
			}
		})
	}
}
