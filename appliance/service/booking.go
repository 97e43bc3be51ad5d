package service

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// BookingRequest asks for a call.
type BookingRequest struct {
	PhoneNumber string
	ScenarioID  string
	ScheduledAt *time.Time    // nil: as soon as a line is free
	Retry       *RetryRequest // nil: as the scenario says
	Variables   map[string]any
	Metadata    map[string]string
	Once        *IdempotencyKey // nil: every request books
	Violations  FieldViolations // found while it was parsed; refused with all others
}

// RetryRequest asks for a retry plan; which outcomes are retried is the scenario's to say.
type RetryRequest struct {
	MaxAttempts  *int // required
	DelayMinutes []int
}

// IdempotencyKey makes a booking repeatable for [store.KeepReceipts].
type IdempotencyKey struct {
	Key    string
	Body   []byte                          // hash of the request; another one under the same key is [KeyReused]
	Answer func(call.Call) ([]byte, error) // renders the answer that a repeat of a booking gets
}

// BookedCall is a call that was booked, now or by an earlier request of the same idempotency key.
type BookedCall struct {
	Call     call.Call // of a repeat only the id
	Repeated bool
	Answer   []byte // of a repeat: the first request's response; empty once the person was erased
}

// BookCall books a call. A repeat of an idempotency key is recognized before the request is checked, since its dial
// time may have passed; of concurrent ones the store lets one book.
func (u *UseCases) BookCall(ctx context.Context, who Caller, r BookingRequest) (BookedCall, error) {
	k, err := u.newBookingRules(ctx, who.OrgID)
	if err != nil {
		return BookedCall{}, err
	}
	return u.bookCall(ctx, who, k, r)
}

func (u *UseCases) bookCall(ctx context.Context, who Caller, k bookingRules, r BookingRequest) (BookedCall, error) {
	if r.Once != nil {
		first, err := u.Store.FindReceipt(ctx, who.OrgID, r.Once.Key, k.now)
		if err != nil || first != nil {
			return repeatBooking(first, r.Once, err)
		}
	}
	booked, found, err := k.buildCall(ctx, r)
	if err == nil {
		err = violationError(found...)
	}
	if err != nil {
		return BookedCall{Call: booked}, err
	}
	receipt, err := r.Once.newReceipt(booked)
	if err != nil {
		return BookedCall{}, err
	}
	made, err := u.Store.BookCall(ctx, booked, who.Actor, receipt)
	if err != nil || made.Replays {
		return repeatBooking(&made, r.Once, err)
	}
	return BookedCall{Call: booked}, nil
}

// repeatBooking returns the first booking of an idempotency key to a repeat of the same request.
func repeatBooking(first *store.IdempotencyReceipt, once *IdempotencyKey, err error) (BookedCall, error) {
	switch {
	case err != nil:
		return BookedCall{}, err
	case !bytes.Equal(first.Body, once.Body):
		return BookedCall{}, &ConflictError{
			Reason: KeyReused, Message: "This Idempotency-Key was used with another body",
			Violations: FieldViolations{{Field: "Idempotency-Key", Message: "was used with another body"}},
		}
	}
	return BookedCall{Call: call.Call{ID: first.CallID}, Repeated: true, Answer: first.Answer}, nil
}

// newReceipt returns the stored receipt of a booking, for repeats; nil without a key.
func (o *IdempotencyKey) newReceipt(booked call.Call) (*store.IdempotencyReceipt, error) {
	if o == nil {
		return nil, nil
	}
	answer, err := o.Answer(booked)
	return &store.IdempotencyReceipt{
		Key: o.Key, Body: o.Body, CallID: booked.ID, Answer: answer, MadeAt: booked.CreatedAt,
	}, err
}

// newCampaignReceipt is newReceipt for a campaign, which is found instead of a kept answer; nil without a key.
func (o *IdempotencyKey) newCampaignReceipt(now time.Time) *store.IdempotencyReceipt {
	if o == nil {
		return nil
	}
	return &store.IdempotencyReceipt{Key: o.Key, Body: o.Body, MadeAt: now}
}

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

// buildCall returns the call that a request asks for, and every rule that the request breaks.
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
		Booking: how, CreatedAt: k.now, ScheduledAt: at,
	}, planRetry(plan, r.Retry)), found, nil
}

// newCall makes a scheduled first attempt of a call that has all but id, status and retry chain.
func newCall(c call.Call, retry call.RetryPlan) call.Call {
	c.ID, c.Status, c.ScheduledAt = call.NewID(), call.Scheduled, c.ScheduledAt.UTC()
	c.Attempt = call.AttemptChain{Number: 1, Max: retry.MaxAttempts, ChainID: c.ID, Plan: retry}
	return c
}

// checkRequest checks the rules that depend on the request alone.
func (r BookingRequest) checkRequest(now time.Time, found *FieldViolations) {
	if r.PhoneNumber == "" {
		found.AddViolation("phone_number", "is required: %s", InvalidNumber)
	} else if !IsValidNumber(r.PhoneNumber) {
		found.AddViolation("phone_number", "%s", InvalidNumber)
	}
	if r.ScenarioID == "" {
		found.AddViolation("scenario_id", "is required")
	}
	if r.ScheduledAt != nil && !call.IsBookable(*r.ScheduledAt, now) {
		found.AddViolation("scheduled_at", "must lie from now to 30 days ahead")
	}
	r.Retry.checkRetry(found)
	checkMetadata(r.Metadata, found)
	checkVariableNames(r.Variables, found)
}

// checkScenario finds the scenario of a booking and checks the variables against it; voices last, as they take longest.
func (k bookingRules) checkScenario(
	ctx context.Context, r BookingRequest, found *FieldViolations,
) (scenario.Scenario, error) {
	plan, known, err := k.findScenario(ctx, k.orgID, r.ScenarioID)
	if err != nil {
		return plan, err
	}
	if !known {
		found.AddViolation("scenario_id", "names no scenario of this organization")
	}
	found.AddAll(plan.CheckVariables(r.Variables))
	if !known || len(*found) > 0 || k.checkBooked == nil {
		return plan, nil
	}
	plan.OrgID = k.orgID
	faults, err := k.checkBooked(ctx, plan, r.Variables)
	for _, fault := range faults {
		found.AddReason(Unspeakable, fault.Field, "%s", fault.Message)
	}
	return plan, err
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
			"finds no calling hours: those of the organization and of the scenario never meet")
	case !open.Equal(at):
		return open, call.Moved
	}
	return at, how
}

// maxDelayMinutes is the longest wait before a retry.
const maxDelayMinutes = 30 * 24 * 60

// checkRetry checks a retry plan that was asked for.
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

// planRetry is the retry plan of a call of a scenario: attempts and waits as asked for, else as the scenario says.
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
