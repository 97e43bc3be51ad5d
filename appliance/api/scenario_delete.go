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
	found, err := s.scenarioOf(c)
	if err != nil {
		return err
	}
	if found.BuiltIn {
		return newAPIError(http.StatusConflict, TypeConflict, "A built-in scenario cannot be deleted")
	}
	err = s.Store.DeleteScenario(c.Request().Context(), requestPrincipal(c).OrgID, found.ID, auditActor(c), s.Now())
	if err != nil {
		return err
	}
	return writeSuccess(c, http.StatusOK, deletedScenario{found.ID, true})
}
