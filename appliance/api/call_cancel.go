package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
)

// cancelCall cancels a scheduled call, and with it its retry chain. A body is not required and not read.
func (s *APIService) cancelCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	cancelled, err := s.Store.CancelCall(c.Request().Context(), found.OrgID, found.ID, auditActor(c), s.Now())
	if store.CodeOf(err) == store.CodeConflict {
		return newReleasedError(found.Status)
	}
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, cancelled)
}
