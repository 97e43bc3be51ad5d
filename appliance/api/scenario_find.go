package api

import (
	"context"
	"regexp"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/scenario"
)

// scenarioID is the syntax of a scenario's id.
var scenarioID = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// findScenario finds the organization's scenario of an id, else the built-in one; false when there is neither.
func (s *APIService) findScenario(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error) {
	if !scenarioID.MatchString(id) {
		return scenario.Scenario{}, false, nil
	}
	own, err := s.Store.FindScenario(ctx, orgID, id)
	if store.CodeOf(err) != store.CodeNotFound {
		return own, err == nil, err
	}
	for _, one := range s.BuiltIn() {
		if one.ID == id {
			one.BuiltIn = true
			return one, true, nil
		}
	}
	return scenario.Scenario{}, false, nil
}

// scenarioOf finds the scenario that the path names.
func (s *APIService) scenarioOf(c echo.Context) (scenario.Scenario, error) {
	found, known, err := s.findScenario(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("scenario_id"))
	if err == nil && !known {
		err = notFound()
	}
	return found, err
}
