package postgres

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
	"munadi/store/records"
)

var (
	removedRecordings = plainTable[[]byte]("removed_recordings", "org", "call")
	erasures          = plainTable[record.Erasure]("erasures", "org", "number")
)

// ErasePerson implements [store.CallStore]. A running call continues, is emptied when it ends and gets no retry. The
// suppression list is kept, because an entry there protects the person. Erased bytes remain in dead row versions and in
// the write-ahead log until the database reuses their space.
func (s *PostgresStore) ErasePerson(
	ctx context.Context, orgID, phone, actor string, now time.Time,
) (store.ErasureResult, error) {
	if !record.IsKeyPart(orgID) || !record.IsKeyPart(phone) {
		return store.ErasureResult{}, ctx.Err()
	}
	return s.erasePerson(ctx, record.Erasure{OrgID: orgID, Number: phone, Actor: actor, At: now}, false)
}

// ResumeErasures implements [store.CallStore].
func (s *PostgresStore) ResumeErasures(ctx context.Context, before time.Time) (recordings []string, err error) {
	var begun []record.Erasure
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		begun, err = erasures.list(e, "ORDER BY org, number")
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
func (s *PostgresStore) erasePerson(
	ctx context.Context, r record.Erasure, begun bool,
) (store.ErasureResult, error) {
	from := erasureProgress{begun: begun}
	for {
		var to erasureProgress
		err := s.updateTx(ctx, func(e *dbTx) (err error) {
			to, err = eraseRecords(e, r, from)
			return err
		})
		if store.CodeOf(err) == store.CodeNotFound { // the organization
			return store.ErasureResult{}, nil
		}
		if err != nil || to.complete {
			return to.done, err
		}
		from = to
	}
}

// erasureProgress is how far a caller has come with an erasure.
type erasureProgress struct {
	begun, complete bool
	done            store.ErasureResult
	unreadable      int   // calls
	made            int64 // place of the last call
	id              string
}

// eraseRecords makes one transaction of an erasure.
func eraseRecords(e *dbTx, r record.Erasure, from erasureProgress) (to erasureProgress, err error) {
	to = from
	if err := lockOrganization(e, r.OrgID); err != nil {
		return to, err
	}
	stored, known, err := erasures.find(e, r.OrgID, r.Number)
	if err != nil || from.begun && !known {
		to.complete = true
		return to, err
	}
	r.Done, to.begun = stored.Done, true
	found, err := to.nextCalls(e, r)
	for _, before := range found {
		if err == nil {
			err = eraseCall(e, before, &r)
		}
	}
	if err == nil && to.complete {
		err = eraseMentions(e, &r)
	}
	if err != nil {
		return from, err
	}
	if to.complete {
		r.Done.Unreadable += to.unreadable
		erasures.remove(e, r.OrgID, r.Number)
		addAudit(e, r.OrgID, r.AuditEntry())
	} else {
		erasures.put(e, r, r.OrgID, r.Number)
	}
	to.done = r.Done
	return to, nil
}

// nextCalls locks and returns the next calls of a person; unreadable ones are counted.
func (p *erasureProgress) nextCalls(e *dbTx, r record.Erasure) (found []record.CallRecord, err error) {
	rows, err := e.query("SELECT made, id, record FROM calls WHERE org = $1 AND number = $2 AND NOT erase "+
		"AND (made, id) > ($3, $4) ORDER BY made, id LIMIT $5 FOR UPDATE", r.OrgID, r.Number, p.made, p.id, sweepBatch)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var raw []byte
		var one record.CallRecord
		if err := rows.Scan(&p.made, &p.id, &raw); err != nil {
			return nil, err
		}
		if e.decodeReported("call/"+r.OrgID+"/"+p.id, raw, &one) != nil {
			p.unreadable++
			continue
		}
		found = append(found, one)
	}
	p.complete = n < sweepBatch
	return found, rows.Err()
}

// eraseMentions removes the number from the records outside calls.
func eraseMentions(e *dbTx, r *record.Erasure) error {
	return cmp.Or(eraseIn(e, campaignSkipped, r, r.WithoutSkippedRows, r.OrgID), records.EraseMentions(e, r))
}

// eraseIn removes a number from the records of organizations in a table. Unreadable records are counted.
func eraseIn[T any](
	e *dbTx, t tableOf[T], r *record.Erasure, without func(T) (T, int), orgIDs ...string,
) error {
	rows, err := e.query("SELECT "+strings.Join(t.keys, ", ")+", record FROM "+t.name+
		" WHERE org = ANY ($1) FOR UPDATE", orgIDs)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		var kept T
		key, raw := values[:len(t.keys)], values[len(t.keys)].([]byte)
		if decodeRecord(raw, &kept) != nil {
			r.Done.Unreadable++
			continue
		}
		kept, n := without(kept)
		if n > 0 {
			t.put(e, kept, key...)
		}
		r.Done.Mentions += n
	}
	return rows.Err()
}

// eraseCall empties an ended call, cancels and empties a scheduled one, and marks a running one to be emptied when it
// ends.
func eraseCall(e *dbTx, before record.CallRecord, r *record.Erasure) error {
	// An earlier call of the batch may have changed this one: the attempt before a cancelled retry.
	before, _, err := calls.find(e, before.Call.OrgID, before.Call.ID)
	if err != nil {
		return err
	}
	after := before
	switch {
	case before.Call.Status.IsRunning():
		after.Erase = true
		r.Done.Running++
		return saveCall(e, before, after)
	case before.Call.Status == call.Scheduled:
		if err := cancelCall(e, &after, r.Actor, r.At); err != nil {
			return err
		}
		r.Done.Cancelled++
	default:
		r.Done.Calls++
	}
	if name := before.Call.Recording; name != "" {
		r.Done.Recordings = append(r.Done.Recordings, name)
	}
	if err := emptyCall(e, &after, r.Actor, r.At); err != nil {
		return err
	}
	return saveCall(e, before, after)
}

// emptyCall removes all personal data from a call; times and outcome remain.
func emptyCall(e *dbTx, r *record.CallRecord, actor string, now time.Time) error {
	c := r.Call
	r.ErasePersonalData(now)
	addLine(e, r, call.TimelineEntry{At: now, Event: "erased", Actor: actor})
	if r.Receipt != "" {
		if err := blankReceipt(e, c.OrgID, r.Receipt); err != nil {
			return err
		}
	}
	return records.EraseDeliveries(e, c)
}

// eraseEndedCall empties a call that has just ended. Its recording is put on the removal list, because the caller that
// ends a call does not remove recordings.
func eraseEndedCall(e *dbTx, r *record.CallRecord, actor string, now time.Time) error {
	if name := r.Call.Recording; name != "" {
		removedRecordings.put(e, []byte(name), r.Call.OrgID, r.Call.ID)
	}
	return emptyCall(e, r, actor, now)
}
