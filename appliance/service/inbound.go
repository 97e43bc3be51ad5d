package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/inbound"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
)

// ReplaceInbound replaces the organization's settings of inbound calls; found are violations of the request.
func (u *UseCases) ReplaceInbound(
	ctx context.Context, who Caller, wanted inbound.Settings, found FieldViolations, seen Precondition[inbound.Settings],
) (inbound.Settings, error) {
	found.AddAll(inbound.CheckSettings(wanted))
	if err := u.checkRouteScenarios(ctx, who.OrgID, wanted, &found); err != nil {
		return wanted, err
	}
	if err := violationError(found...); err != nil {
		return wanted, err
	}
	if wanted.Routes == nil {
		wanted.Routes = []inbound.Route{}
	}
	after, err := u.Store.ChangeInbound(ctx, who.OrgID, who.Actor, u.now().Truncate(time.Millisecond),
		func(kept *inbound.Settings) error {
			if err := seen.check(*kept); err != nil {
				return err
			}
			*kept = wanted
			return nil
		})
	if taken, is := errors.AsType[*inbound.TakenError](err); is {
		for _, i := range taken.Routes {
			found.AddViolation(fmt.Sprintf("routes.%d.number", i),
				"is not available: ask the operator of this installation")
		}
		err = violationError(found...)
	}
	return after, err
}

// CheckClosed returns a warning about a closed line that no voice can speak; none without one.
func (u *UseCases) CheckClosed(ctx context.Context, orgID, closed string) (found FieldViolations, err error) {
	if closed == "" || u.Scenarios == nil {
		return nil, nil
	}
	_, warnings, err := u.Scenarios.CheckSaved(ctx, scenario.Scenario{OrgID: orgID, Steps: []scenario.FlowStep{
		{Type: scenario.Say, Say: scenario.SpokenLines{{Text: closed}}},
	}})
	for _, w := range warnings {
		if w.Field == "steps.0.say" {
			found.AddViolation("closed", "%s", w.Message)
		}
	}
	return found, err
}

// ChangeInbound changes the settings by a function of the current ones. A [*ConflictError] when another change came in
// between.
func (u *UseCases) ChangeInbound(
	ctx context.Context, who Caller, change func(inbound.Settings) inbound.Settings,
) (inbound.Settings, error) {
	kept, err := u.Store.FindInbound(ctx, who.OrgID)
	if err != nil {
		return kept, err
	}
	seen := HashSetting(kept)
	isSeen := func(now inbound.Settings) bool { return HashSetting(now) == seen }
	return u.ReplaceInbound(ctx, who, change(kept), nil, isSeen)
}

// checkRouteScenarios checks that the scenarios of the routes exist and are published.
func (u *UseCases) checkRouteScenarios(
	ctx context.Context, orgID string, wanted inbound.Settings, found *FieldViolations,
) error {
	known := map[string]bool{"": true}
	for i, r := range wanted.Routes[:min(len(wanted.Routes), inbound.MaxRoutes)] {
		there, checked := known[r.ScenarioID]
		if !checked {
			plan, exists, err := u.FindScenario(ctx, orgID, r.ScenarioID)
			if err != nil {
				return err
			}
			there = exists && plan.IsPublished()
			known[r.ScenarioID] = there
		}
		if !there {
			found.AddViolation(fmt.Sprintf("routes.%d.scenario_id", i),
				"is not a published scenario of this organization; GET /scenarios lists them")
		}
	}
	return nil
}

// CallerSimulator lets a simulated person call a number, and returns the SIP status of the refusal that they hear; 0
// when it rings.
type CallerSimulator func(ctx context.Context, from, to string) (refused int, err error)

// SimulateCaller lets a simulated person call one of the organization's routed numbers; an empty number of theirs is
// withheld. It returns the SIP status of a refusal, 0 without one. A [*ConflictError] where real telephones ring.
func (u *UseCases) SimulateCaller(
	ctx context.Context, who Caller, from, to string, found FieldViolations,
) (refused int, err error) {
	if u.CallIn == nil {
		return 0, &ConflictError{
			Reason: StateForbidden, Message: "There is no simulator here: call the number from a telephone",
		}
	}
	if from != "" && !phonenumber.IsE164(from) {
		found.AddViolation("from", "%s", InvalidNumber)
	}
	if !phonenumber.IsE164(to) {
		found.AddViolation("to", "%s", InvalidNumber)
	} else {
		match, err := u.Store.FindRoute(ctx, to)
		if err != nil && store.CodeOf(err) != store.CodeNotFound {
			return 0, err
		}
		if err != nil || match.OrgID != who.OrgID {
			found.AddViolation("to", "is not routed by this organization: PUT /inbound adds a route")
		}
	}
	if err := violationError(found...); err != nil {
		return 0, err
	}
	return u.CallIn(ctx, from, to)
}
