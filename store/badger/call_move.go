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
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		line, err := (*record.CallRecord)(r).RescheduleTo(at, how, actor, now)
		if err != nil {
			return err
		}
		e.addTimelineLine(r, line)
		e.touchKind(store.CallsChanged)
		if err := e.planPrevious(*r, &at, "retry "+line.Event, actor, now); err != nil || !record.IsPerson(actor) {
			return err
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "call.reschedule", Subject: id, Note: line.Note}
		return e.addAudit(orgID, entry)
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
	e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "cancelled", Actor: actor})
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
	e.addTimelineLine(&after, call.TimelineEntry{At: now, Event: event, Actor: actor})
	return e.saveCall(&before, after)
}

// HangupCall implements [store.CallStore]. It is idempotent.
func (s *BadgerStore) HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		isNew, err := (*record.CallRecord)(r).RequestHangup(now)
		if err != nil {
			return err
		}
		e.markUrgent()
		e.touchKind(store.HangupsRequested)
		if !isNew {
			return nil
		}
		e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "hangup", Actor: actor})
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
		e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "released", Actor: record.ByScheduler})
		return nil
	})
}

// ReturnCall implements [store.CallStore].
func (s *BadgerStore) ReturnCall(
	ctx context.Context, orgID, id string, at time.Time, why string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		if err := (*record.CallRecord)(r).ReturnToSchedule(at); err != nil {
			return err
		}
		e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "returned", Actor: record.ByDialler, Note: why})
		e.touchKind(store.CallsChanged)
		return nil
	})
}

// KeepRecordingSum implements [store.CallStore].
func (s *BadgerStore) KeepRecordingSum(ctx context.Context, orgID, id string, sum call.RecordingSum) error {
	_, err := s.changeCall(ctx, orgID, id, func(_ writeTx, r *callRecord) error {
		r.Call.KeepRecordingSum(sum)
		return nil
	})
	return err
}

// AnswerCall implements [store.CallStore].
func (s *BadgerStore) AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		e.markUrgent()
		if r.Call, err = r.Call.MarkAnswered(now); err != nil {
			return err
		}
		r.Call.Recording = recording
		e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "answered", Actor: record.ByDialler})
		return nil
	})
}
