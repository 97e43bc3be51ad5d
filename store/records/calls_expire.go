package records

import (
	"context"
	"time"

	"munadi/store/driver"
	"munadi/store/record"
)

// removedRecordings are the names of recordings that an erasure has detached from calls, and that are to be deleted.
var removedRecordings = declareRaw(driver.Table{
	Kind: "sound-gone", Name: "removed_recordings", Key: []string{"org", "call"},
})

// ExpireRecordings implements [store.CallStore]. Recordings left by an erasure come first, regardless of their age.
func (s *Records) ExpireRecordings(
	ctx context.Context, orgID string, before time.Time, words bool, limit int,
) ([]string, error) {
	names, err := s.takeRemovedNames(ctx, orgID, limit)
	if err != nil {
		return nil, err
	}
	expired, err := s.expireCalls(ctx, callsWithSound, "recording expired", orgID, before, limit-len(names),
		func(_ driver.Tx, r *record.CallRecord) (string, error) {
			name := r.Call.Recording
			r.Call.ForgetRecording()
			return name, nil
		})
	names = append(names, expired...)
	if err == nil && words {
		_, err = s.ExpireWords(ctx, orgID, before, limit)
	}
	return names, err
}

// ExpireWords implements [store.CallStore].
func (s *Records) ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error) {
	expired, err := s.expireCalls(ctx, callsWithWords, "words expired", orgID, before, limit,
		func(tx driver.Tx, r *record.CallRecord) (string, error) {
			tx.OweCompaction()
			r.RemoveTexts()
			if err := dropReplayResults(tx, r.Call.OrgID, r.Call.ID); err != nil {
				return r.Call.ID, err
			}
			return r.Call.ID, eraseEvents(tx, r.Call.OrgID, r.Call.ID, false)
		})
	return len(expired), err
}

// expireCalls changes the calls of an index that ended before a time, at most limit, and returns the results of forget.
// event goes into their timelines.
func (s *Records) expireCalls(
	ctx context.Context, index *driver.Index, event, orgID string, before time.Time, limit int,
	forget func(driver.Tx, *record.CallRecord) (string, error),
) ([]string, error) {
	results, err := s.expirePart(ctx, index, event, orgID, before, limit, forget)
	if err != nil {
		return results, err
	}
	trials, err := s.expirePart(ctx, index, event, trialsOf(orgID), before, limit-len(results), forget)
	return append(results, trials...), err
}

// expirePart is expireCalls of the calls of an organization, or of its trials.
func (s *Records) expirePart(
	ctx context.Context, index *driver.Index, event, part string, before time.Time, limit int,
	forget func(driver.Tx, *record.CallRecord) (string, error),
) ([]string, error) {
	if limit <= 0 {
		return nil, nil
	}
	q := driver.Query{Index: index, Equal: []any{part}, Limit: limit, Where: []driver.Condition{
		{Column: "ended", Op: driver.Below, Value: record.UnixNanos(before)},
	}}
	return sweepKind(ctx, s.db, calls, q, func(
		tx driver.Tx, _ driver.Row, old record.CallRecord,
	) (result string, changed bool, err error) {
		r := old
		if result, err = forget(tx, &r); err != nil {
			return result, false, err
		}
		if err = addLine(tx, &r, record.ExpiryLine(event, before)); err == nil {
			err = saveCall(tx, &old, r)
		}
		return result, true, err
	})
}

// takeRemovedNames takes the names of detached recordings off their list.
func (s *Records) takeRemovedNames(ctx context.Context, orgID string, limit int) (names []string, err error) {
	if !record.IsKeyPart(orgID) || limit <= 0 {
		return nil, nil
	}
	q := driver.Query{Table: removedRecordings, Equal: []any{orgID}, Lock: true}
	var batch []string
	err = s.db.Sweep(ctx, driver.Batch{
		Change: func(tx driver.Tx, most int) (int, error) {
			batch = nil
			if q.Limit = min(most, limit-len(names)); q.Limit <= 0 {
				return 0, nil
			}
			err := tx.Scan(q, func(row driver.Row) (bool, error) {
				if row.Err != nil {
					return true, nil //nolint:nilerr // the driver has reported it
				}
				batch = append(batch, string(row.Raw))
				return true, tx.Delete(removedRecordings, row)
			})
			return len(batch), err
		},
		Done: func() { names = append(names, batch...) },
	})
	return names, err
}
