package appliance

import (
	"context"

	"munadi/appliance/console"
	"munadi/appliance/conversation/rehearsal"
)

// rehearse holds a scenario's conversation in writing, by the organization's rules.
func (a *Appliance) rehearse(ctx context.Context, r console.TrialRequest) (console.TrialOutcome, error) {
	out, err := a.calls.Rehearse(ctx, rehearsal.Request(r))
	return console.TrialOutcome(out), err
}
