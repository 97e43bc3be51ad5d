package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store/record"
	"munadi/store/scenario"
)

// listScenarios answers the organization's scenarios and the built-in ones that it has not replaced, sorted by id: all
// of them, unless a limit asks for pages.
func (s *APIService) listScenarios(c echo.Context) error {
	q := queryOf(c, "limit", "cursor")
	limit := q.limitParam()
	orgID := requestPrincipal(c).OrgID
	list := []string{"scenarios", orgID}
	after, err := record.PlaceOfCursor(list, q.textParam("cursor"))
	if err := q.validationError(err); err != nil {
		return err
	}
	all, err := s.UseCases.ListScenarios(c.Request().Context(), orgID)
	if err != nil {
		return err
	}
	if !q.values.Has("limit") {
		limit = len(all)
	}
	page, next := pageScenarios(all, after, limit)
	if next != "" {
		next = record.EncodeCursor(list, next)
	}
	return answerPage(c, http.StatusOK, page, next)
}

// pageScenarios returns the scenarios whose ids follow after, at most limit, and the last one's id if there are more.
func pageScenarios(all []scenario.Scenario, after string, limit int) (page []apimodel.ScenarioBody, next string) {
	slices.SortFunc(all, func(a, b scenario.Scenario) int { return strings.Compare(a.ID, b.ID) })
	page = []apimodel.ScenarioBody{}
	for _, one := range all {
		if one.ID <= after {
			continue
		}
		if len(page) == limit {
			return page, page[limit-1].ID
		}
		page = append(page, apimodel.ScenarioOf(one))
	}
	return page, ""
}
