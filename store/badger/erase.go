package badger

import (
	"context"
	"errors"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/record"
	"munadi/store/records"
)

// ErasePerson implements [store.CallStore]. It removes everything that holds the number: records, idempotency answers,
// webhook bodies, index entries. A running call continues, is emptied when it ends and gets no retry. The
// suppression list is kept, because an entry there protects the person. The erased bytes leave the disk when the
// database is closed, see [diskEraser].
func (s *BadgerStore) ErasePerson(
	ctx context.Context, orgID, phone, actor string, now time.Time,
) (store.ErasureResult, error) {
	if !isKeyPart(orgID) || !isKeyPart(phone) {
		return store.ErasureResult{}, ctx.Err()
	}
	return s.erasePerson(ctx, record.Erasure{OrgID: orgID, Number: phone, Actor: actor, At: now}, false)
}

// ResumeErasures implements [store.CallStore].
func (s *BadgerStore) ResumeErasures(ctx context.Context, before time.Time) (recordings []string, err error) {
	var begun []record.Erasure
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		begun, err = listRecords[record.Erasure](v, joinPrefix(kindErasure))
		return err
	})
	for _, r := range begun {
		if !r.At.Before(before) {
			continue
		}
		done, failed := s.erasePerson(ctx, r, true)
		recordings, err = append(recordings, done.Recordings...), errors.Join(err, failed)
	}
	return recordings, err
}

// erasePerson runs the transactions of an erasure that are left. begun means that some were made: it then ends without
// an audit entry when another caller has completed it.
func (s *BadgerStore) erasePerson(ctx context.Context, r record.Erasure, begun bool) (store.ErasureResult, error) {
	for most := sweepBatch; ; {
		var found personRecords
		err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
			found, err = v.findPerson(r, most)
			return err
		})
		if err != nil {
			return r.Done, err
		}
		done, last := r.Done, len(found.keys) < most
		err = s.updateTx(ctx, func(e writeTx) (err error) {
			e.markUrgent()
			done, err = e.eraseRecords(r, begun, found, last)
			return err
		})
		switch {
		case err == nil && last:
			return done, nil
		case err == nil:
			r.Done, begun = done, true
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		default:
			return r.Done, err
		}
	}
}

// eraseRecords makes one transaction of an erasure and returns the counts of all so far.
func (e writeTx) eraseRecords(
	r record.Erasure, begun bool, found personRecords, last bool,
) (store.ErasureResult, error) {
	stored, key := r, joinKey(kindErasure, r.OrgID, r.Number)
	switch known, err := e.getRecord(key, &stored); {
	case store.IsUnreadable(err): // the counts up to now are those that the caller knows
	case err != nil || begun && !known:
		return r.Done, err
	default:
		r.Done = stored.Done
	}
	e.oweCompaction()
	for _, k := range found.keys {
		if err := e.eraseRecord(&r, k); err != nil {
			return r.Done, err
		}
	}
	if !last {
		e.putRecord(key, r)
		return r.Done, nil
	}
	r.Done.Unreadable = found.unreadable
	e.deleteKey(key)
	if err := e.needOrganization(r.OrgID); err != nil {
		return r.Done, ignoreMissing(err)
	}
	return r.Done, e.addAudit(r.OrgID, r.AuditEntry())
}

// personRecords are the keys of records to be erased, and how many may be but cannot be read.
type personRecords struct {
	keys       [][]byte
	unreadable int
}

// findPerson returns the first records of a person that are still to be erased, calls before mentions.
func (v snapshotView) findPerson(r record.Erasure, most int) (found personRecords, err error) {
	e := writeTx{v, &changeSet{}}
	v.visitKeys(joinPrefix(kindCallTail, r.OrgID, reverseDigits(r.Number)), func(place string) bool {
		var one callRecord
		switch one, err = findCall(e, r.OrgID, lastPart(place)); {
		case store.IsUnreadable(err):
			found.unreadable, err = found.unreadable+1, nil
		case err == nil && !one.Erase:
			found.keys = append(found.keys, joinKey(kindCall, r.OrgID, one.Call.ID))
		}
		return err == nil && len(found.keys) < most
	})
	for _, key := range v.mentionKeys(r.OrgID) {
		if err != nil || len(found.keys) == most {
			break
		}
		var n int
		switch n, err = e.eraseMentions(r, key); {
		case store.IsUnreadable(err):
			found.unreadable, err = found.unreadable+1, nil
		case n > 0:
			found.keys = append(found.keys, key)
		}
	}
	return found, err
}

