package callplatform

import (
	"context"
	"net/http"

	"munadi/appliance/browsercall"
	"munadi/appliance/console/kit"
	"munadi/appliance/conversation/rehearsal"
)

// TalkScenario holds a scenario's conversation with a person at a browser.
func (p *CallPlatform) TalkScenario(w http.ResponseWriter, r *http.Request, q kit.TalkRequest) error {
	return p.talks.ServeCall(w, r, browsercall.Request(q))
}

// RehearseScenario holds a scenario's conversation in writing, by the organization's rules.
func (p *CallPlatform) RehearseScenario(ctx context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
	out, err := p.talker.RehearseScenario(ctx, rehearsal.Request{
		OrgID: r.OrgID, Scenario: r.Scenario, Variables: r.Variables, Answers: r.Answers, Replies: r.Replies, Now: r.Now,
		ToEnd: r.ToEnd,
	})
	return kit.TrialOutcome{
		Messages: out.Messages, Slots: out.Slots, Waiting: out.Waiting, Slot: out.Slot, Kind: out.Kind,
		Phrases: out.Phrases, Status: out.Status, Reason: out.Reason, Errors: out.Errors, Report: out.Report,
		Transferred: out.Transferred, Suppressed: out.Suppressed, Steps: out.Steps, Replies: out.Replies, Model: out.Model,
	}, err
}
