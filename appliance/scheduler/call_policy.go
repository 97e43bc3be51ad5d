package scheduler

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// callPolicy decides whether a due call may be dialled now: kill switch, calling hours, attempt limits, suppression. It
// caches one organization's rules and scenarios for a dispatch round.
type callPolicy struct {
	store     SchedulerStore
	scenarios ScenarioFinder
	org       string
	rules     callrules.CallRules
	known     map[string]*scenario.Scenario // nil: not found
	waits     bool                          // no more of its calls can be released now
}

func (s *Scheduler) newCallPolicy(ctx context.Context, org string) (*callPolicy, error) {
	rules, err := s.Store.FindRules(ctx, org)
	if err != nil {
		return nil, err
	}
	return &callPolicy{
		store: s.Store, scenarios: s.Scenarios, org: org, rules: rules, known: map[string]*scenario.Scenario{},
	}, nil
}

// decideCall returns the decision about a due call, when the organization holds running lines besides the call's own.
func (d *callPolicy) decideCall(
	ctx context.Context, c call.Call, running int, now time.Time,
) (callrules.CallDecision, error) {
	if c.IsCallBack() && now.Sub(c.ScheduledAt) > call.CallBackWait {
		return callrules.CallDecision{Action: callrules.Stop, Reason: call.CallBackLate}, nil
	}
	plan, err := d.planOf(ctx, c)
	if err != nil {
		return callrules.CallDecision{}, err
	}
	facts := callrules.CallFacts{Number: c.PhoneNumber, Running: running}
	if plan != nil {
		facts.Scenario, facts.Zone = plan.CallingHours, plan.TimeZone
	}
	if facts.Suppressed, err = d.store.FindSuppression(ctx, d.org, c.PhoneNumber, now); err != nil {
		return callrules.CallDecision{}, err
	}
	if err = d.countAttempts(ctx, &facts, now); err != nil {
		return callrules.CallDecision{}, err
	}
	decision := callrules.DecideCall(d.rules, facts, now)
	if c.IsCallBack() && decision.Action == callrules.Postpone { // the hours have ended since it was asked for
		return callrules.CallDecision{Action: callrules.Stop, Reason: call.CallBackLate}, nil
	}
	if plan == nil && decision.Action != callrules.Wait {
		return callrules.CallDecision{Action: callrules.Stop, Reason: call.UnknownFlow}, nil
	}
	return decision, nil
}

// countAttempts counts the attempts to the number, if there is a limit.
func (d *callPolicy) countAttempts(ctx context.Context, f *callrules.CallFacts, now time.Time) (err error) {
	if d.rules.AttemptsPerDay > 0 {
		f.Today, err = d.store.CountAttempts(ctx, d.org, f.Number, callrules.LocalMidnight(d.rules, now), now)
	}
	if err == nil && d.rules.AttemptsPerWeek > 0 {
		f.Week, err = d.store.CountAttempts(ctx, d.org, f.Number, now.Add(-callrules.Week), now)
	}
	return err
}

// planOf returns the scenario of a call; nil for a deleted one. A call-back has none, and no hours of its own.
func (d *callPolicy) planOf(ctx context.Context, c call.Call) (*scenario.Scenario, error) {
	if c.IsCallBack() {
		return &scenario.Scenario{}, nil
	}
	return d.findScenario(ctx, c.ScenarioID)
}

// findScenario returns a scenario; nil for a deleted one.
func (d *callPolicy) findScenario(ctx context.Context, id string) (*scenario.Scenario, error) {
	if plan, known := d.known[id]; known {
		return plan, nil
	}
	var found *scenario.Scenario
	plan, err := d.scenarios.Scenario(ctx, d.org, id)
	switch {
	case err == nil:
		found = &plan
	case store.CodeOf(err) != store.CodeNotFound:
		return nil, err
	}
	d.known[id] = found
	return found, nil
}
