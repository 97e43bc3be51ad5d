package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// putScenario replaces a scenario; a built-in one is copied to the organization with the new content.
func (s *APIService) putScenario(c echo.Context) error {
	before, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	plan, err := planOf(c, before.ID, false)
	if err != nil {
		return err
	}
	now := s.Now().UTC()
	plan.OrgID, plan.CreatedAt, plan.UpdatedAt = requestPrincipal(c).OrgID, before.CreatedAt, now
	if before.BuiltIn {
		plan.CreatedAt = now
	}
	warnings, err := s.checkSaved(c.Request().Context(), plan)
	if err != nil {
		return err
	}
	if err := s.Store.PutScenario(c.Request().Context(), plan, auditActor(c), now); err != nil {
		return err
	}
	return answerSaved(c, http.StatusOK, apimodel.ScenarioOf(plan), warnings)
}
