package callplatform

import (
	"context"

	"munadi/appliance/console"
	"munadi/appliance/conversation/rehearsal"
)

// Rehearse holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) Rehearse(ctx context.Context, r console.TrialRequest) (console.TrialOutcome, error) {
	out, err := p.talker.Rehearse(ctx, rehearsal.Request(r))
	return console.TrialOutcome(out), err
}
