package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// bookingRules are the rules for the bookings of one request.
type bookingRules struct {
	orgID        string
	now          time.Time
	rules        callrules.CallRules
	findScenario func(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error)
	checkBooked  func( // nil: no further validation
		ctx context.Context, s scenario.Scenario, variables map[string]any,
	) ([]strictjson.Violation, error)
}

// newBookingRules reads the organization's rules.
func (u *UseCases) newBookingRules(ctx context.Context, orgID string) (bookingRules, error) {
	rules, err := u.Store.FindRules(ctx, orgID)
	k := bookingRules{orgID: orgID, now: u.now(), rules: rules, findScenario: u.FindScenario}
	if u.Scenarios != nil {
		k.checkBooked = u.Scenarios.CheckBooked
	}
	return k, err
}

// buildCall returns the requested call and all violations of the request.
func (k bookingRules) buildCall(ctx context.Context, r BookingRequest) (call.Call, FieldViolations, error) {
	found := slices.Clone(r.Violations)
	r.checkRequest(k.now, &found)
	plan, err := k.checkScenario(ctx, r, &found)
	if err != nil {
		return call.Call{}, nil, err
	}
	at, how := k.dialTime(r.ScheduledAt, plan, "scheduled_at", &found)
	return newCall(call.Call{
		OrgID: k.orgID, PhoneNumber: r.PhoneNumber, ScenarioID: r.ScenarioID, Variables: r.Variables, Metadata: r.Metadata,
		ScenarioVersion: plan.Version, NameVariable: plan.NameVariable(r.Variables), Booking: how, CreatedAt: k.now,
		ScheduledAt: at, Trunk: r.Trunk,
	}, planRetry(plan, r.Retry)), found, nil
}

// newCall completes c, the first attempt of a call, with id, status and retry chain.
func newCall(c call.Call, retry call.RetryPlan) call.Call {
	c.ID, c.Status, c.ScheduledAt = call.NewID(), call.Scheduled, c.ScheduledAt.UTC()
	c.Attempt = call.AttemptChain{Number: 1, Max: retry.MaxAttempts, ChainID: c.ID, Plan: retry}
	return c
}

// checkRequest checks the rules that depend on the request alone.
func (r BookingRequest) checkRequest(now time.Time, found *FieldViolations) {
	if r.PhoneNumber == "" {
		found.AddViolation("phone_number", "is required: %s", InvalidNumber)
	} else if !phonenumber.IsE164(r.PhoneNumber) {
		found.AddViolation("phone_number", "%s", InvalidNumber)
	}
	if r.ScenarioID == "" {
		found.AddViolation("scenario_id", "is required")
	}
	if r.ScheduledAt != nil && !call.IsBookable(*r.ScheduledAt, now) {
		found.AddViolation("scheduled_at", "must be from now to 30 days ahead")
	}
	r.Retry.checkRetry(found)
	checkMetadata(r.Metadata, found)
	checkVariableNames(r.Variables, found)
}

// checkScenario finds the scenario of a booking and checks the variables against it. Voices are checked last, since
// that takes longest.
func (k bookingRules) checkScenario(
	ctx context.Context, r BookingRequest, found *FieldViolations,
) (scenario.Scenario, error) {
	plan, known, err := k.findScenario(ctx, k.orgID, r.ScenarioID)
	if err != nil {
		return plan, err
	}
	checkBookable(plan, known, found)
	found.AddAll(plan.CheckVariables(r.Variables))
	if len(*found) > 0 || k.checkBooked == nil {
		return plan, nil
	}
	plan.OrgID = k.orgID
	faults, err := k.checkBooked(ctx, plan, r.Variables)
	for _, fault := range faults {
		found.AddReason(Unspeakable, fault.Field, "%s", fault.Message)
	}
	return plan, err
}

// checkBookable refuses an unknown scenario, and one that was only ever a draft.
func checkBookable(plan scenario.Scenario, known bool, found *FieldViolations) {
	switch {
	case !known:
		found.AddViolation("scenario_id", "is not a scenario of this organization; GET /scenarios lists them")
	case !plan.IsPublished():
		found.AddViolation("scenario_id", "is a draft that was never published; PUT /scenarios/%s publishes it", plan.ID)
	}
}

// dialTime returns when a call is dialled, moved into the calling hours if necessary, and the booking outcome. field
// names the time in the request.
func (k bookingRules) dialTime(
	asked *time.Time, plan scenario.Scenario, field string, found *FieldViolations,
) (time.Time, call.BookingOutcome) {
	at, how := k.now, call.Immediate
	if asked != nil {
		at, how = *asked, call.Booked
	}
	open, ok := callrules.NextOpen(k.rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		found.AddReason(NeverOpen, field,
			"is never within calling hours: those of the organization and of the scenario do not overlap")
	case !open.Equal(at):
		return open, call.Moved
	}
	return at, how
}

// maxDelayMinutes is the longest wait before a retry.
const maxDelayMinutes = 30 * 24 * 60

// checkRetry checks a requested retry plan.
func (r *RetryRequest) checkRetry(found *FieldViolations) {
	if r == nil {
		return
	}
	switch {
	case r.MaxAttempts == nil:
		found.AddViolation("retry.max_attempts", "is required")
	case *r.MaxAttempts < 1 || *r.MaxAttempts > call.MaxAttempts:
		found.AddViolation("retry.max_attempts", "must be 1 to %d", call.MaxAttempts)
	}
	if len(r.DelayMinutes) > call.MaxAttempts {
		found.AddViolation("retry.delay_minutes", "must have at most %d entries", call.MaxAttempts)
		return
	}
	for i, minutes := range r.DelayMinutes {
		if minutes < 0 || minutes > maxDelayMinutes {
			found.AddViolation(fmt.Sprintf("retry.delay_minutes.%d", i), "must be 0 to %d", maxDelayMinutes)
		}
	}
}

// planRetry returns the retry plan of a call: attempts and waits as requested, else those of the scenario.
func planRetry(s scenario.Scenario, asked *RetryRequest) call.RetryPlan {
	var plan call.RetryPlan
	if s.Retry != nil {
		plan = *s.Retry
	}
	if asked != nil && asked.MaxAttempts != nil {
		plan.MaxAttempts, plan.DelayMinutes = *asked.MaxAttempts, asked.DelayMinutes
	}
	plan.MaxAttempts = min(max(plan.MaxAttempts, 1), call.MaxAttempts)
	return plan
}
