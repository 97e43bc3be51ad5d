package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store/record"
)

// ExpireRecordings implements [store.CallStore]. Recordings left by an erasure come first, regardless of their age.
func (s *PostgresStore) ExpireRecordings(
	ctx context.Context, orgID string, before time.Time, words bool, limit int,
) ([]string, error) {
	var names []string
	err := s.updateTx(ctx, func(e *dbTx) error {
		e.wrote = true
		rows, err := e.query("DELETE FROM removed_recordings WHERE (org, call) IN (SELECT org, call "+
			"FROM removed_recordings WHERE org = $1 LIMIT $2) RETURNING record", orgID, max(limit, 0))
		if err != nil {
			return err
		}
		gone, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		names = nil
		for _, name := range gone {
			names = append(names, string(name))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	expired, err := s.expireCalls(ctx, "sound", "recording expired", orgID, before, limit-len(names),
		func(r *record.CallRecord) string {
			name := r.Call.Recording
			r.Call.ForgetRecording()
			return name
		})
	names = append(names, expired...)
	if err == nil && words {
		_, err = s.ExpireWords(ctx, orgID, before, limit)
	}
	return names, err
}

// ExpireWords implements [store.CallStore].
func (s *PostgresStore) ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error) {
	expired, err := s.expireCalls(ctx, "worded", "words expired", orgID, before, limit,
		func(r *record.CallRecord) string {
			r.RemoveTexts()
			return r.Call.ID
		})
	return len(expired), err
}

// expireCalls changes the calls for which a column is true that ended before a time, at most limit, and returns the
// results of forget. event goes into their timelines.
func (s *PostgresStore) expireCalls(
	ctx context.Context, column, event, orgID string, before time.Time, limit int, forget func(*record.CallRecord) string,
) (all []string, err error) {
	for more := true; more && err == nil && len(all) < limit; {
		var batch []string
		most := min(sweepBatch, limit-len(all))
		err = s.updateTx(ctx, func(e *dbTx) error {
			batch = nil
			found, err := calls.listFirst(e, most, "WHERE org = $1 AND "+column+" AND ended < $2 ORDER BY ended, id FOR UPDATE",
				orgID, unixNanos(before))
			for _, old := range found {
				r := old
				batch = append(batch, forget(&r))
				addLine(e, &r, record.ExpiryLine(event, before))
				if err == nil {
					err = saveCall(e, old, r)
				}
			}
			return err
		})
		if err == nil {
			all = append(all, batch...)
		}
		more = len(batch) == most
	}
	return all, err
}
