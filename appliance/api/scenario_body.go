package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/store/scenario"
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

// checkSaved returns the 422 of a scenario that may not be saved, or the warnings for the answer.
func (s *APIService) checkSaved(ctx context.Context, plan scenario.Scenario) (jsonbind.FieldViolations, error) {
	if s.Scenarios == nil {
		return nil, nil
	}
	faults, warnings, err := s.Scenarios.CheckSaved(ctx, plan)
	if err == nil {
		err = newValidationError(violationsOf(faults))
	}
	return violationsOf(warnings), err
}

func violationsOf(found []scenario.ScenarioViolation) jsonbind.FieldViolations {
	var all jsonbind.FieldViolations
	for _, one := range found {
		all.AddViolation(one.Field, "%s", one.Message)
	}
	return all
}

// planOf parses and validates the scenario in a request body; its id may be left out, and may differ from id only
// where mayDiffer. The error names every violation. Read-only fields are ignored, so that what a GET returned may be
// sent back.
func planOf(c echo.Context, id string, mayDiffer bool) (scenario.Scenario, error) {
	parsed, err := readJSONObject(c)
	if err != nil {
		return scenario.Scenario{}, err
	}
	var found jsonbind.FieldViolations
	if given, there := parsed["id"]; !there || given == nil {
		parsed["id"] = id
	} else if !mayDiffer && given != id {
		found.AddViolation("id", "must be that of the address: an id does not change")
		parsed["id"] = id
	}
	data, err := json.Marshal(parsed)
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("write a scenario to be read: %w", err)
	}
	plan, faults, err := scenario.DecodeScenario(c.Request().Context(), data)
	if err != nil {
		return plan, &jsonbind.SyntaxError{Message: err.Error()}
	}
	for _, fault := range faults {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	return plan, newValidationError(found)
}
