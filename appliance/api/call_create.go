package api

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// createCall books a call. An idempotent repeat is recognized before the body is validated: its dial time may have
// passed since.
func (s *APIService) createCall(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), requestPrincipal(c).OrgID, s.Now()
	parsed, err := readJSONObject(c)
	if err != nil {
		return err
	}
	once, err := receiptOf(c, parsed)
	if err != nil {
		return err
	}
	if once != nil {
		first, err := s.Store.FindReceipt(ctx, orgID, once.Key, now)
		if err != nil {
			return err
		}
		if first != nil {
			return s.replayReceipt(c, *first, once)
		}
	}
	booked, err := s.buildBooking(ctx, orgID, parsed, now)
	if err != nil {
		return err
	}
	return s.bookCall(c, booked, once)
}

// bookCall stores the call. Of concurrent requests with one idempotency key, the store lets one book; the others get
// its answer.
func (s *APIService) bookCall(c echo.Context, booked call.Call, once *store.IdempotencyReceipt) error {
	data, err := marshalUnescaped(apimodel.CallOf(booked, nil, s.Links))
	if err != nil {
		return err
	}
	if once != nil {
		once.CallID, once.Answer, once.MadeAt = booked.ID, data, booked.CreatedAt
	}
	made, err := s.Store.BookCall(c.Request().Context(), booked, auditActor(c), once)
	switch {
	case err != nil:
		return err
	case made.Replays:
		return s.replayReceipt(c, made, once)
	}
	return writeCreated(c, booked.ID, data)
}

// buildBooking builds the call that a request asks for; the error names every rule that the request breaks.
func (s *APIService) buildBooking(
	ctx context.Context,
	orgID string,
	parsed map[string]any,
	now time.Time,
) (call.Call, error) {
	b, found := bindBooking(parsed, now)
	plan, err := s.scenarioFor(ctx, orgID, b, &found)
	if err != nil {
		return call.Call{}, err
	}
	at, how, err := s.dialTime(ctx, orgID, b.ScheduledAt, plan, now, &found)
	if err != nil {
		return call.Call{}, err
	}
	if err := newValidationError(found); err != nil {
		return call.Call{}, err
	}
	id, retry := call.NewID(), service.PlanRetry(plan, b.Retry.requestedPlan())
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: b.PhoneNumber, ScenarioID: b.ScenarioID,
		Variables: b.Variables, Metadata: b.Metadata, Booking: how, CreatedAt: now.UTC(), ScheduledAt: at.UTC(),
		Attempt: call.AttemptChain{Number: 1, Max: retry.MaxAttempts, ChainID: id, Plan: retry},
	}, nil
}

// scenarioFor finds the scenario of a booking and validates the variables against it.
func (s *APIService) scenarioFor(
	ctx context.Context, orgID string, b bookingBody, found *jsonbind.FieldViolations,
) (scenario.Scenario, error) {
	plan, known, err := s.findScenario(ctx, orgID, b.ScenarioID)
	if err != nil {
		return plan, err
	}
	if !known {
		found.AddViolation("scenario_id", "names no scenario of this organization")
	}
	for _, fault := range plan.CheckVariables(b.Variables) {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	if !known || len(*found) > 0 || s.Scenarios == nil {
		return plan, nil
	}
	plan.OrgID = orgID
	faults, err := s.Scenarios.CheckBooked(ctx, plan, b.Variables)
	for _, fault := range faults {
		found.AddViolation(fault.Field, "%s", fault.Message)
	}
	return plan, err
}

// dialTime returns when the call is to be dialled, moved into the calling hours if necessary, and the booking
// outcome.
func (s *APIService) dialTime(
	ctx context.Context,
	orgID string,
	asked *time.Time,
	plan scenario.Scenario,
	now time.Time,
	found *jsonbind.FieldViolations,
) (time.Time, call.BookingOutcome, error) {
	at, how := now, call.Immediate
	if asked != nil && !asked.IsZero() {
		at, how = *asked, call.Booked
	}
	rules, err := s.Store.FindRules(ctx, orgID)
	if err != nil {
		return at, how, err
	}
	open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		found.AddViolation("scheduled_at", "finds no calling hours: those of the organization and of the scenario never meet")
	case !open.Equal(at):
		return open, call.Moved, nil
	}
	return at, how, nil
}
