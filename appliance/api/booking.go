package api

import (
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"munadi/appliance/api/jsonbind"
	"munadi/store/call"
	"munadi/store/scenario"
)

// Size limits of the metadata and variables of a booking.
const (
	maxEntries  = 100      // entries of metadata
	maxName     = 64       // characters of a name in metadata or variables
	maxValue    = 2000     // characters of a value in metadata
	maxBytes    = 64 << 10 // of metadata, and of variables, as JSON: lists of calls hold both
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
	checkMetadata(b.Metadata, &found)
	checkNames(b.Variables, &found)
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

// retryPlan returns the retry policy of a call: that of the request, else that of the scenario.
func (r *retryBody) retryPlan(s scenario.Scenario) call.RetryPlan {
	var plan call.RetryPlan
	if s.Retry != nil {
		plan = *s.Retry
	}
	if r != nil {
		plan.MaxAttempts, plan.DelayMinutes = *r.MaxAttempts, r.DelayMinutes
	}
	plan.MaxAttempts = min(max(plan.MaxAttempts, 1), call.MaxAttempts)
	return plan
}

func checkMetadata(all map[string]string, found *jsonbind.FieldViolations) {
	if len(all) > maxEntries {
		found.AddViolation("metadata", "must have at most %d entries", maxEntries)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkEntry("metadata", name, all[name], found)
	}
	checkSize("metadata", all, found)
}

// checkSize limits the size of metadata or variables as JSON.
func checkSize(path string, all any, found *jsonbind.FieldViolations) {
	if data, err := marshalUnescaped(all); err != nil || len(data) > maxBytes {
		found.AddViolation(path, "must take at most %d KiB as JSON", maxBytes>>10)
	}
}

// checkNames limits the names of variables; their values are checked against the scenario.
func checkNames(all map[string]any, found *jsonbind.FieldViolations) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkEntry("variables", name, "", found)
	}
	checkSize("variables", all, found)
}

func checkEntry(path, name, value string, found *jsonbind.FieldViolations) {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
		found.AddViolation(path, "must have names of 1 to %d characters", maxName)
	}
	if utf8.RuneCountInString(value) > maxValue {
		found.AddViolation(jsonbind.JoinPath(path, name), "must have at most %d characters", maxValue)
	}
}
