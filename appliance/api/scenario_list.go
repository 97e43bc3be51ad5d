package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/scenario"
)

// listScenarios answers the organization's scenarios and the built-in ones that it has not replaced, sorted by id.
func (s *APIService) listScenarios(c echo.Context) error {
	if err := newValidationError(queryOf(c).found); err != nil {
		return err
	}
	all, err := s.UseCases.ListScenarios(c.Request().Context(), requestPrincipal(c).OrgID)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return strings.Compare(a.ID, b.ID) })
	list := make([]apimodel.ScenarioBody, len(all))
	for i, one := range all {
		list[i] = apimodel.ScenarioOf(one)
	}
	return answerPage(c, http.StatusOK, list, "", false)
}
