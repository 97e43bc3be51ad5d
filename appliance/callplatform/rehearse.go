package callplatform

import (
	"context"

	"munadi/appliance/conversation/rehearsal"
)

// Rehearse holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) Rehearse(ctx context.Context, r rehearsal.Request) (rehearsal.Outcome, error) {
	return p.talker.Rehearse(ctx, r)
}
