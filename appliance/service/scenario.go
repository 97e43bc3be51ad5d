package service

import (
	"context"
	"regexp"
	"slices"

	"munadi/store"
	"munadi/store/scenario"
)

// scenarioID is the syntax of a scenario's id.
var scenarioID = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// FindScenario finds the organization's scenario of an id, else the built-in one; false when there is neither.
func (u *UseCases) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error) {
	if !scenarioID.MatchString(id) {
		return scenario.Scenario{}, false, nil
	}
	own, err := u.Store.FindScenario(ctx, orgID, id)
	if store.CodeOf(err) != store.CodeNotFound {
		return own, err == nil, err
	}
	found, known, err := findByID(u.BuiltIn(), id)
	found.BuiltIn = known
	return found, known, err
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
		if !slices.ContainsFunc(all, func(own scenario.Scenario) bool { return own.ID == one.ID }) {
			one.BuiltIn = true
			all = append(all, one)
		}
	}
	return all, nil
}

// SavedScenario is a scenario as it was saved, with warnings about lines that no voice can speak.
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
	return saved, err
}

// PutScenario replaces the scenario of the same id; a built-in one is copied to the organization with the new content.
// [store.CodeNotFound] without one.
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
	if saved.Scenario.CreatedAt = before.CreatedAt; before.BuiltIn {
		saved.Scenario.CreatedAt = saved.Scenario.UpdatedAt
	}
	if seen == nil {
		return saved, u.Store.PutScenario(ctx, saved.Scenario, who.Actor, saved.Scenario.UpdatedAt)
	}
	if err := seen.check(before); err != nil {
		return saved, err
	}
	err = u.Store.ReplaceScenario(ctx, saved.Scenario, before.Version, who.Actor, saved.Scenario.UpdatedAt)
	if store.CodeOf(err) == store.CodeConflict { // saved between the check and this transaction
		err = errStale
	}
	return saved, err
}

// RestoreScenario saves a former version of a scenario as its newest one. [store.CodeNotFound] without it.
func (u *UseCases) RestoreScenario(ctx context.Context, who Caller, id string, number int) (SavedScenario, error) {
	former, err := u.Store.FindScenarioVersion(ctx, who.OrgID, id, number)
	if err != nil {
		return SavedScenario{}, err
	}
	return u.PutScenario(ctx, who, former.Scenario, nil)
}

// checkSaved checks a scenario against its own rules, then against those of the installation and the organization.
func (u *UseCases) checkSaved(ctx context.Context, orgID string, plan scenario.Scenario) (SavedScenario, error) {
	plan.OrgID, plan.BuiltIn, plan.UpdatedAt = orgID, false, u.now()
	var found FieldViolations
	found.AddAll(scenario.CheckScenario(ctx, plan))
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
