package badger

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// ErasePerson implements [store.Calls]. What knows the number is all taken: records, answers to bookings, bodies of
// notifications, the number's indexes. A call that runs goes on and is emptied when it ends; no retry follows it. The
// suppression list is left alone: an entry there is the person's protection. Erased bytes leave the disk when the
// database compacts its files.
func (s *Store) ErasePerson(
	ctx context.Context, orgID, phone, actor string, now time.Time,
) (store.Erased, error) {
	var total, batch store.Erased
	told := false
	if !plain(orgID) || !plain(phone) {
		return total, nil
	}
	err := sweep(ctx, s, func(v view, most int) ([]string, error) { return callsTo(v, orgID, phone, most) },
		func(e edit, ids []string) error {
			batch = store.Erased{}
			for _, id := range ids {
				if err := e.eraseCall(orgID, id, actor, now, &batch); err != nil {
					return err
				}
			}
			return e.tellErasure(orgID, phone, actor, now, batch)
		}, func(int) {
			told = true
			total.Calls += batch.Calls
			total.Cancelled += batch.Cancelled
			total.Recordings = append(total.Recordings, batch.Recordings...)
		})
	if err != nil || told {
		return total, err
	}
	return total, s.edit(ctx, func(e edit) error { e.urge(); return e.tellErasure(orgID, phone, actor, now, total) })
}

// tellErasure adds an erasure to the audit trail, one that found nothing too: that it was asked for must be provable.
func (e edit) tellErasure(orgID, phone, actor string, now time.Time, done store.Erased) error {
	if there, err := e.has(key(kindOrg, orgID)); err != nil || !there {
		return err
	}
	note := fmt.Sprintf("%d calls emptied, %d cancelled", done.Calls, done.Cancelled)
	return e.audit(orgID, store.Change{
		At: now, Actor: actor, Action: "person.erase", Subject: call.Mask(phone), Note: note,
	})
}

// callsTo are the first calls to a number that are still to be erased.
func callsTo(v view, orgID, phone string, most int) (ids []string, err error) {
	v.keys(prefix(kindCallNumber, orgID, phone), func(place string) bool {
		var r callRecord
		if r, err = findCall(edit{v, &changes{}}, orgID, lastPart(place)); err != nil {
			return false
		}
		if !r.Erase {
			ids = append(ids, r.Call.ID)
		}
		return len(ids) < most
	})
	return ids, err
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and has a running one emptied when it ends.
func (e edit) eraseCall(orgID, id, actor string, now time.Time, done *store.Erased) error {
	before, err := findCall(e, orgID, id)
	if err != nil || before.Erase {
		return err
	}
	after := before
	switch {
	case before.Call.Status.Running():
		after.Erase = true
		return e.saveCall(&before, after)
	case before.Call.Status == call.Scheduled:
		if err := e.cancel(&after, actor, now); err != nil {
			return err
		}
		done.Cancelled++
	default:
		done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		done.Recordings = append(done.Recordings, name)
	}
	if err := e.empty(&after, actor, now); err != nil {
		return err
	}
	return e.saveCall(&before, after)
}

// empty leaves of a call what concerns no person: when it was made and how it ended.
func (e edit) empty(r *callRecord, actor string, now time.Time) error {
	c := &r.Call
	c.PhoneNumber, c.Variables, c.Metadata, c.Recording = "", nil, nil, ""
	c.Messages, c.Errors, c.Report, c.ResponseBody = nil, nil, nil, nil
	c.ErasedAt, r.Words, r.Erase = &now, false, false
	e.line(r, now, "erased", actor, "")
	if r.Receipt != "" {
		if err := e.blankReceipt(c.OrgID, r.Receipt); err != nil {
			return err
		}
	}
	return e.blankDelivery(c.OrgID, c.ID)
}

// emptyAtLast empties a call that has just ended. Its recording is noted as one to be removed, since whoever ends a
// call does not expect that.
func (e edit) emptyAtLast(r *callRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		e.raw(key(kindSoundGone, r.Call.OrgID, r.Call.ID), []byte(name))
	}
	return e.empty(r, actor, now)
}

// blankDelivery takes the bodies out of the tries of a call's delivery.
func (e edit) blankDelivery(orgID, callID string) error {
	before, err := e.deliveryOf(orgID, callID)
	if err != nil || before == nil {
		return err
	}
	after := *before
	after.Delivery.Tries, after.Delivery.Body = nil, nil
	for _, t := range before.Delivery.Tries {
		t.Request, t.Response = "", ""
		after.Delivery.Tries = append(after.Delivery.Tries, t)
	}
	e.saveDelivery(before, after)
	return nil
}

// erased says whether a delivery tells of a call whose person was erased.
func (e edit) erased(d delivery.Delivery) (bool, error) {
	if d.Kind != delivery.CallEnded {
		return false, nil
	}
	r, err := findCall(e, d.OrgID, d.CallID)
	if store.CodeOf(err) == store.CodeNotFound {
		return false, nil
	}
	return r.Call.ErasedAt != nil, err
}
