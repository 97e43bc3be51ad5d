package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/job"
)

// JobsPage implements [store.JobStore].
func (s *PostgresStore) JobsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[job.Job], error) {
	return newestPage(ctx, s, jobs, []string{"jobs", orgID}, limit, cursor, orgID, nil)
}

// newestPage returns a page of an organization's records of a table, by creation and id, newest first. complete, if
// any, reads what a record lacks.
func newestPage[T any](
	ctx context.Context, s *PostgresStore, t tableOf[T], list []string, limit int, cursor, orgID string,
	complete func(*dbTx, *T) error,
) (store.ListPage[T], error) {
	return readPage(ctx, s, list, limit, cursor, func(e *dbTx, place string, rows int) (pagedRows[T], error) {
		sql, args := "SELECT "+t.selected()+", made, id FROM "+t.name+" WHERE org = $1 AND (made, id) < ($2, $3) "+
			"ORDER BY made DESC, id DESC LIMIT $4", []any{orgID}
		before := splitPlace(place, 1)
		if before == nil {
			before = []any{maxRank, ""}
		}
		found, err := readPlaces[T](e, t.name, sql, append(append(args, before...), rows)...)
		for i := range found.records {
			if err == nil && complete != nil {
				err = complete(e, &found.records[i])
			}
		}
		return found, err
	})
}

// DueCallbacks implements [store.JobStore] for the jobs that this appliance owns.
func (s *PostgresStore) DueCallbacks(
	ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
) (due []job.Job, next time.Time, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		const owed = "WHERE callback IS NOT NULL AND owner = $1 ORDER BY callback, org, id"
		all, err := jobs.listFirst(e, max(limit, 0)+maxInFlight+1, owed, e.appliance)
		for _, j := range all {
			if skip != nil && skip(j.OrgID, j.ID) {
				continue
			}
			if len(due) == max(limit, 0) || j.Callback.NextAt.After(now) {
				next = j.Callback.NextAt
				break
			}
			due = append(due, j)
		}
		return err
	})
	return due, next, err
}

// maxInFlight is the maximum number of rows that a worker has in flight and skips.
const maxInFlight = 512

// QueuedJobs implements [store.Store].
func (s *PostgresStore) QueuedJobs(ctx context.Context, orgID string) (own, all int, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		own, all, err = countQueued(e, orgID)
		return err
	})
	return own, all, err
}

// countQueued returns the number of queued jobs of an organization, and of all.
func countQueued(e *dbTx, orgID string) (own, all int, err error) {
	_, err = e.scanRow("SELECT count(*) FILTER (WHERE org = $1), count(*) FROM jobs WHERE status = 'queued'",
		[]any{orgID}, &own, &all)
	return own, all, err
}

// RequeueRunning implements [store.Store] for the jobs that this appliance owns.
func (s *PostgresStore) RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error) {
	return s.requeueJobs(ctx, now, "owner = $1", s.appliance)
}

// requeueJobs requeues the running jobs that meet a condition on their owner (its arguments are args).
func (s *PostgresStore) requeueJobs(
	ctx context.Context, now time.Time, whose string, args ...any,
) ([]job.Job, error) {
	return sweepBatches(ctx, s, func(e *dbTx) ([]job.Job, error) {
		running, err := jobs.listFirst(e, sweepBatch,
			"WHERE status = 'running' AND "+whose+" ORDER BY org, id FOR UPDATE SKIP LOCKED", args...)
		for i, j := range running {
			if err == nil {
				running[i], err = j.InterruptAt(now)
				saveJob(e, running[i])
			}
		}
		return running, err
	})
}

// ExpireJobs implements [store.Store]: the jobs of this appliance, whose files are local, and a day later those of
// other appliances that did not remove them.
func (s *PostgresStore) ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error) {
	return sweepBatches(ctx, s, func(e *dbTx) ([]job.Job, error) {
		expired, err := jobs.listFirst(e, sweepBatch,
			"WHERE ended <= $1 AND (owner = $2 OR ended <= $3) ORDER BY ended FOR UPDATE",
			unixNanos(now.Add(-job.Keep)), e.appliance, unixNanos(now.Add(-2*job.Keep)))
		for _, j := range expired {
			dropJob(e, j)
		}
		return expired, err
	})
}

// sweepBatch is the number of records in one transaction of a sweep, small so that other transactions are not delayed.
const sweepBatch = 200

// sweepBatches processes records in transactions of at most [sweepBatch] until one has fewer, and returns all of them.
func sweepBatches[T any](ctx context.Context, s *PostgresStore, treat func(*dbTx) ([]T, error)) ([]T, error) {
	var all []T
	for {
		var batch []T
		err := s.updateTx(ctx, func(e *dbTx) (err error) {
			batch, err = treat(e)
			return err
		})
		if err != nil {
			return all, err
		}
		all = append(all, batch...)
		if len(batch) < sweepBatch {
			return all, nil
		}
	}
}
