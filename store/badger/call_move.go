package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// changeCall applies one state transition to an organization's call and returns the call after it, without its
// messages. step may change the record in place; its error aborts the transaction.
func (s *BadgerStore) changeCall(
	ctx context.Context, orgID, id string, step func(writeTx, *callRecord) error,
) (call.Call, error) {
	var after callRecord
	err := s.updateTx(ctx, func(e writeTx) error {
		before, err := findCall(e, orgID, id)
		if err != nil {
			return err
		}
		after = before
		if err := step(e, &after); err != nil {
			return record.ToConflict(err)
		}
		return e.saveCall(&before, after)
	})
	if err != nil {
		return call.Call{}, err
	}
	return after.Call, nil
}

// RescheduleCall implements [store.CallStore].
func (s *BadgerStore) RescheduleCall(
	ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		event := "rescheduled"
		if how == call.Moved {
			event = "moved"
			r.Call, err = r.Call.PostponeTo(at, now)
		} else {
			r.Call, err = r.Call.RescheduleTo(at, how)
		}
		if err != nil {
			return err
		}
		note := "to " + at.UTC().Format(time.RFC3339)
		e.addTimelineLine(r, now, event, actor, note)
		e.touchKind(store.CallsChanged)
		if err := e.planPrevious(*r, &at, "retry "+event, actor, now); err != nil || !record.IsPerson(actor) {
			return err
		}
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.reschedule", Subject: id, Note: note})
	})
}

// CancelCall implements [store.CallStore].
func (s *BadgerStore) CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		if err := e.cancelCall(r, actor, now); err != nil {
			return err
		}
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.cancel", Subject: id})
	})
}

// cancelCall cancels a scheduled call and clears the next attempt that its previous attempt reports.
func (e writeTx) cancelCall(r *callRecord, actor string, now time.Time) (err error) {
	if r.Call, err = r.Call.CancelAt(now); err != nil {
		return err
	}
	e.addTimelineLine(r, now, "cancelled", actor, "")
	e.touchKind(store.CallsChanged)
	return e.planPrevious(*r, nil, "retry cancelled", actor, now)
}

// planPrevious updates the next-attempt time that the previous attempt of r reports; nil when a user cancelled it. The
// link to r stays, since r stays. The time also stays when r is released or stopped: it was planned when the previous
// attempt ended, so a notification of that end says the same whenever it is sent.
func (e writeTx) planPrevious(r callRecord, at *time.Time, event, actor string, now time.Time) error {
	if r.Call.Attempt.PreviousID == nil {
		return nil
	}
	before, err := findCall(e, r.Call.OrgID, *r.Call.Attempt.PreviousID)
	if err != nil {
		return ignoreMissing(err)
	}
	after := before
	after.Call.Attempt.NextRetryAt = at
	e.addTimelineLine(&after, now, event, actor, "")
	return e.saveCall(&before, after)
}

// HangupCall implements [store.CallStore]. It is idempotent.
func (s *BadgerStore) HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		if !r.Call.Status.IsRunning() {
			return store.Errorf(store.CodeConflict, "a call that is %s cannot be hung up", r.Call.Status)
		}
		e.markUrgent()
		e.touchKind(store.HangupsAsked)
		if r.Call.HangupAt != nil {
			return nil
		}
		r.Call.HangupAt = &now
		e.addTimelineLine(r, now, "hangup", actor, "")
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.hangup", Subject: id})
	})
}

// ReleaseCall implements [store.CallStore].
func (s *BadgerStore) ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		if err := e.needOpenCampaign(r.Call); err != nil {
			return err
		}
		if r.Call, err = r.Call.ReleaseToLine(now); err != nil {
			return err
		}
		e.addTimelineLine(r, now, "released", record.ByScheduler, "")
		return nil
	})
}

// ReturnCall implements [store.CallStore].
func (s *BadgerStore) ReturnCall(
	ctx context.Context, orgID, id string, at time.Time, why string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		if r.Erase {
			return store.Errorf(store.CodeConflict, "the person of this call was erased: it is not dialled again")
		}
		if r.Call, err = r.Call.ReturnToSchedule(at); err != nil {
			return err
		}
		e.addTimelineLine(r, now, "returned", record.ByDialler, why)
		e.touchKind(store.CallsChanged)
		return nil
	})
}

// AnswerCall implements [store.CallStore].
func (s *BadgerStore) AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		e.markUrgent()
		if r.Call, err = r.Call.MarkAnswered(now); err != nil {
			return err
		}
		r.Call.Recording = recording
		e.addTimelineLine(r, now, "answered", record.ByDialler, "")
		return nil
	})
}
