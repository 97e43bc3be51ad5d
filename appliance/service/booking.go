package service

import (
	"bytes"
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
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
