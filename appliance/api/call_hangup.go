package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// hangupCall requests the end of a running call (202); 409 if it is not running.
func (s *APIService) hangupCall(c echo.Context) error {
	ending, err := s.UseCases.HangupCall(c.Request().Context(), requestCaller(c), c.Param("call_id"))
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusAccepted, ending)
}
