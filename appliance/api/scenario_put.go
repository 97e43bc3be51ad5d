package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/scenario"
)

// putScenario replaces a scenario, or stores a draft beside it; a built-in one is copied to the organization with the
// new content.
func (s *APIService) putScenario(c echo.Context) error {
	before, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	plan, err := bindScenario(c, before.ID, false)
	if err != nil {
		return err
	}
	saved, err := s.UseCases.PutScenario(c.Request().Context(), requestCaller(c), plan, ifMatch[scenario.Scenario](c))
	if err != nil {
		return err
	}
	setETag(c, saved.Scenario.Latest())
	return s.answerSaved(c, http.StatusOK, saved)
}
