package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
)

// rescheduleBody is the request body of POST /calls/{call_id}/reschedule.
type rescheduleBody struct {
	ScheduledAt time.Time `json:"scheduled_at"`
}

// rescheduleCall moves a scheduled call to another dial time.
func (s *APIService) rescheduleCall(c echo.Context) error {
	found, err := s.callOf(c)
	if err != nil {
		return err
	}
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	var b rescheduleBody
	broken := jsonbind.BindValue(parsed, &b)
	moved, err := s.UseCases.RescheduleCall(c.Request().Context(), requestCaller(c), found.ID, b.ScheduledAt, broken)
	if err != nil {
		return err
	}
	return s.answerCall(c, http.StatusOK, moved)
}
