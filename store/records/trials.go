package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// BeginTrial implements [store.CallStore].
func (s *Records) BeginTrial(ctx context.Context, c call.Call, actor string) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		if err := tx.CheckLease(); err != nil {
			return err
		}
		if !c.Trial {
			return store.Errorf(store.CodeInvalid, "a trial is expected, not a call")
		}
		if err := bookCall(tx, record.CallRecord{Call: c}, actor); err != nil {
			return err
		}
		return addAudit(tx, c.OrgID, store.AuditEntry{
			At: c.CreatedAt, Actor: actor, Action: "trial.create", Subject: c.ID, Note: c.ScenarioID,
		})
	})
}

// EraseTrial implements [store.CallStore].
func (s *Records) EraseTrial(ctx context.Context, orgID, id, actor string, now time.Time) error {
	_, err := s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) error {
		switch {
		case !r.Call.Trial:
			return record.NoCall(id)
		case r.Call.ErasedAt != nil || r.Erase:
			return nil
		}
		if err := eraseTrial(tx, r, actor, now); err != nil {
			return err
		}
		return addAudit(tx, orgID, store.AuditEntry{At: now, Actor: actor, Action: "trial.erase", Subject: id})
	})
	return err
}

// eraseTrial empties an ended trial; one that runs is hung up, and emptied when it ends.
func eraseTrial(tx driver.Tx, r *record.CallRecord, actor string, now time.Time) error {
	if r.Call.Status.IsFinal() {
		return eraseEndedCall(tx, r, actor, now)
	}
	r.Erase = true
	if _, err := r.RequestHangup(now); err != nil {
		return err
	}
	tx.MarkUrgent()
	tx.Announce(store.HangupsRequested)
	return addLine(tx, r, call.TimelineEntry{At: now, Event: "hangup", Actor: actor})
}
