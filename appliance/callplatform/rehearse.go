package callplatform

import (
	"context"
	"net/http"
	"time"

	"munadi/appliance/browsercall"
	"munadi/appliance/carrier"
	"munadi/appliance/console/kit"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/dialer"
	"munadi/appliance/service"
	"munadi/appliance/takeover"
	"munadi/store/call"
	"munadi/store/callrules"
)

// TalkScenario holds a scenario's conversation with a person at a browser.
func (p *CallPlatform) TalkScenario(w http.ResponseWriter, r *http.Request, q service.TalkRequest) error {
	return p.talks.ServeCall(w, r, browsercall.Request(q))
}

// holdTrial keeps and holds a trial over the line of a browser.
func (p *CallPlatform) holdTrial(
	ctx context.Context, line carrier.Line, q browsercall.Request, o browsercall.Observer,
) (browsercall.Outcome, error) {
	c := call.NewTrial(call.Call{
		OrgID: q.OrgID, ScenarioID: q.Scenario.ID, Variables: q.Variables,
		NameVariable: q.Scenario.NameVariable(q.Variables),
	}, time.Now().UTC())
	if err := p.Store.BeginTrial(ctx, c, q.Actor); err != nil {
		return browsercall.Outcome{}, err
	}
	o.OnCall(c.ID)
	c, err := p.attempts.Try(ctx, c, q.Scenario, line, dialer.TalkObserver{
		OnMessage: o.OnMessage, OnPartial: o.OnPartial, OnSlot: o.OnSlot, OnStep: o.OnStep,
	})
	return browsercall.Outcome{Status: c.Status, Report: c.Report}, err
}

// RingTrial rings a member of staff, or a callee of the simulator, and holds a trial of a scenario with them, in the
// background. Whether they may be called is the caller's. It takes a line as an inbound call does: outbound calls then
// wait for it, and a shutdown lets it end.
func (p *CallPlatform) RingTrial(
	ctx context.Context, q service.TalkRequest, to callrules.TransferTarget,
) (string, error) {
	c := call.NewTrial(call.Call{
		OrgID: q.OrgID, ScenarioID: q.Scenario.ID, Variables: q.Variables,
		NameVariable: q.Scenario.NameVariable(q.Variables),
	}, time.Now().UTC())
	held := c
	held.PhoneNumber = to.Number
	begun := make(chan error, 1)
	go func() {
		//nolint:contextcheck // the trial outlives the request
		err := p.Scheduler.RunInbound(held, p.inboundLimit(), func(calls context.Context) {
			if err := p.Store.BeginTrial(context.WithoutCancel(ctx), c, q.Actor); err != nil {
				begun <- err
				return
			}
			begun <- nil
			err := p.dialer.PublishAttempt(calls, c, func() error { return p.attempts.RingTrial(calls, c, q.Scenario, to) })
			if err != nil {
				p.Log.Warn("the outcome of a trial could not be stored", "call_id", c.ID, "err", err)
			}
		})
		if err != nil { // nothing was begun
			begun <- &service.ConflictError{Reason: service.StateForbidden, Message: err.Error()}
		}
	}()
	return c.ID, <-begun
}

// TakeOverCall gives the platform's side of a running call to a browser.
func (p *CallPlatform) TakeOverCall(w http.ResponseWriter, r *http.Request, q kit.TakeOverRequest) error {
	return p.Desk.ServeTakeOver(w, r, takeover.Request(q))
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
