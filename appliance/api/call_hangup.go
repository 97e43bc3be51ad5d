package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
)

// hangupCall asks for the end of a running call; whoever holds the line sees to it.
func (s *APIService) hangupCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	ending, err := s.Store.HangupCall(c.Request().Context(), found.OrgID, found.ID, auditActor(c), s.Now())
	if store.CodeOf(err) == store.CodeConflict {
		return newAPIError(http.StatusConflict, TypeNotActive, "The call is not running")
	}
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusAccepted, ending)
}
