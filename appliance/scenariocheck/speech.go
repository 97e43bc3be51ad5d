package scenariocheck

import (
	"context"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

// SpeechCheck checks before a call is dialled that all its sentences can be spoken.
type SpeechCheck struct {
	Scenarios *ScenarioFinder
	Check     func(ctx context.Context, c call.Call, s scenario.Scenario) error // tts.ErrNoVoice when they cannot
}

// CheckCall returns the error of Check; nil for a call whose scenario was deleted, which the dialer fails with another
// reason.
func (k SpeechCheck) CheckCall(ctx context.Context, c call.Call) error {
	s, err := k.Scenarios.Scenario(ctx, c.OrgID, c.ScenarioID)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return k.Check(ctx, c, s)
}
