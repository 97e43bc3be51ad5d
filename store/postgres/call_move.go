package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
	"munadi/store/records"
)

// addLine appends an event to a call's timeline, whose entries are numbered within the call.
func addLine(e *dbTx, r *record.CallRecord, line call.TimelineEntry) {
	r.Lines++
	callLines.put(e, line, r.Call.OrgID, r.Call.ID, int64(r.Lines))
}

// RescheduleCall implements [store.CallStore].
func (s *PostgresStore) RescheduleCall(
	ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		line, err := r.RescheduleTo(at, how, actor, now)
		if err != nil {
			return err
		}
		addLine(e, r, line)
		e.touchKind(store.CallsChanged)
		if record.IsPerson(actor) {
			addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.reschedule", Subject: id, Note: line.Note})
		}
		return planPrevious(e, *r, &at, "retry "+line.Event, actor, now)
	})
}

// CancelCall implements [store.CallStore].
func (s *PostgresStore) CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		if err := cancelCall(e, r, actor, now); err != nil {
			return err
		}
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.cancel", Subject: id})
		return nil
	})
}

// cancelCall cancels a scheduled call and clears the next attempt that its previous attempt reports.
func cancelCall(e *dbTx, r *record.CallRecord, actor string, now time.Time) (err error) {
	if r.Call, err = r.Call.CancelAt(now); err != nil {
		return err
	}
	addLine(e, r, call.TimelineEntry{At: now, Event: "cancelled", Actor: actor})
	e.touchKind(store.CallsChanged)
	return planPrevious(e, *r, nil, "retry cancelled", actor, now)
}

// planPrevious updates the next-attempt time that the previous attempt of r reports; nil when a user cancelled it. The
// link to r stays, since r stays.
func planPrevious(e *dbTx, r record.CallRecord, at *time.Time, event, actor string, now time.Time) error {
	if r.Call.Attempt.PreviousID == nil {
		return nil
	}
	before, found, err := calls.lockReadable(e, r.Call.OrgID, *r.Call.Attempt.PreviousID)
	if err != nil || !found {
		return err
	}
	after := before
	after.Call.Attempt.NextRetryAt = at
	addLine(e, &after, call.TimelineEntry{At: now, Event: event, Actor: actor})
	return saveCall(e, before, after)
}

// HangupCall implements [store.CallStore]. It is idempotent.
func (s *PostgresStore) HangupCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		isNew, err := r.RequestHangup(now)
		if err != nil {
			return err
		}
		e.touchKind(store.HangupsRequested)
		if !isNew {
			return nil
		}
		addLine(e, r, call.TimelineEntry{At: now, Event: "hangup", Actor: actor})
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "call.hangup", Subject: id})
		return nil
	})
}

// ReleaseCall implements [store.CallStore]. This appliance becomes the call's owner. It is refused while another
// appliance has a call of the organization to the same number on a line.
func (s *PostgresStore) ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) (err error) {
		if err := s.checkLease(e); err != nil {
			return err
		}
		if err := needOpenCampaign(e, r.Call); err != nil {
			return err
		}
		if r.Call, err = r.Call.ReleaseToLine(now); err != nil {
			return err
		}
		if err := needFreeNumber(e, r.Call); err != nil {
			return err
		}
		if err := needFreeLine(e, orgID); err != nil {
			return err
		}
		e.queueWrite("UPDATE calls SET owner = $3 WHERE org = $1 AND id = $2", orgID, id, e.appliance)
		addLine(e, r, call.TimelineEntry{At: now, Event: "released", Actor: record.ByScheduler})
		return nil
	})
}

// needFreeNumber refuses a call to a number that another appliance has on a line. Within an appliance the scheduler
// keeps calls to one number apart.
func needFreeNumber(e *dbTx, c call.Call) error {
	if err := lockName(e, "number", c.OrgID, c.PhoneNumber); err != nil {
		return err
	}
	taken, err := e.scanRow("SELECT 1 FROM calls WHERE org = $1 AND status IN ('dialing', 'in_progress') AND number = $2 "+
		"AND owner <> $3 LIMIT 1", []any{c.OrgID, c.PhoneNumber, e.appliance}, new(int))
	if err == nil && taken {
		return store.Errorf(store.CodeConflict, "another appliance has this number on a line")
	}
	return err
}

// needFreeLine refuses a call if the running calls of all appliances reach the organization's limit.
func needFreeLine(e *dbTx, orgID string) error {
	r, err := records.RulesOf(e, orgID)
	if err != nil || r.MaxConcurrent == 0 {
		return err
	}
	if err := lockName(e, "lines", orgID); err != nil {
		return err
	}
	var running int
	_, err = e.scanRow("SELECT count(*) FROM calls WHERE org = $1 AND status IN ('dialing', 'in_progress')",
		[]any{orgID}, &running)
	if err == nil && running >= r.MaxConcurrent {
		return store.Errorf(store.CodeConflict, "the organization has %d running calls, its maximum", running)
	}
	return err
}

// ReturnCall implements [store.CallStore].
func (s *PostgresStore) ReturnCall(
	ctx context.Context, orgID, id string, at time.Time, why string, now time.Time,
) (call.Call, error) {
	return s.changeOwnCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		if err := r.ReturnToSchedule(at); err != nil {
			return err
		}
		addLine(e, r, call.TimelineEntry{At: now, Event: "returned", Actor: record.ByDialler, Note: why})
		e.touchKind(store.CallsChanged)
		return nil
	})
}

// KeepRecordingSum implements [store.CallStore].
func (s *PostgresStore) KeepRecordingSum(ctx context.Context, orgID, id string, sum call.RecordingSum) error {
	_, err := s.changeCall(ctx, orgID, id, func(_ *dbTx, r *record.CallRecord) error {
		r.Call.KeepRecordingSum(sum)
		return nil
	})
	return err
}

// AnswerCall implements [store.CallStore].
func (s *PostgresStore) AnswerCall(
	ctx context.Context, orgID, id, recording string, now time.Time,
) (call.Call, error) {
	return s.changeOwnCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) (err error) {
		if r.Call, err = r.Call.MarkAnswered(now); err != nil {
			return err
		}
		r.Call.Recording = recording
		addLine(e, r, call.TimelineEntry{At: now, Event: "answered", Actor: record.ByDialler})
		return nil
	})
}
