package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store"
)

// hangupCall requests the end of a running call (202); the appliance that runs the call ends it. 409 if it is not
// running.
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
