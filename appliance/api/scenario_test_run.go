package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// testScenario runs the tests of a scenario: of its draft, or without one of the published one. A body is not required
// and not read.
func (s *APIService) testScenario(c echo.Context) error {
	run, err := s.UseCases.TestScenario(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("scenario_id"))
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, run)
}
