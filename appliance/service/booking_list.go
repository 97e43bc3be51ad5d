package service

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/scenario"
)

const (
	// bookingsAtOnce is how many bookings of a list are written at once: the store commits them together.
	bookingsAtOnce = 64
	// voiceTime bounds the voice checks of all bookings of one list. Those that were not checked by then are booked, and
	// checked when they are dialled.
	voiceTime = 10 * time.Second
)

// BookingResult is what became of one booking of a list: booked, or refused with violations.
type BookingResult struct {
	BookedCall
	Violations FieldViolations
	Suppressed bool // a check found the number on the suppression list; such a call is booked, and stopped when it is due
}

// CheckBookings checks bookings and books none. The results have the order of the requests; their calls are as they
// would be booked, or were by the same idempotency key.
func (u *UseCases) CheckBookings(ctx context.Context, who Caller, all []BookingRequest) ([]BookingResult, error) {
	k, err := u.newListRules(ctx, who.OrgID)
	if err != nil {
		return nil, err
	}
	results := make([]BookingResult, len(all))
	for i, r := range all {
		if results[i], err = u.checkBooking(ctx, who, k, r); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// checkBooking checks one booking. An unreadable suppression list is not its fault: the scheduler checks again when the
// call is due.
func (u *UseCases) checkBooking(
	ctx context.Context, who Caller, k bookingRules, r BookingRequest,
) (result BookingResult, err error) {
	if r.Once != nil {
		first, err := u.Store.FindReceipt(ctx, who.OrgID, r.Once.Key, k.now)
		if err != nil || first != nil {
			result.BookedCall, err = repeatBooking(first, r.Once, err)
			return result, err
		}
	}
	result.Call, result.Violations, err = k.buildCall(ctx, r)
	if err == nil {
		entry, unread := u.Store.FindSuppression(ctx, who.OrgID, result.Call.PhoneNumber, result.Call.ScheduledAt)
		result.Suppressed = unread == nil && entry != nil
	}
	return result, err
}

// BookCalls books each booking that breaks no rule, in a transaction of its own. The results have the order of the
// requests.
func (u *UseCases) BookCalls(ctx context.Context, who Caller, all []BookingRequest) ([]BookingResult, error) {
	k, err := u.newListRules(ctx, who.OrgID)
	if err != nil {
		return nil, err
	}
	results := make([]BookingResult, len(all))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(bookingsAtOnce)
	for i, r := range all {
		work.Go(func() error {
			return recovery.RecoverPanic(func() (err error) {
				results[i].BookedCall, err = u.bookCall(ctx, who, k, r)
				results[i].Violations, err = splitViolations(err)
				return err
			})
		})
	}
	return results, work.Wait()
}

// splitViolations returns the violations of a booking, or its error of another kind. What the store refuses in one
// booking does not end the others.
func splitViolations(err error) (FieldViolations, error) {
	var broken *ViolationError
	switch code := store.CodeOf(err); {
	case errors.As(err, &broken):
		return broken.Violations, nil
	case code == store.CodeInvalid || code == store.CodeTooLarge:
		return FieldViolations{{Message: err.Error()}}, nil
	}
	return nil, err
}

// newListRules is newBookingRules for many bookings: scenarios are read once, and voice checks share [voiceTime].
func (u *UseCases) newListRules(ctx context.Context, orgID string) (bookingRules, error) {
	k, err := u.newBookingRules(ctx, orgID)
	if err != nil {
		return k, err
	}
	all, err := u.ListScenarios(ctx, orgID)
	k.findScenario = func(_ context.Context, _, id string) (scenario.Scenario, bool, error) {
		return findInList(all, id)
	}
	if check, until := k.checkBooked, time.Now().Add(voiceTime); check != nil {
		k.checkBooked = func(
			ctx context.Context, s scenario.Scenario, variables map[string]any,
		) ([]scenario.ScenarioViolation, error) {
			limited, cancel := context.WithDeadline(ctx, until)
			defer cancel()
			found, err := check(limited, s, variables)
			if ctx.Err() == nil && limited.Err() != nil {
				return nil, nil
			}
			return found, err
		}
	}
	return k, err
}
