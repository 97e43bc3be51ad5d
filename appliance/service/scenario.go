package service

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/scenario"
)

// scenarioID is the syntax of a scenario's id.
var scenarioID = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// FindScenario finds the organization's scenario of an id, else the built-in one; false when there is neither. It is
// the published one with the draft beside it, or one that was only ever a draft.
func (u *UseCases) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error) {
	if !scenarioID.MatchString(id) {
		return scenario.Scenario{}, false, nil
	}
	own, err := u.Store.FindScenario(ctx, orgID, id)
	switch {
	case err != nil && store.CodeOf(err) != store.CodeNotFound:
		return own, false, err
	case err == nil && own.IsPublished():
		return own, true, nil
	}
	builtIn, known, _ := findByID(u.BuiltIn(), id)
	switch {
	case err == nil && known:
		return own.WithBuiltIn(builtIn), true, nil
	case err == nil:
		return own, true, nil
	}
	builtIn.BuiltIn = known
	return builtIn, known, nil
}

// findByID finds a scenario by its id.
func findByID(all []scenario.Scenario, id string) (scenario.Scenario, bool, error) {
	if i := slices.IndexFunc(all, func(one scenario.Scenario) bool { return one.ID == id }); i >= 0 {
		return all[i], true, nil
	}
	return scenario.Scenario{}, false, nil
}

// ListScenarios lists the organization's scenarios, then the built-in ones that it has not replaced.
func (u *UseCases) ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	all, err := u.Store.ListScenarios(ctx, orgID)
	if err != nil {
		return nil, err
	}
	for _, one := range u.BuiltIn() {
		i := slices.IndexFunc(all, func(own scenario.Scenario) bool { return own.ID == one.ID })
		if i >= 0 {
			all[i] = all[i].WithBuiltIn(one)
			continue
		}
		one.BuiltIn = true
		all = append(all, one)
	}
	return all, nil
}

// SavedScenario is a scenario as it was saved, a draft with the published one that stays in force, and warnings about
// lines that no voice can speak.
type SavedScenario struct {
	Scenario scenario.Scenario
	Warnings FieldViolations
}

// CreateScenario adds a scenario to the organization; an id in use is a conflict.
func (u *UseCases) CreateScenario(ctx context.Context, who Caller, plan scenario.Scenario) (SavedScenario, error) {
	inUse := &ConflictError{
		Reason: StateForbidden, Message: "A scenario with this id exists; PUT replaces it",
		Violations: FieldViolations{{Field: "id", Message: "is in use"}},
	}
	if _, known, err := u.FindScenario(ctx, who.OrgID, plan.ID); err != nil || known {
		if err == nil {
			err = inUse
		}
		return SavedScenario{}, err
	}
	saved, err := u.checkSaved(ctx, who.OrgID, plan)
	if err != nil {
		return saved, err
	}
	saved.Scenario.CreatedAt = saved.Scenario.UpdatedAt
	err = u.Store.CreateScenario(ctx, saved.Scenario, who.Actor, saved.Scenario.UpdatedAt)
	if store.CodeOf(err) == store.CodeConflict {
		err = inUse
	}
	return u.withPublished(ctx, saved, err)
}

// withPublished completes a scenario that was saved without an error: its version number, or for a draft the published
// scenario beside which it lies.
func (u *UseCases) withPublished(ctx context.Context, saved SavedScenario, err error) (SavedScenario, error) {
	if err != nil {
		return saved, err
	}
	draft := saved.Scenario
	stored, known, err := u.FindScenario(ctx, draft.OrgID, draft.ID)
	switch {
	case err != nil || !known: // deleted since
	case draft.IsPublished():
		saved.Scenario.Version = stored.Version
	case stored.IsPublished():
		saved.Scenario = stored
		saved.Scenario.Draft = &draft
	}
	return saved, err
}

// PutScenario replaces the scenario of the same id; a built-in one is copied to the organization with the new content.
// A draft is stored beside the published scenario, which stays in force; publishing removes the draft. seen judges the
// draft, if there is one. [store.CodeNotFound] without a scenario.
func (u *UseCases) PutScenario(
	ctx context.Context, who Caller, plan scenario.Scenario, seen Precondition[scenario.Scenario],
) (SavedScenario, error) {
	before, known, err := u.FindScenario(ctx, who.OrgID, plan.ID)
	if err == nil && !known {
		err = store.Errorf(store.CodeNotFound, "there is no scenario %q", plan.ID)
	}
	if err != nil {
		return SavedScenario{}, err
	}
	saved, err := u.checkSaved(ctx, who.OrgID, plan)
	if err != nil {
		return saved, err
	}
	latest := before.Latest()
	if saved.Scenario.CreatedAt = latest.CreatedAt; latest.BuiltIn {
		saved.Scenario.CreatedAt = saved.Scenario.UpdatedAt
	}
	if seen == nil {
		err = u.Store.PutScenario(ctx, saved.Scenario, who.Actor, saved.Scenario.UpdatedAt)
		return u.withPublished(ctx, saved, err)
	}
	if err := seen.check(latest); err != nil {
		return saved, err
	}
	err = u.Store.ReplaceScenario(ctx, saved.Scenario, latest.Version, who.Actor, saved.Scenario.UpdatedAt)
	if store.CodeOf(err) == store.CodeConflict { // saved between the check and this transaction
		err = errStale
	}
	return u.withPublished(ctx, saved, err)
}

// CheckScenario returns the violations ([ViolationError]) for which a scenario of the organization would not be saved.
func (u *UseCases) CheckScenario(ctx context.Context, who Caller, plan scenario.Scenario) error {
	_, err := u.checkSaved(ctx, who.OrgID, plan)
	return err
}

// checkSaved checks a scenario against its own rules, then against those of the installation and the organization.
func (u *UseCases) checkSaved(ctx context.Context, orgID string, plan scenario.Scenario) (SavedScenario, error) {
	plan.OrgID, plan.BuiltIn, plan.Draft, plan.UpdatedAt = orgID, false, nil, u.now()
	plan.Status = cmp.Or(plan.Status, scenario.PublishedStatus)
	var found FieldViolations
	found.AddAll(scenario.CheckScenario(ctx, plan))
	clips, err := u.checkClips(ctx, plan)
	if err != nil {
		return SavedScenario{}, err
	}
	found.AddAll(clips)
	saved := SavedScenario{Scenario: plan}
	if len(found) > 0 || u.Scenarios == nil {
		return saved, violationError(found...)
	}
	faults, warnings, err := u.Scenarios.CheckSaved(ctx, plan)
	found.AddAll(faults)
	saved.Warnings.AddAll(warnings)
	if err == nil {
		err = violationError(found...)
	}
	return saved, err
}

// DeleteScenario deletes a scenario of the organization. If it replaced a built-in one, the built-in one applies again,
// which itself cannot be deleted.
func (u *UseCases) DeleteScenario(ctx context.Context, who Caller, id string) error {
	err := u.Store.DeleteScenario(ctx, who.OrgID, id, who.Actor, u.now())
	if _, builtIn, _ := findByID(u.BuiltIn(), id); builtIn && store.CodeOf(err) == store.CodeNotFound {
		return &ConflictError{Reason: StateForbidden, Message: "A built-in scenario cannot be deleted"}
	}
	return err
}

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
