package scenariocheck

import (
	"context"

	"munadi/store"
	"munadi/store/scenario"
)

// ScenarioStore reads the scenarios of organizations.
type ScenarioStore interface {
	FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
	FindScenarioVersion(ctx context.Context, orgID, id string, number int) (scenario.ScenarioVersion, error)
}

// ScenarioFinder finds the scenarios that calls use: an organization's own before the built-in ones, no drafts.
type ScenarioFinder struct {
	Store   ScenarioStore
	BuiltIn []scenario.Scenario
}

// ScenarioVersion returns a version of the scenario of that id; the current one if that version is not kept.
func (f *ScenarioFinder) ScenarioVersion(
	ctx context.Context, orgID, id string, version int,
) (scenario.Scenario, error) {
	kept, err := f.Store.FindScenarioVersion(ctx, orgID, id, version)
	if store.CodeOf(err) == store.CodeNotFound {
		return f.Scenario(ctx, orgID, id)
	}
	return kept.Scenario, err
}

// Scenario returns the scenario of that id; CodeNotFound without one.
func (f *ScenarioFinder) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	own, err := f.Store.FindScenario(ctx, orgID, id)
	if err == nil && own.IsPublished() || err != nil && store.CodeOf(err) != store.CodeNotFound {
		return own, err
	}
	for _, s := range f.BuiltIn {
		if s.ID == id {
			return s, nil
		}
	}
	return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "there is no published scenario %q", id)
}
