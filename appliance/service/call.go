package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
)

// FindCall returns a call of the organization; [store.CodeNotFound] without one, or for a malformed id.
func (u *UseCases) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	if !call.ValidID(id) {
		return call.Call{}, store.Errorf(store.CodeNotFound, "there is no call %q", id)
	}
	return u.Store.FindCall(ctx, orgID, id)
}

// RescheduleCall moves a scheduled call to another dial time, within the calling hours; broken are violations of the
// request. A deleted scenario adds no restriction.
func (u *UseCases) RescheduleCall(
	ctx context.Context, who Caller, id string, at time.Time, broken FieldViolations,
) (call.Call, error) {
	found, err := u.FindCall(ctx, who.OrgID, id)
	if err != nil {
		return found, err
	}
	now := u.now()
	switch {
	case at.IsZero():
		broken.AddViolation("scheduled_at", "is required: an RFC 3339 date-time with a time zone offset")
	case !call.IsReschedulable(at, now):
		broken.AddViolation("scheduled_at", "must be at least 10 minutes and at most 30 days ahead")
	case len(broken) > 0:
	case found.Status != call.Scheduled:
		return found, &ConflictError{Reason: CallReleased, Message: releasedMessage(found.Status)}
	default:
		if err := u.checkOpen(ctx, found, at, &broken); err != nil {
			return found, err
		}
	}
	if err := violationError(broken...); err != nil {
		return found, err
	}
	moved, err := u.Store.RescheduleCall(ctx, who.OrgID, id, at.UTC(), call.Rescheduled, who.Actor, now)
	return moved, explainConflict(err, CallReleased, releasedMessage(""))
}

// checkOpen refuses a dial time outside the calling hours.
func (u *UseCases) checkOpen(ctx context.Context, c call.Call, at time.Time, found *FieldViolations) error {
	plan, _, err := u.FindScenario(ctx, c.OrgID, c.ScenarioID)
	if err != nil {
		return err
	}
	rules, err := u.Store.FindRules(ctx, c.OrgID)
	if err != nil {
		return err
	}
	open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		found.AddReason(ClosedHours, "scheduled_at", "must be within the calling hours, which never begin")
	case !open.Equal(at):
		found.AddReason(ClosedHours, "scheduled_at", "must be within the calling hours; the next ones begin at %s",
			open.UTC().Format(time.RFC3339))
	}
	return nil
}

// CancelCall cancels a scheduled call, and with it its retry chain.
func (u *UseCases) CancelCall(ctx context.Context, who Caller, id string) (call.Call, error) {
	found, err := u.FindCall(ctx, who.OrgID, id)
	if err != nil {
		return found, err
	}
	cancelled, err := u.Store.CancelCall(ctx, who.OrgID, id, who.Actor, u.now())
	return cancelled, explainConflict(err, CallReleased, releasedMessage(found.Status))
}

// HangupCall requests the end of a running call; the appliance that runs it ends it.
func (u *UseCases) HangupCall(ctx context.Context, who Caller, id string) (call.Call, error) {
	if found, err := u.FindCall(ctx, who.OrgID, id); err != nil {
		return found, err
	}
	ending, err := u.Store.HangupCall(ctx, who.OrgID, id, who.Actor, u.now())
	return ending, explainConflict(err, CallNotActive, "The call is not running")
}

// releasedMessage returns why a call of that status is no longer scheduled.
func releasedMessage(status call.CallStatus) string {
	switch {
	case status == call.Cancelled:
		return "The call has been cancelled"
	case status.IsFinal() && status != "":
		return "The call has ended"
	}
	return "The call has already been released for dialling"
}

// EraseTrial deletes the stored data of a trial: transcript, report, recording. One that runs is ended.
// [store.CodeNotFound] for a call, whose person is erased instead.
func (u *UseCases) EraseTrial(ctx context.Context, who Caller, id string) error {
	found, err := u.FindCall(ctx, who.OrgID, id)
	if err == nil {
		err = u.Store.EraseTrial(ctx, who.OrgID, id, who.Actor, u.now())
	}
	if err != nil || found.Recording == "" || !found.Status.IsFinal() {
		return err
	}
	return u.Recordings.RemoveFile(found.Recording)
}

// ErasePerson deletes the stored data of a person by number (right to erasure): transcripts, reports, recordings. A
// number that was never called is no error. Recordings are removed even after a partial erasure.
func (u *UseCases) ErasePerson(ctx context.Context, who Caller, number string) (store.ErasureResult, error) {
	erased, err := u.Store.ErasePerson(ctx, who.OrgID, number, who.Actor, u.now())
	left := []error{err}
	for _, name := range erased.Recordings {
		if err := u.Recordings.RemoveFile(name); err != nil {
			left = append(left, fmt.Errorf("remove recording %s: %w", name, err))
		}
	}
	return erased, errors.Join(left...)
}
