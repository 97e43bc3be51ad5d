package badger

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/record"
)

// ErasePerson implements [store.CallStore]. It removes everything that holds the number: records, idempotency answers,
// webhook bodies, index entries. A running call continues, is emptied when it ends and gets no retry. The
// suppression list is kept, because an entry there protects the person. The erased bytes leave the disk when the
// database is closed, see [diskEraser].
func (s *BadgerStore) ErasePerson(
	ctx context.Context, orgID, phone, actor string, now time.Time,
) (store.ErasureResult, error) {
	s.eraser.markPending()
	var total, batch store.ErasureResult
	told := false
	if !isKeyPart(orgID) || !isKeyPart(phone) {
		return total, nil
	}
	err := sweepBatches(ctx, s, func(v snapshotView, most int) ([]string, error) { return callsTo(v, orgID, phone, most) },
		func(e writeTx, ids []string) error {
			batch = store.ErasureResult{}
			for _, id := range ids {
				if err := e.eraseCall(orgID, id, actor, now, &batch); err != nil {
					return err
				}
			}
			return e.auditErasure(orgID, phone, actor, now, batch)
		}, func(int) {
			told = true
			total.Calls += batch.Calls
			total.Cancelled += batch.Cancelled
			total.Recordings = append(total.Recordings, batch.Recordings...)
		})
	if err == nil {
		total.Unreadable, err = s.countUnreadableCalls(ctx, orgID, phone)
	}
	if err != nil || told && total.Unreadable == 0 {
		return total, err
	}
	return total, s.updateTx(
		ctx,
		func(e writeTx) error { e.markUrgent(); return e.auditErasure(orgID, phone, actor, now, total) },
	)
}

// auditErasure adds an audit entry for an erasure, also for one without effect: the request itself must be provable.
func (e writeTx) auditErasure(orgID, phone, actor string, now time.Time, done store.ErasureResult) error {
	if there, err := e.hasKey(joinKey(kindOrg, orgID)); err != nil || !there {
		return err
	}
	note := fmt.Sprintf("%d calls emptied, %d cancelled", done.Calls, done.Cancelled)
	if done.Unreadable > 0 {
		note += fmt.Sprintf(", %d cannot be read: the disk damaged them", done.Unreadable)
	}
	return e.addAudit(orgID, store.AuditEntry{
		At: now, Actor: actor, Action: "person.erase", Subject: call.MaskNumber(phone), Note: note,
	})
}

// countUnreadableCalls returns how many calls to a number cannot be read.
func (s *BadgerStore) countUnreadableCalls(ctx context.Context, orgID, phone string) (n int, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		n = 0
		v.visitKeys(joinPrefix(kindCallTail, orgID, reverseDigits(phone)), func(place string) bool {
			_, err = findCall(writeTx{v, &changeSet{}}, orgID, lastPart(place))
			if isUnreadable(err) {
				n++
			}
			err = ignoreMissing(err)
			return err == nil
		})
		return err
	})
	return n, err
}

// callsTo returns the first calls to a number that are still to be erased. Unreadable ones are passed over.
func callsTo(v snapshotView, orgID, phone string, most int) (ids []string, err error) {
	v.visitKeys(joinPrefix(kindCallTail, orgID, reverseDigits(phone)), func(place string) bool {
		var r callRecord
		if r, err = findCall(writeTx{v, &changeSet{}}, orgID, lastPart(place)); isUnreadable(err) {
			err = nil
			return true
		} else if err != nil {
			return false
		}
		if !r.Erase {
			ids = append(ids, r.Call.ID)
		}
		return len(ids) < most
	})
	return ids, err
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and marks a running one to be emptied when it
// ends.
func (e writeTx) eraseCall(orgID, id, actor string, now time.Time, done *store.ErasureResult) error {
	before, err := findCall(e, orgID, id)
	if err != nil || before.Erase {
		return err
	}
	after := before
	switch {
	case before.Call.Status.IsRunning():
		after.Erase = true
		return e.saveCall(&before, after)
	case before.Call.Status == call.Scheduled:
		if err := e.cancelCall(&after, actor, now); err != nil {
			return err
		}
		done.Cancelled++
	default:
		done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		done.Recordings = append(done.Recordings, name)
	}
	if err := e.emptyCall(&after, actor, now); err != nil {
		return err
	}
	return e.saveCall(&before, after)
}

// emptyCall removes all personal data from a call; times and outcome remain.
func (e writeTx) emptyCall(r *callRecord, actor string, now time.Time) error {
	(*record.CallRecord)(r).ErasePersonalData(now)
	c := r.Call
	e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "erased", Actor: actor})
	if r.Receipt != "" {
		if err := e.blankReceipt(c.OrgID, r.Receipt); ignoreMissing(err) != nil {
			return err
		}
	}
	return ignoreMissing(e.blankDelivery(c.OrgID, c.ID))
}

// eraseEndedCall empties a call that has just ended. Its recording is put on the removal list, because the caller that
// ends a call does not remove recordings.
func (e writeTx) eraseEndedCall(r *callRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		e.putRaw(joinKey(kindSoundGone, r.Call.OrgID, r.Call.ID), []byte(name))
	}
	return e.emptyCall(r, actor, now)
}

// blankDelivery removes the bodies from the attempts of a call's delivery.
func (e writeTx) blankDelivery(orgID, callID string) error {
	before, err := e.deliveryOf(orgID, callID)
	if err != nil || before == nil {
		return err
	}
	after := deliveryRecord(record.DeliveryRecord(*before).WithoutBodies())
	e.saveDelivery(before, after)
	return nil
}

// isErased reports whether a delivery belongs to a call whose person was erased. An unreadable call counts as erased,
// to be safe.
func (e writeTx) isErased(d delivery.Delivery) (bool, error) {
	if d.Kind != delivery.CallEnded {
		return false, nil
	}
	r, err := findCall(e, d.OrgID, d.CallID)
	if store.CodeOf(err) == store.CodeNotFound {
		return false, nil
	}
	if isUnreadable(err) {
		return true, nil
	}
	return r.Call.ErasedAt != nil, err
}
