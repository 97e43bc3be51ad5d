package service

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/scenario"
)

// testsForWarnings is the maximum time that tests may delay the answer about a saved scenario.
const testsForWarnings = 3 * time.Second

// TestScenario runs the tests of a scenario of the organization or a built-in one: those of the draft, or without one
// of the published scenario. [store.CodeNotFound] without a scenario.
func (u *UseCases) TestScenario(ctx context.Context, orgID, id string) (scenario.TestRun, error) {
	found, known, err := u.FindScenario(ctx, orgID, id)
	if err == nil && !known {
		err = store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
	}
	if err != nil {
		return scenario.TestRun{}, err
	}
	return u.TestPlan(ctx, orgID, found.Latest())
}

// TestPlan runs the tests of a valid scenario by the rules of the organization, saved or not.
func (u *UseCases) TestPlan(ctx context.Context, orgID string, plan scenario.Scenario) (scenario.TestRun, error) {
	plan.OrgID = orgID
	return u.RunTests(ctx, plan)
}

// FailedTests returns a warning for each test of a scenario that fails; none if they take too long to be awaited.
func (u *UseCases) FailedTests(ctx context.Context, s scenario.Scenario) (found FieldViolations) {
	if len(s.Tests) == 0 || u.RunTests == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, testsForWarnings)
	defer cancel()
	run, err := u.RunTests(ctx, s)
	if err != nil {
		return nil
	}
	for i, one := range run.Results {
		if !one.Passed {
			found.AddViolation(scenario.IndexPath("tests", i), "fails: %s", one.Failures[0].Sentence())
		}
	}
	return found
}
