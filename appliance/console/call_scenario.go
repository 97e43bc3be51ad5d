package console

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/page"
)

// scenariosOf lists what an organization may call with: its own before the built-in ones.
func (s *ConsoleService) scenariosOf(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	all, err := s.Store.ListScenarios(ctx, orgID)
	if err != nil {
		return nil, err
	}
	for _, b := range s.BuiltIn() {
		if !slices.ContainsFunc(all, func(own scenario.Scenario) bool { return own.ID == b.ID }) {
			all = append(all, b)
		}
	}
	return all, nil
}

// scenarioCalled finds one of them by its id.
func scenarioCalled(all []scenario.Scenario, id string) (scenario.Scenario, bool) {
	i := slices.IndexFunc(all, func(one scenario.Scenario) bool { return one.ID == id })
	if i < 0 {
		return scenario.Scenario{}, false
	}
	return all[i], true
}

// scenarioName is what people call a scenario; its id when it is gone.
func scenarioName(all []scenario.Scenario, id string) string {
	if found, ok := scenarioCalled(all, id); ok && found.Name != "" {
		return found.Name
	}
	return id
}

func scenarioChoices(all []scenario.Scenario, chosen string) []page.ListChoice {
	choices := make([]page.ListChoice, len(all))
	for i, one := range all {
		choices[i] = page.ListChoice{Value: one.ID, Name: scenarioName(all, one.ID), Chosen: one.ID == chosen}
	}
	return choices
}

// zoneOf is the time zone in which an organization reads its clock. One that is not known was refused when the rules
// were set.
func zoneOf(r callrules.CallRules) *time.Location {
	if zone, err := time.LoadLocation(r.TimeZone); err == nil {
		return zone
	}
	return time.UTC
}

// newNotFoundError says that there is no such thing in the organization.
func newNotFoundError(what string) error { return store.Errorf(store.CodeNotFound, "%s", what) }
