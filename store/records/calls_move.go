package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// RescheduleCall implements [store.CallStore].
func (s *Records) RescheduleCall(
	ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) error {
		line, err := r.RescheduleTo(at, how, actor, now)
		if err == nil {
			err = addLine(tx, r, line)
		}
		if err != nil {
			return err
		}
		tx.Announce(store.CallsChanged)
		if err := planPrevious(tx, *r, &at, "retry "+line.Event, actor, now); err != nil || !record.IsPerson(actor) {
			return err
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "call.reschedule", Subject: id, Note: line.Note}
		return addAudit(tx, orgID, entry)
	})
}

// CancelCall implements [store.CallStore].
func (s *Records) CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) error {
		if err := cancelCall(tx, r, actor, now); err != nil {
			return err
		}
		return addAudit(tx, orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.cancel", Subject: id})
	})
}

// cancelCall cancels a scheduled call and clears the next attempt that its previous attempt reports.
func cancelCall(tx driver.Tx, r *record.CallRecord, actor string, now time.Time) (err error) {
	if r.Call, err = r.Call.CancelAt(now); err != nil {
		return err
	}
	tx.Announce(store.CallsChanged)
	if err := addLine(tx, r, call.TimelineEntry{At: now, Event: "cancelled", Actor: actor}); err != nil {
		return err
	}
	return planPrevious(tx, *r, nil, "retry cancelled", actor, now)
}

// planPrevious updates the next-attempt time that the previous attempt of r reports; nil when a user cancelled it. The
// link to r stays, since r stays. The time also stays when r is released or stopped: it was planned when the previous
// attempt ended, so a notification of that end says the same whenever it is sent.
func planPrevious(tx driver.Tx, r record.CallRecord, at *time.Time, event, actor string, now time.Time) error {
	if r.Call.Attempt.PreviousID == nil {
		return nil
	}
	before, found, err := calls.lockReadable(tx, r.Call.OrgID, *r.Call.Attempt.PreviousID)
	if err != nil || !found || before.Call.Attempt.ChainID != r.Call.Attempt.ChainID { // a call-back is in no chain
		return err
	}
	after := before
	after.Call.Attempt.NextRetryAt = at
	if err := addLine(tx, &after, call.TimelineEntry{At: now, Event: event, Actor: actor}); err != nil {
		return err
	}
	return saveCall(tx, &before, after)
}

// HangupCall implements [store.CallStore]. It is idempotent.
func (s *Records) HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) error {
		isNew, err := r.RequestHangup(now)
		if err != nil {
			return err
		}
		tx.MarkUrgent()
		tx.Announce(store.HangupsRequested)
		if !isNew {
			return nil
		}
		if err := addLine(tx, r, call.TimelineEntry{At: now, Event: "hangup", Actor: actor}); err != nil {
			return err
		}
		return addAudit(tx, orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.hangup", Subject: id})
	})
}

// organizationLines are an organization's running calls and their maximum; 0: none.
type organizationLines struct{ running, most int }

// needOne refuses a call beyond the maximum.
func (l organizationLines) needOne() error {
	if l.most == 0 || l.running < l.most {
		return nil
	}
	return store.Errorf(store.CodeConflict, "the organization has %d running calls, its maximum", l.running)
}

// linesName is the name that is locked while an organization's running calls are counted.
func linesName(orgID string) []string { return []string{"lines", orgID} }

// linesOf counts an organization's running calls if they have a maximum; until the end of the transaction no other one
// adds any then.
func linesOf(tx driver.Tx, orgID string) (lines organizationLines, err error) {
	rules, err := rulesOf(tx, orgID)
	if err != nil || rules.MaxConcurrent == 0 {
		return lines, err
	}
	if err := tx.LockNames(linesName(orgID)); err != nil {
		return lines, err
	}
	running, err := tx.Tally(driver.Query{Table: calls.Table, Index: callsRunning, Equal: []any{orgID}}, "org")
	return organizationLines{running[orgID], rules.MaxConcurrent}, err
}

// DialPerson implements [store.CallStore].
func (s *Records) DialPerson(
	ctx context.Context, orgID, id string, now time.Time,
) (forbidden call.FailureReason, err error) {
	_, err = s.changeCall(ctx, orgID, id, driver.OwnLock, func(tx driver.Tx, r *record.CallRecord) error {
		tx.MarkUrgent()
		called, err := r.Call.DialPerson(now)
		if err != nil {
			return err
		}
		if called.Dialled, err = keepDialFacts(tx, called, now); err != nil {
			return err
		}
		rules, err := rulesOf(tx, orgID)
		if store.IgnoreMissing(err) != nil {
			return err
		}
		switch forbidden = ""; {
		case rules.KillSwitch:
			forbidden = call.CallBackLate
		case called.Dialled != nil && called.Dialled.Suppressed:
			forbidden = call.Suppressed
		default:
			r.Call = called
			return addLine(tx, r, call.TimelineEntry{At: now, Event: "staff_answered", Actor: record.ByDialler})
		}
		return nil
	})
	return forbidden, err
}

// ReturnCall implements [store.CallStore].
func (s *Records) ReturnCall(
	ctx context.Context, orgID, id string, at time.Time, why string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.OwnLock, func(tx driver.Tx, r *record.CallRecord) error {
		if err := r.ReturnToSchedule(at); err != nil {
			return err
		}
		tx.Announce(store.CallsChanged)
		return addLine(tx, r, call.TimelineEntry{At: now, Event: "returned", Actor: record.ByDialler, Note: why})
	})
}

// AnswerCall implements [store.CallStore].
func (s *Records) AnswerCall(ctx context.Context, orgID, id, recording string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.OwnLock, func(tx driver.Tx, r *record.CallRecord) (err error) {
		tx.MarkUrgent()
		if r.Call, err = r.Call.MarkAnswered(now); err != nil {
			return err
		}
		r.Call.Recording = recording
		return addLine(tx, r, call.TimelineEntry{At: now, Event: "answered", Actor: record.ByDialler})
	})
}
