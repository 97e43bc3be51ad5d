package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
)

// getScenario answers one scenario.
func (s *Service) getScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, wire.ScenarioOf(found))
}
