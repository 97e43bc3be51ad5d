package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/page"
)

// Scenarios validates scenarios by what the installation and the organization allow; *scenariocheck.ScenarioChecker
// is one.
type Scenarios interface {
	CheckSaved(ctx context.Context, s scenario.Scenario) (faults, warnings []scenario.ScenarioViolation, err error)
	CheckBooked(ctx context.Context, s scenario.Scenario, variables map[string]any) ([]scenario.ScenarioViolation, error)
	CheckRows(
		ctx context.Context, s scenario.Scenario, rows []map[string]any,
	) (all []scenario.ScenarioViolation, each [][]scenario.ScenarioViolation, err error)
}

// checkSaved lists what forbids saving a scenario, then warnings of what will not work.
func (s *ConsoleService) checkSaved(
	ctx context.Context, plan scenario.Scenario,
) (faults, warnings []scenario.ScenarioViolation, err error) {
	if s.Scenarios == nil {
		return nil, nil, nil
	}
	return s.Scenarios.CheckSaved(ctx, plan)
}

// unspokenLine returns the first line of a call that no voice can speak; empty if all can be spoken.
func (s *ConsoleService) unspokenLine(
	ctx context.Context, orgID string, plan scenario.Scenario, variables map[string]any,
) (string, error) {
	if s.Scenarios == nil {
		return "", nil
	}
	plan.OrgID = orgID
	found, err := s.Scenarios.CheckBooked(ctx, plan, variables)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return quotedLine(found[0].Message), nil
}

// quotedLine returns the line that a message quotes; the message itself without one.
func quotedLine(message string) string {
	_, rest, found := strings.Cut(message, "“")
	line, _, closed := strings.Cut(rest, "”")
	if !found || !closed {
		return message
	}
	return line
}

// scenariosOf lists the scenarios of an organization: its own before the built-in ones.
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

// scenarioCalled finds a scenario by its id.
func scenarioCalled(all []scenario.Scenario, id string) (scenario.Scenario, bool) {
	i := slices.IndexFunc(all, func(one scenario.Scenario) bool { return one.ID == id })
	if i < 0 {
		return scenario.Scenario{}, false
	}
	return all[i], true
}

// scenarioName returns the name of a scenario; its id if it was deleted.
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

// zoneOf returns the organization's time zone. Unknown zones are refused when the rules are set.
func zoneOf(r callrules.CallRules) *time.Location {
	if zone, err := time.LoadLocation(r.TimeZone); err == nil {
		return zone
	}
	return time.UTC
}

// newNotFoundError returns the error of something that the organization does not have (404).
func newNotFoundError(what string) error { return store.Errorf(store.CodeNotFound, "%s", what) }

// findScenario finds a scenario of an organization, built-in ones included; false without one.
func (s *ConsoleService) findScenario(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error) {
	all, err := s.scenariosOf(ctx, orgID)
	found, known := scenarioCalled(all, id)
	return found, known, err
}
