package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"munadi/store"
	"munadi/store/job"
	"munadi/store/record"
)

var (
	jobs = tableOf[job.Job]{
		name: "jobs", keys: []string{"org", "id"}, owned: true,
		others: []string{"status", "made", "queued", "ended", "callback", "shared"},
		derive: func(j job.Job) []any {
			var callback any
			if j.HasPendingCallback() {
				callback = unixNanos(j.Callback.NextAt)
			}
			return []any{
				string(j.Status), unixNanos(j.CreatedAt), unixNanos(j.QueueTime()), optionalNanos(j.FinishedAt), callback,
				j.Shared,
			}
		},
	}
	jobResults = tableOf[[]byte]{name: "job_results", keys: []string{"org", "job"}}
)

// noJob returns the not-found error of a job.
func noJob(id string) error { return store.Errorf(store.CodeNotFound, "there is no job %q", id) }

// saveJob writes a changed job; its result is in a separate row, so that reading a job stays cheap.
func saveJob(e *dbTx, j job.Job) {
	if j.Result != nil {
		jobResults.put(e, j.Result, j.OrgID, j.ID)
		j.Result = nil
	}
	jobs.put(e, j, j.OrgID, j.ID)
	if j.HasPendingCallback() {
		e.touchKind(store.CallbacksChanged)
	}
}

// dropJob deletes a job and its result.
func dropJob(e *dbTx, j job.Job) {
	jobs.remove(e, j.OrgID, j.ID)
	jobResults.remove(e, j.OrgID, j.ID)
}

// EnqueueJob implements [store.Store].
func (s *PostgresStore) EnqueueJob(ctx context.Context, j job.Job, limits job.QueueLimits) error {
	if j.Status != job.Queued || !record.IsKeyPart(j.ID) || !record.IsKeyPart(j.OrgID) {
		return store.Errorf(store.CodeInvalid, "a new job must be queued, and its id must not contain '/'")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := needQueueRoom(e, j.OrgID, limits); err != nil {
			return err
		}
		added, err := jobs.add(e, j, j.OrgID, j.ID)
		return needAdded(added, err, "there is already a job %q", j.ID)
	})
}

// needQueueRoom refuses a job beyond the limits. Enqueuing transactions with limits run one after the other.
func needQueueRoom(e *dbTx, orgID string, limits job.QueueLimits) error {
	if limits == (job.QueueLimits{}) {
		return nil
	}
	if err := lockName(e, "job queue"); err != nil {
		return err
	}
	own, all, err := countQueued(e, orgID)
	if err != nil {
		return err
	}
	return limits.CheckRoom(own, all)
}

// ClaimJob implements [store.Store]: the next job that no other worker is claiming, among this appliance's own, whose
// files are local, and those whose uploads are in its shared bucket. Organizations take turns.
func (s *PostgresStore) ClaimJob(ctx context.Context, now time.Time) (claimed job.Job, found bool, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		var waiting job.Job
		next, err := jobs.listFirst(e, 1, "j WHERE status = 'queued' AND (owner = $1 OR shared AND $2) ORDER BY coalesce("+
			"(SELECT t.served FROM job_turns t WHERE t.org = j.org), -1), queued, org, id FOR UPDATE SKIP LOCKED",
			e.appliance, s.sharesUploads)
		if found = len(next) > 0; err != nil || !found {
			return err
		}
		waiting = next[0]
		if err = s.checkLease(e); err != nil {
			return err
		}
		e.queueWrite("INSERT INTO job_turns (org, served) VALUES ($1, $2) ON CONFLICT (org) DO UPDATE SET served = $2",
			waiting.OrgID, unixNanos(now))
		if claimed, err = waiting.ClaimAt(now); err == nil {
			saveJob(e, claimed)
			e.queueWrite("UPDATE jobs SET owner = $1 WHERE org = $2 AND id = $3", e.appliance, claimed.OrgID, claimed.ID)
		}
		return err
	})
	return claimed, found && err == nil, err
}

// ReportJob implements [store.Store].
func (s *PostgresStore) ReportJob(ctx context.Context, orgID, id string, progress float64) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.ReportProgress(progress) })
}

// FinishJob implements [store.Store].
func (s *PostgresStore) FinishJob(
	ctx context.Context, orgID, id string, result json.RawMessage, now time.Time,
) error {
	if len(result) > store.MaxResult {
		return store.Errorf(store.CodeTooLarge,
			"the result has %d bytes, at most %d are accepted", len(result), store.MaxResult)
	}
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.FinishWith(result, now) })
}

// FailJob implements [store.Store].
func (s *PostgresStore) FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error {
	return s.changeOwnJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.FailWith(failure, now) })
}

// ReturnJob implements [store.Store].
func (s *PostgresStore) ReturnJob(ctx context.Context, orgID, id string) error {
	return s.changeOwnJob(ctx, orgID, id, job.Job.ReturnToQueue)
}

// RecordCallback implements [store.JobStore].
func (s *PostgresStore) RecordCallback(
	ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time,
) error {
	return s.changeJob(ctx, orgID, id, func(j job.Job) (job.Job, error) { return j.RecordCallback(try, now) })
}

// changeJob applies one state transition to an organization's job.
func (s *PostgresStore) changeJob(
	ctx context.Context, orgID, id string, step func(job.Job) (job.Job, error),
) error {
	return s.changeLockedJob(ctx, orgID, id, lockIn[job.Job], step)
}

// changeOwnJob is [PostgresStore.changeJob] for a job that this appliance owns, so that an appliance cannot end a run
// that another has taken over.
func (s *PostgresStore) changeOwnJob(
	ctx context.Context, orgID, id string, step func(job.Job) (job.Job, error),
) error {
	return s.changeLockedJob(ctx, orgID, id, lockOwn[job.Job], step)
}

func (s *PostgresStore) changeLockedJob(
	ctx context.Context, orgID, id string, lock rowLock[job.Job], step func(job.Job) (job.Job, error),
) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		before, err := lock(e, jobs, noJob(id), orgID, id)
		if err != nil {
			return err
		}
		after, err := step(before)
		var wrong *job.TransitionError
		if errors.As(err, &wrong) {
			return &store.Error{Code: store.CodeConflict, Message: wrong.Error(), Err: err}
		}
		if err == nil {
			saveJob(e, after)
		}
		return err
	})
}

// FindJob implements [store.Store].
func (s *PostgresStore) FindJob(ctx context.Context, orgID, id string) (j job.Job, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		if j, err = findIn(e, jobs, noJob(id), orgID, id); err != nil {
			return err
		}
		result, found, err := jobResults.find(e, orgID, id)
		if found {
			j.Result = result
		}
		return err
	})
	return j, err
}

// RemoveJob implements [store.JobStore].
func (s *PostgresStore) RemoveJob(ctx context.Context, orgID, id string) (removed job.Job, err error) {
	err = s.updateTx(ctx, func(e *dbTx) (err error) {
		if removed, err = lockIn(e, jobs, noJob(id), orgID, id); err == nil {
			dropJob(e, removed)
		}
		return err
	})
	return removed, err
}
