package api

import (
	"fmt"
	"time"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/service"
	"munadi/store/call"
)

// The bounds of a retry plan.
const (
	maxDelays   = call.MaxAttempts
	maxDelayMin = 30 * 24 * 60
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

// bindBooking parses a booking and checks all rules that need nothing but the body.
func bindBooking(parsed map[string]any, now time.Time) (bookingBody, jsonbind.FieldViolations) {
	var b bookingBody
	found := jsonbind.BindValue(parsed, &b)
	switch {
	case b.PhoneNumber == "":
		found.AddViolation("phone_number", "is required: %s", badNumber)
	case !validNumber(b.PhoneNumber):
		found.AddViolation("phone_number", "%s", badNumber)
	}
	if b.ScenarioID == "" {
		found.AddViolation("scenario_id", "is required")
	}
	if b.ScheduledAt != nil && !b.ScheduledAt.IsZero() && !call.IsBookable(*b.ScheduledAt, now) {
		found.AddViolation("scheduled_at", "must lie from now to 30 days ahead")
	}
	b.Retry.validateRetry(&found)
	for _, v := range append(service.CheckMetadata(b.Metadata), service.CheckVariableNames(b.Variables)...) {
		found.AddViolation(v.Field, "%s", v.Message)
	}
	return b, found
}

func (r *retryBody) validateRetry(found *jsonbind.FieldViolations) {
	if r == nil {
		return
	}
	switch {
	case r.MaxAttempts == nil:
		found.AddViolation("retry.max_attempts", "is required")
	case *r.MaxAttempts < 1 || *r.MaxAttempts > call.MaxAttempts:
		found.AddViolation("retry.max_attempts", "must be 1 to %d", call.MaxAttempts)
	}
	if len(r.DelayMinutes) > maxDelays {
		found.AddViolation("retry.delay_minutes", "must have at most %d entries", maxDelays)
		return
	}
	for i, minutes := range r.DelayMinutes {
		if minutes < 0 || minutes > maxDelayMin {
			found.AddViolation(fmt.Sprintf("retry.delay_minutes.%d", i), "must be 0 to %d", maxDelayMin)
		}
	}
}
