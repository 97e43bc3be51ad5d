package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/phonenumber"
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
	Trunk       string          // of a test call, see [call.Call.Trunk]
	Once        *IdempotencyKey // nil: every request books
	Violations  FieldViolations // found by the parser; reported together with those of the rules
}

// RetryRequest asks for a retry plan; the outcomes that are retried are those of the scenario.
type RetryRequest struct {
	MaxAttempts  *int // required
	DelayMinutes []int
}

// IdempotencyKey makes a booking repeatable for [store.KeepReceipts].
type IdempotencyKey struct {
	Key    string
	Body   []byte                          // hash of the request; another one under the same key is [KeyReused]
	Answer func(call.Call) ([]byte, error) // renders the response that a repeat of a booking gets
}

// BookedCall is a call that was booked, now or by an earlier request with the same idempotency key.
type BookedCall struct {
	Call     call.Call // of a repeat only the id
	Repeated bool
	Answer   []byte // of a repeat: the first request's response; empty once the person was erased
}

// BookCall books a call. A repeat of an idempotency key is recognized before the request is checked, since its dial
// time may have passed; of concurrent requests with one key the store accepts one.
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

// newCampaignReceipt is newReceipt for a campaign, whose repeats get the current campaign; nil without a key.
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

// The limits of a booking's data.
const (
	maxEntries = 100      // of metadata
	maxName    = 64       // characters of a name in metadata or variables
	maxValue   = 2000     // characters of a value in metadata
	maxBytes   = 64 << 10 // of metadata, and of variables, as JSON: lists of calls hold both
)

// InvalidNumber is the message for a number that is not [phonenumber.IsE164]. Numbering plans are not checked; the
// carrier knows them.
const InvalidNumber = "must be an E.164 number: a plus sign and 7 to 15 digits, the first of which is not 0"

// checkMetadata bounds a booking's metadata.
func checkMetadata(all map[string]string, found *FieldViolations) {
	if len(all) > maxEntries {
		found.AddViolation("metadata", "must have at most %d entries", maxEntries)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkName("metadata", name, found)
		if utf8.RuneCountInString(all[name]) > maxValue {
			found.AddViolation("metadata."+name, "must have at most %d characters", maxValue)
		}
	}
	checkSize("metadata", all, found)
}

// checkVariableNames bounds the names and the size of a booking's variables; the scenario checks their values.
func checkVariableNames(all map[string]any, found *FieldViolations) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkName("variables", name, found)
	}
	checkSize("variables", all, found)
}

func checkName(path, name string, found *FieldViolations) {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
		found.AddViolation(path, "must have names of 1 to %d characters", maxName)
	}
}

// checkSize limits the size of the data stored with a call.
func checkSize(path string, all any, found *FieldViolations) {
	if data, err := json.Marshal(all); err != nil || len(data) > maxBytes {
		found.AddViolation(path, "must take at most %d KiB as JSON", maxBytes>>10)
	}
}
