package records

import (
	"context"
	"errors"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// erasures are those that have begun and are not complete.
var erasures = declareKind[record.Erasure](driver.Table{
	Kind: "erasure", Name: "erasures", Key: []string{"org", "number"},
}, nil, nil)

// ErasePerson implements [store.CallStore]. It removes everything that holds the number: records, idempotency answers,
// webhook bodies, index entries. A running call continues, is emptied when it ends and gets no retry. The suppression
// list is kept, because an entry there protects the person. In the embedded database the erased bytes leave the disk
// when it is closed; in PostgreSQL they remain in dead row versions and in the write-ahead log until their space is
// used again.
func (s *Records) ErasePerson(
	ctx context.Context, orgID, number, actor string, now time.Time,
) (store.ErasureResult, error) {
	if !record.IsKeyPart(orgID) || !record.IsKeyPart(number) {
		return store.ErasureResult{}, ctx.Err()
	}
	return s.erasePerson(ctx, record.Erasure{OrgID: orgID, Number: number, Actor: actor, At: now}, false)
}

// ResumeErasures implements [store.CallStore].
func (s *Records) ResumeErasures(ctx context.Context, before time.Time) (recordings []string, err error) {
	begun, err := read(ctx, s, func(tx driver.Tx) ([]record.Erasure, error) { return erasures.list(tx, driver.Query{}) })
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
func (s *Records) erasePerson(ctx context.Context, r record.Erasure, begun bool) (store.ErasureResult, error) {
	var found personTraces
	var done store.ErasureResult
	var last, complete, ended bool
	err := s.db.Sweep(ctx, driver.Batch{
		Find: func(tx driver.Tx, most int) (more bool, err error) {
			if !ended {
				found, err = findTraces(tx, r, most)
				r.Names = found.names
				last = len(found.all) < most
			}
			return !ended, err
		},
		Change: func(tx driver.Tx, _ int) (n int, err error) {
			done, complete, err = eraseTraces(tx, r, begun, found, last)
			return 1, err
		},
		Done: func() { r.Done, begun, ended = done, true, complete },
	})
	return r.Done, err
}

// eraseTraces makes one transaction of an erasure and returns the counts of all so far; last completes it. It is
// complete, too, when another caller has completed it, and without the organization.
func eraseTraces(
	tx driver.Tx, r record.Erasure, begun bool, found personTraces, last bool,
) (done store.ErasureResult, complete bool, err error) {
	if err := lockOrganization(tx, r.OrgID); err != nil {
		return done, true, store.IgnoreMissing(err)
	}
	switch stored, known, err := erasures.find(tx, r.OrgID, r.Number); {
	case store.IsUnreadable(err): // the counts up to now are those that the caller knows
	case err != nil || begun && !known:
		return r.Done, true, err
	case known:
		r.Done = stored.Done
	}
	tx.OweCompaction()
	for _, erase := range found.all {
		if err := erase(tx, &r); err != nil {
			return r.Done, false, err
		}
	}
	if !last {
		return r.Done, false, erasures.put(tx, r, r.OrgID, r.Number)
	}
	r.Done.Unreadable = found.unreadable
	if err := erasures.remove(tx, r, r.OrgID, r.Number); err != nil {
		return r.Done, false, err
	}
	return r.Done, true, addAudit(tx, r.OrgID, r.AuditEntry())
}

// personTraces are records that hold a person's number, and how many may but cannot be read.
type personTraces struct {
	all        []personTrace
	names      []string // of the person
	unreadable int
}

// personTrace removes a person's number from a record that holds it, and counts what it did.
type personTrace func(tx driver.Tx, r *record.Erasure) error

// findTraces returns the first records of a person that are still to be erased, calls before mentions.
func findTraces(tx driver.Tx, r record.Erasure, most int) (found personTraces, err error) {
	r.Names = slices.Clone(r.Names)
	q := driver.Query{Index: callsByNumber, Equal: []any{r.OrgID, r.Number}}
	err = calls.visitAll(tx, q, func(row driver.Row, one record.CallRecord) (bool, error) {
		if row.Err != nil {
			found.unreadable++
		} else if !one.Erase {
			found.all = append(found.all, func(tx driver.Tx, r *record.Erasure) error { return eraseCall(tx, r, row.Key[1]) })
			if name := one.Call.PersonName(); name != "" && !slices.Contains(r.Names, name) {
				r.Names = append(r.Names, name)
			}
		}
		return len(found.all) < most, nil
	})
	if err == nil && len(found.all) < most {
		err = findMentions(tx, r, most, &found)
	}
	found.names = r.Names
	return found, err
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and marks a running one to be emptied when it
// ends.
func eraseCall(tx driver.Tx, r *record.Erasure, id string) error {
	before, err := calls.lock(tx, r.OrgID, id)
	if err != nil || before.Erase || before.Call.ErasedAt != nil {
		return err
	}
	after := before
	switch {
	case before.Call.Status.IsRunning():
		after.Erase = true
		r.Done.Running++
		return saveCall(tx, &before, after)
	case before.Call.Status == call.Scheduled:
		if err := cancelCall(tx, &after, r.Actor, r.At); err != nil {
			return err
		}
		r.Done.Cancelled++
	default:
		r.Done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		r.Done.Recordings = append(r.Done.Recordings, name)
	}
	if err := emptyCall(tx, &after, r.Actor, r.At); err != nil {
		return err
	}
	return saveCall(tx, &before, after)
}

// emptyCall removes all personal data from a call; times and outcome remain.
func emptyCall(tx driver.Tx, r *record.CallRecord, actor string, now time.Time) error {
	tx.OweCompaction()
	c := r.Call
	r.ErasePersonalData(now)
	if err := addLine(tx, r, call.TimelineEntry{At: now, Event: "erased", Actor: actor}); err != nil {
		return err
	}
	if r.Receipt != "" {
		if err := blankReceipt(tx, c.OrgID, r.Receipt); err != nil {
			return err
		}
	}
	if err := dropReplayResults(tx, c.OrgID, c.ID); err != nil {
		return err
	}
	if err := eraseEvents(tx, c.OrgID, c.ID, false); err != nil {
		return err
	}
	return eraseDeliveries(tx, c)
}

// eraseEndedCall empties a call that has just ended. Its recording is put on the removal list, because the caller that
// ends a call does not remove recordings.
func eraseEndedCall(tx driver.Tx, r *record.CallRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		row := driver.Row{Key: []string{r.Call.OrgID, r.Call.ID}, Raw: []byte(name)}
		if err := tx.Put(removedRecordings, nil, row); err != nil {
			return err
		}
	}
	return emptyCall(tx, r, actor, now)
}
