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

// bindScenario parses and validates the scenario in a request body. Its id defaults to id, and must be id unless
// mayDiffer is set. The error lists all violations. Read-only fields are ignored, so that the response of a GET may be
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
		found.AddViolation("id", "must be the id in the URL: it cannot be changed")
		parsed["id"] = id
	}
	data, err := json.Marshal(parsed)
	if err != nil {
		return scenario.Scenario{}, fmt.Errorf("encode the scenario: %w", err)
	}
	plan, faults, err := scenario.DecodeScenario(c.Request().Context(), data)
	if err != nil {
		return plan, &strictjson.SyntaxError{Message: err.Error()}
	}
	found.AddAll(faults)
	return plan, newValidationError(found)
}
