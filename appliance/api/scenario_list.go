package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store/scenario"
)

// listScenarios answers the organization's own and the built-in ones that it has not replaced, by id.
func (s *Service) listScenarios(c echo.Context) error {
	if err := invalid(queryOf(c).found); err != nil {
		return err
	}
	all, err := s.Store.Scenarios(c.Request().Context(), principal(c).OrgID)
	if err != nil {
		return err
	}
	for _, one := range s.BuiltIn() {
		if !slices.ContainsFunc(all, func(own scenario.Scenario) bool { return own.ID == one.ID }) {
			one.BuiltIn = true
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return strings.Compare(a.ID, b.ID) })
	list := make([]wire.Scenario, len(all))
	for i, one := range all {
		list[i] = wire.ScenarioOf(one)
	}
	return answerPage(c, http.StatusOK, list, "", false)
}
