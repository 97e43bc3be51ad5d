package api

import (
	"time"

	"munadi/appliance/service"
	"munadi/store/strictjson"
)

// bookingBody is the request body of POST /calls.
type bookingBody struct {
	PhoneNumber string            `json:"phone_number"`
	ScenarioID  string            `json:"scenario_id"`
	ScheduledAt *time.Time        `json:"scheduled_at"`
	Retry       *retryBody        `json:"retry"`
	Variables   map[string]any    `json:"variables"`
	Metadata    map[string]string `json:"metadata"`
}

type retryBody struct {
	MaxAttempts  *int  `json:"max_attempts"`
	DelayMinutes []int `json:"delay_minutes"`
}

// requestedPlan returns the retry plan of a body; nil without one.
func (r *retryBody) requestedPlan() *service.RetryRequest {
	if r == nil {
		return nil
	}
	return &service.RetryRequest{MaxAttempts: r.MaxAttempts, DelayMinutes: r.DelayMinutes}
}

// bindBooking parses a booking.
func bindBooking(parsed map[string]any) service.BookingRequest {
	var b bookingBody
	found := strictjson.BindValue(parsed, &b)
	return service.BookingRequest{
		PhoneNumber: b.PhoneNumber, ScenarioID: b.ScenarioID, ScheduledAt: b.ScheduledAt,
		Retry: b.Retry.requestedPlan(), Variables: b.Variables, Metadata: b.Metadata, Violations: found,
	}
}
