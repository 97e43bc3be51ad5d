package schedule

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// desk is where an organization's due calls are judged: its rules and scenarios, read once.
type desk struct {
	store     Store
	scenarios Scenarios
	org       string
	rules     dialling.Rules
	known     map[string]*scenario.Scenario // nil: there is none
	waits     bool                          // nothing more of it can be released now
}

func (s *Scheduler) newDesk(ctx context.Context, org string) (*desk, error) {
	rules, err := s.Store.Rules(ctx, org)
	if err != nil {
		return nil, err
	}
	return &desk{
		store: s.Store, scenarios: s.Scenarios, org: org, rules: rules, known: map[string]*scenario.Scenario{},
	}, nil
}

// judge says what becomes of a due call, when the organization holds so many lines beside the call's own.
func (d *desk) judge(ctx context.Context, c call.Call, running int, now time.Time) (dialling.Decision, error) {
	plan, err := d.scenario(ctx, c.ScenarioID)
	if err != nil {
		return dialling.Decision{}, err
	}
	facts := dialling.Facts{Number: c.PhoneNumber, Running: running}
	if plan != nil {
		facts.Scenario, facts.Zone = plan.CallingHours, plan.TimeZone
	}
	if facts.Suppressed, err = d.store.Suppression(ctx, d.org, c.PhoneNumber, now); err != nil {
		return dialling.Decision{}, err
	}
	if err = d.count(ctx, &facts, now); err != nil {
		return dialling.Decision{}, err
	}
	decision := dialling.Decide(d.rules, facts, now)
	if plan == nil && decision.Action != dialling.Wait {
		return dialling.Decision{Action: dialling.Stop, Reason: call.UnknownFlow}, nil
	}
	return decision, nil
}

// count finds out how often the number was dialled, if there is a limit.
func (d *desk) count(ctx context.Context, f *dialling.Facts, now time.Time) (err error) {
	if d.rules.AttemptsPerDay > 0 {
		f.Today, err = d.store.Attempts(ctx, d.org, f.Number, dialling.Midnight(d.rules, now), now)
	}
	if err == nil && d.rules.AttemptsPerWeek > 0 {
		f.Week, err = d.store.Attempts(ctx, d.org, f.Number, now.Add(-dialling.Week), now)
	}
	return err
}

// scenario is nil for one that is gone.
func (d *desk) scenario(ctx context.Context, id string) (*scenario.Scenario, error) {
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
