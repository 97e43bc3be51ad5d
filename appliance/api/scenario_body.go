package api

import (
	"encoding/json"
	"fmt"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// scenarioOf finds the scenario that the path names.
func (s *APIService) scenarioOf(c echo.Context) (scenario.Scenario, error) {
	orgID := requestPrincipal(c).OrgID
	found, known, err := s.UseCases.FindScenario(c.Request().Context(), orgID, c.Param("scenario_id"))
	if err == nil && !known {
		err = notFound()
	}
	return found, err
}

// bindScenario parses and validates the scenario in a request body; its id may be left out, and may differ from id only
// where mayDiffer. The error names every violation. Read-only fields are ignored, so that what a GET returned may be
// sent back.
func bindScenario(c echo.Context, id string, mayDiffer bool) (scenario.Scenario, error) {
	parsed, err := readJSONObject(c)
	if err != nil {
		return scenario.Scenario{}, err
	}
	var found service.FieldViolations
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
		return plan, &strictjson.SyntaxError{Message: err.Error()}
	}
	found.AddAll(faults)
	return plan, newValidationError(found)
}
