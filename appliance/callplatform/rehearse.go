package callplatform

import (
	"context"

	"munadi/appliance/console/kit"
	"munadi/appliance/conversation/rehearsal"
)

// RehearseScenario holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) RehearseScenario(ctx context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
	out, err := p.talker.RehearseScenario(ctx, rehearsal.Request(r))
	return kit.TrialOutcome(out), err
}
