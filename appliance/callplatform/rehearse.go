package callplatform

import (
	"context"

	"munadi/appliance/console"
	"munadi/appliance/conversation/rehearsal"
)

// RehearseScenario holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) RehearseScenario(ctx context.Context, r console.TrialRequest) (console.TrialOutcome, error) {
	out, err := p.talker.RehearseScenario(ctx, rehearsal.Request(r))
	return console.TrialOutcome(out), err
}
