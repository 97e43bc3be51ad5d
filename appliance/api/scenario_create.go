package api

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// createScenario adds a scenario to the organization.
func (s *APIService) createScenario(c echo.Context) error {
	plan, err := bindScenario(c, "scenario_"+uuid.NewString(), true)
	if err != nil {
		return err
	}
	saved, err := s.UseCases.CreateScenario(c.Request().Context(), requestCaller(c), plan)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, Root+"/scenarios/"+plan.ID)
	return s.answerSaved(c, http.StatusCreated, saved)
}
