package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/store/call"
)

// rescheduleBody is the request body of POST /calls/{call_id}/reschedule.
type rescheduleBody struct {
	ScheduledAt time.Time `json:"scheduled_at"`
}

// rescheduleCall moves a scheduled call to another dial time.
func (s *APIService) rescheduleCall(c echo.Context) error {
	var b rescheduleBody
	return s.changeCall(c, http.StatusOK, &b, func(
		ctx context.Context, who service.Caller, id string, broken service.FieldViolations,
	) (call.Call, error) {
		return s.UseCases.RescheduleCall(ctx, who, id, b.ScheduledAt, broken)
	})
}