// mentionKeys returns the keys of the records outside calls that may hold a number of an organization's people. Users
// of [account.Default] see all organizations.
func (v snapshotView) mentionKeys(orgID string) [][]byte {
	keys := [][]byte{joinKey("bulk", orgID), joinKey("import-memory", orgID)}
	v.visitKeys(joinPrefix(kindCampaignSkipped, orgID), func(id string) bool {
		keys = append(keys, joinKey(kindCampaignSkipped, orgID, id))
		return true
	})
	for _, home := range slices.Compact([]string{orgID, account.Default}) {
		v.visitKeys(joinPrefix("user-of", home), func(id string) bool {
			keys = append(keys, joinKey("user", id))
			return true
		})
	}
	return keys
}

// eraseRecord erases the person in the record of a key that [snapshotView.findPerson] returned.
func (e writeTx) eraseRecord(r *record.Erasure, key []byte) error {
	if kind := splitKey(string(key), 2)[0]; kind == kindCall {
		return e.eraseCall(r, lastPart(string(key)))
	}
	n, err := e.eraseMentions(*r, key)
	r.Done.Mentions += n
	return err
}

// eraseMentions removes the number from a record outside calls, and returns how many times it was in there.
func (e writeTx) eraseMentions(r record.Erasure, key []byte) (int, error) {
	switch splitKey(string(key), 2)[0] {
	case kindCampaignSkipped:
		return eraseIn(e, key, r.WithoutSkippedRows)
	case "user":
		return eraseIn(e, key, r.WithoutViews)
	case "bulk":
		return eraseIn(e, key, r.WithoutBulkFilters)
	}
	return eraseIn(e, key, r.WithoutMappings)
}

func eraseIn[T any](e writeTx, key []byte, without func(T) (T, int)) (n int, _ error) {
	var kept T
	found, err := e.getRecord(key, &kept)
	if err != nil || !found {
		return 0, err
	}
	if kept, n = without(kept); n > 0 {
		e.putRecord(key, kept)
	}
	return n, nil
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and marks a running one to be emptied when it
// ends.
func (e writeTx) eraseCall(r *record.Erasure, id string) error {
	before, err := findCall(e, r.OrgID, id)
	if err != nil || before.Erase {
		return err
	}
	after := before
	switch {
	case before.Call.Status.IsRunning():
		after.Erase = true
		r.Done.Running++
		return e.saveCall(&before, after)
	case before.Call.Status == call.Scheduled:
		if err := e.cancelCall(&after, r.Actor, r.At); err != nil {
			return err
		}
		r.Done.Cancelled++
	default:
		r.Done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		r.Done.Recordings = append(r.Done.Recordings, name)
	}
	if err := e.emptyCall(&after, r.Actor, r.At); err != nil {
		return err
	}
	return e.saveCall(&before, after)
}

// emptyCall removes all personal data from a call; times and outcome remain.
func (e writeTx) emptyCall(r *callRecord, actor string, now time.Time) error {
	e.oweCompaction()
	c := r.Call
	(*record.CallRecord)(r).ErasePersonalData(now)
	e.addTimelineLine(r, call.TimelineEntry{At: now, Event: "erased", Actor: actor})
	if r.Receipt != "" {
		if err := e.blankReceipt(c.OrgID, r.Receipt); ignoreMissing(err) != nil {
			return err
		}
	}
	return records.EraseDeliveries(e, c)
}

// eraseEndedCall empties a call that has just ended. Its recording is put on the removal list, because the caller that
// ends a call does not remove recordings.
func (e writeTx) eraseEndedCall(r *callRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		e.putRaw(joinKey(kindSoundGone, r.Call.OrgID, r.Call.ID), []byte(name))
	}
	return e.emptyCall(r, actor, now)
}
