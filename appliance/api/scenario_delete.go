package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// deletedScenario is the answer of DELETE /scenarios/{id}.
type deletedScenario struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

// deleteScenario deletes a scenario of the organization. If it replaced a built-in one, the built-in one applies
// again.
func (s *APIService) deleteScenario(c echo.Context) error {
	id := c.Param("scenario_id")
	if err := s.UseCases.DeleteScenario(c.Request().Context(), requestCaller(c), id); err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, deletedScenario{id, true})
}
