package callplatform

import (
	"context"
	"net/http"

	"munadi/appliance/browsercall"
	"munadi/appliance/console/kit"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/takeover"
)

// TalkScenario holds a scenario's conversation with a person at a browser.
func (p *CallPlatform) TalkScenario(w http.ResponseWriter, r *http.Request, q kit.TalkRequest) error {
	return p.talks.ServeCall(w, r, browsercall.Request(q))
}

// TakeOverCall gives the platform's side of a running call to a browser.
func (p *CallPlatform) TakeOverCall(w http.ResponseWriter, r *http.Request, q kit.TakeOverRequest) error {
	return p.Desk.ServeTakeOver(w, r, takeover.Request(q))
}

// RehearseScenario holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) RehearseScenario(ctx context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
	out, err := p.talker.RehearseScenario(ctx, rehearsal.Request(r))
	return kit.TrialOutcome(out), err
}
