package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// cancelCall cancels a scheduled call, and with it its retry chain. A body is not required and not read.
func (s *APIService) cancelCall(c echo.Context) error {
	cancelled, err := s.UseCases.CancelCall(c.Request().Context(), requestCaller(c), c.Param("call_id"))
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, cancelled)
}
