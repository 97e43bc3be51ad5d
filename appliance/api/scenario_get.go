package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

// getScenario answers one scenario: its draft, if there is one.
func (s *APIService) getScenario(c echo.Context) error {
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	setETag(c, found.Latest())
	return writeSuccess(c, http.StatusOK, apimodel.ScenarioOf(found))
}
