package postgres

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/record"
)

var removedRecordings = tableOf[[]byte]{name: "removed_recordings", keys: []string{"org", "call"}}

// ErasePerson implements [store.CallStore]. A running call continues, is emptied when it ends and gets no retry. The
// suppression list is kept, because an entry there protects the person. Erased bytes remain on the disk until the
// database vacuums its tables.
func (s *PostgresStore) ErasePerson(
	ctx context.Context, orgID, phone, actor string, now time.Time,
) (total store.ErasureResult, err error) {
	if !record.IsKeyPart(orgID) || !record.IsKeyPart(phone) {
		return total, ctx.Err()
	}
	results, err := sweepBatches(ctx, s, func(e *dbTx) ([]store.ErasureResult, error) {
		found, err := calls.list(e, "WHERE org = $1 AND number = $2 AND NOT erase ORDER BY made, id LIMIT $3 FOR UPDATE",
			orgID, phone, sweepBatch)
		results := make([]store.ErasureResult, len(found))
		for i, before := range found {
			if err == nil {
				err = eraseCall(e, before, actor, now, &results[i])
			}
		}
		return results, err
	})
	for _, one := range results {
		total.Calls += one.Calls
		total.Cancelled += one.Cancelled
		total.Recordings = append(total.Recordings, one.Recordings...)
	}
	if err != nil {
		return total, err
	}
	return total, s.updateTx(ctx, func(e *dbTx) error { return auditErasure(e, orgID, phone, actor, now, total) })
}

// auditErasure adds an audit entry for an erasure, also for one that found nothing: the request must be provable.
func auditErasure(e *dbTx, orgID, phone, actor string, now time.Time, done store.ErasureResult) error {
	if _, found, err := organizations.find(e, orgID); err != nil || !found {
		return err
	}
	note := fmt.Sprintf("%d calls emptied, %d cancelled", done.Calls, done.Cancelled)
	addAudit(e, orgID, store.AuditEntry{
		At: now, Actor: actor, Action: "person.erase", Subject: call.MaskNumber(phone), Note: note,
	})
	return nil
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and marks a running one to be emptied when it
// ends.
func eraseCall(e *dbTx, before record.CallRecord, actor string, now time.Time, done *store.ErasureResult) error {
	// An earlier call of the batch may have changed this one: the attempt before a cancelled retry.
	before, _, err := calls.find(e, before.Call.OrgID, before.Call.ID)
	if err != nil {
		return err
	}
	after := before
	switch {
	case before.Call.Status.IsRunning():
		after.Erase = true
		return saveCall(e, before, after)
	case before.Call.Status == call.Scheduled:
		if err := cancelCall(e, &after, actor, now); err != nil {
			return err
		}
		done.Cancelled++
	default:
		done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		done.Recordings = append(done.Recordings, name)
	}
	if err := emptyCall(e, &after, actor, now); err != nil {
		return err
	}
	return saveCall(e, before, after)
}

// emptyCall removes all personal data from a call; times and outcome remain.
func emptyCall(e *dbTx, r *record.CallRecord, actor string, now time.Time) error {
	r.ErasePersonalData(now)
	addLine(e, r, call.TimelineEntry{At: now, Event: "erased", Actor: actor})
	if r.Receipt != "" {
		if err := blankReceipt(e, r.Call.OrgID, r.Receipt); err != nil {
			return err
		}
	}
	return blankDelivery(e, r.Call.OrgID, r.Call.ID)
}

// eraseEndedCall empties a call that has just ended. Its recording is put on the removal list, because the caller that
// ends a call does not remove recordings.
func eraseEndedCall(e *dbTx, r *record.CallRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		removedRecordings.put(e, []byte(name), r.Call.OrgID, r.Call.ID)
	}
	return emptyCall(e, r, actor, now)
}

// blankDelivery removes the bodies from the attempts of a call's delivery.
func blankDelivery(e *dbTx, orgID, callID string) error {
	r, found, err := deliveries.first(e, ofCall+" FOR UPDATE", orgID, callID)
	if err != nil || !found {
		return err
	}
	saveDelivery(e, r.WithoutBodies())
	return nil
}

// isErased reports whether a delivery belongs to a call whose person was erased.
func isErased(e *dbTx, d delivery.Delivery) (bool, error) {
	if d.Kind != delivery.CallEnded {
		return false, nil
	}
	r, _, err := calls.find(e, d.OrgID, d.CallID)
	return r.Call.ErasedAt != nil, err
}
