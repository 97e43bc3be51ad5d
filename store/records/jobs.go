package records

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/job"
	"munadi/store/record"
)

var (
	jobsQueued = &driver.Index{
		Kind: "job-queue", Parts: []string{"queued", "org", "id"}, Queue: true,
		Only: []driver.Condition{{Column: "status", Value: string(job.Queued)}},
	}
	jobsRunning = &driver.Index{
		Kind: "job-running", Parts: []string{"org", "id"},
		Only: []driver.Condition{{Column: "status", Value: string(job.Running)}},
	}
	jobsEnded     = &driver.Index{Kind: "job-ended", Parts: []string{"ended", "org", "id"}}
	jobsByMaking  = &driver.Index{Kind: "job-made", Parts: []string{"org", "made", "id"}}
	jobsToCallOut = &driver.Index{Kind: "job-callback", Parts: []string{"callback", "org", "id"}, Queue: true}

	// jobs are without their results, so that reading a job stays cheap.
	jobs = declareKind(driver.Table{
		Kind: "job", Name: "jobs", Key: []string{"org", "id"},
		Columns: []string{"status", "made", "queued", "ended", "callback", "shared"},
		Numbers: []string{"made", "queued", "ended", "callback"},
		Indexes: []*driver.Index{jobsQueued, jobsRunning, jobsEnded, jobsByMaking, jobsToCallOut},
		Owned:   true, SharedBy: "shared",
	}, jobColumns, func(key []string) error {
		return store.Errorf(store.CodeNotFound, "there is no job %q", key[1])
	})

	jobResults = declareRaw(driver.Table{Kind: "job-result", Name: "job_results", Key: []string{"org", "job"}})

	// jobTurns hold when an organization's last job was started.
	jobTurns = &driver.Table{Kind: "job-served", Name: "job_turns", Key: []string{"org"}}
)

// jobColumns returns the columns of a job.
func jobColumns(j job.Job) []any {
	columns := []any{string(j.Status), record.UnixNanos(j.CreatedAt), record.UnixNanos(j.QueueTime()), nil, nil, j.Shared}
	if j.FinishedAt != nil {
		columns[3] = record.UnixNanos(*j.FinishedAt)
	}
	if j.HasPendingCallback() {
		columns[4] = record.UnixNanos(j.Callback.NextAt)
	}
	return columns
}

// EnqueueJob implements [store.JobStore].
func (s *Records) EnqueueJob(ctx context.Context, j job.Job, limits job.QueueLimits) error {
	if j.Status != job.Queued || !record.IsKeyPart(j.ID) || !record.IsKeyPart(j.OrgID) {
		return store.Errorf(store.CodeInvalid, "a new job must be queued, and its id must not contain '/'")
	}
	return s.db.Update(ctx, func(tx driver.Tx) error {
		if limits != (job.QueueLimits{}) {
			if err := tx.LockNames([]string{"job queue"}); err != nil {
				return err
			}
			own, all, err := countQueued(tx, j.OrgID)
			if err == nil {
				err = limits.CheckRoom(own, all)
			}
			if err != nil {
				return err
			}
		}
		return jobs.add(tx, j, "there is already a job \""+j.ID+"\"", j.OrgID, j.ID)
	})
}

// QueuedJobs implements [store.JobStore].
func (s *Records) QueuedJobs(ctx context.Context, orgID string) (own, all int, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		own, all, err = countQueued(tx, orgID)
		return err
	})
	return own, all, err
}

// countQueued returns the number of queued jobs of an organization, and of all.
func countQueued(tx driver.Tx, orgID string) (own, all int, err error) {
	queued, err := tx.Tally(driver.Query{Table: jobs.Table, Index: jobsQueued}, "org")
	for _, n := range queued {
		all += n
	}
	return queued[orgID], all, err
}

// ClaimJob implements [store.JobStore].
func (s *Records) ClaimJob(ctx context.Context, now time.Time) (claimed job.Job, found bool, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		var row driver.Row
		row, found, err = tx.Claim(driver.Query{Table: jobs.Table, Index: jobsQueued}, jobTurns, now)
		if err != nil || !found {
			return err
		}
		waiting, err := jobs.need(tx, row.Key...)
		if err != nil {
			return err
		}
		claimed, err = waiting.ClaimAt(now)
		return saveJob(tx, waiting, claimed, err)
	})
	return claimed, found && err == nil, err
}

// saveJob writes a job after a transition, if the transition was allowed; the result has its own key.
func saveJob(tx driver.Tx, before, after job.Job, refused error) error {
	if wrong, ok := errors.AsType[*job.TransitionError](refused); ok {
		return &store.Error{Code: store.CodeConflict, Message: wrong.Error(), Err: refused}
	}
	if refused == nil && after.Result != nil {
		refused = tx.Put(jobResults, nil, driver.Row{Key: []string{after.OrgID, after.ID}, Raw: after.Result})
		after.Result = nil
	}
	if refused != nil {
		return refused
	}
	if after.HasPendingCallback() {
		tx.Announce(store.CallbacksChanged)
	}
	if err := raiseJobEvent(tx, before, after); err != nil {
		return err
	}
	return jobs.replace(tx, before, after, after.OrgID, after.ID)
}

// changeJob applies a transition to an organization's job.
func (s *Records) changeJob(
	ctx context.Context, orgID, id string, lock driver.Lock, step func(job.Job) (job.Job, error),
) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		before, err := jobs.require(tx, lock, []string{orgID, id})
		if err != nil {
			return err
		}
		tx.MarkUrgent()
		after, err := step(before)
		return saveJob(tx, before, after, err)
	})
}

// ReportJob implements [store.JobStore].
func (s *Records) ReportJob(ctx context.Context, orgID, id string, progress float64) error {
	return s.changeJob(ctx, orgID, id, driver.RowLock, func(j job.Job) (job.Job, error) {
		return j.ReportProgress(progress)
	})
}

// FinishJob implements [store.JobStore].
func (s *Records) FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error {
	if len(result) > store.MaxResult {
		return store.Errorf(store.CodeTooLarge,
			"the result has %d bytes, at most %d are accepted", len(result), store.MaxResult)
	}
	return s.changeJob(ctx, orgID, id, driver.RowLock, func(j job.Job) (job.Job, error) {
		return j.FinishWith(result, now)
	})
}

// FailJob implements [store.JobStore].
func (s *Records) FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error {
	return s.changeJob(ctx, orgID, id, driver.OwnLock, func(j job.Job) (job.Job, error) {
		return j.FailWith(failure, now)
	})
}

// ReturnJob implements [store.JobStore].
func (s *Records) ReturnJob(ctx context.Context, orgID, id string) error {
	return s.changeJob(ctx, orgID, id, driver.OwnLock, job.Job.ReturnToQueue)
}

// RecordCallback implements [store.JobStore].
func (s *Records) RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error {
	return s.changeJob(ctx, orgID, id, driver.RowLock, func(j job.Job) (job.Job, error) {
		return j.RecordCallback(try, now)
	})
}

// FindJob implements [store.JobStore].
func (s *Records) FindJob(ctx context.Context, orgID, id string) (j job.Job, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		if j, err = jobs.need(tx, orgID, id); err == nil {
			j.Result, _, err = tx.Get(jobResults, []string{orgID, id}, driver.NoLock)
		}
		return err
	})
	return j, err
}

// JobsPage implements [store.JobStore].
func (s *Records) JobsPage(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[job.Job], error) {
	return read(ctx, s, func(tx driver.Tx) (store.ListPage[job.Job], error) {
		q := driver.Query{Index: jobsByMaking, Equal: []any{orgID}, Latest: true}
		return jobs.page(tx, q, []string{"jobs", orgID}, limit, cursor)
	})
}

// RemoveJob implements [store.JobStore].
func (s *Records) RemoveJob(ctx context.Context, orgID, id string) (removed job.Job, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		if removed, err = jobs.lock(tx, orgID, id); err != nil {
			return err
		}
		tx.MarkUrgent()
		return dropJob(tx, removed, false)
	})
	return removed, err
}

// dropJob deletes a job, its result, and the bodies of its events; expired means that those still to be sent stay, if
// they were sent before.
func dropJob(tx driver.Tx, j job.Job, expired bool) error {
	tx.OweCompaction()
	return errors.Join(
		eraseEvents(tx, j.OrgID, j.ID, expired),
		jobs.remove(tx, j, j.OrgID, j.ID), tx.Delete(jobResults, driver.Row{Key: []string{j.OrgID, j.ID}}))
}

// DueCallbacks implements [store.JobStore], for the jobs that this appliance owns.
func (s *Records) DueCallbacks(
	ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
) (due []job.Job, next time.Time, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		due, next = nil, time.Time{}
		q := driver.Query{Index: jobsToCallOut, Owner: driver.ThisOwner}
		return jobs.visit(tx, q, func(_ driver.Row, j job.Job) (bool, error) {
			if skip != nil && skip(j.OrgID, j.ID) {
				return true, nil
			}
			if len(due) == max(limit, 0) || j.Callback.NextAt.After(now) {
				next = j.Callback.NextAt
				return false, nil
			}
			due = append(due, j)
			return true, nil
		})
	})
	return due, next, err
}

// RequeueRunning implements [store.JobStore], for the jobs that this appliance owns.
func (s *Records) RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error) {
	q := driver.Query{Index: jobsRunning, Owner: driver.ThisOwner, SkipLocked: true}
	return jobs.sweep(ctx, s.db, q, requeueAt(now))
}

// RequeueDead requeues the running jobs of dead appliances whose uploads this appliance can reach.
func (s *Records) RequeueDead(ctx context.Context, now time.Time) ([]job.Job, error) {
	q := driver.Query{Index: jobsRunning, Owner: driver.DeadOwner, SkipLocked: true, Where: []driver.Condition{
		{Column: jobs.SharedBy, Value: true},
	}}
	return jobs.sweep(ctx, s.db, q, requeueAt(now))
}

// requeueAt returns the change of a job whose worker is gone.
func requeueAt(now time.Time) func(driver.Tx, job.Job) (job.Job, error) {
	return func(tx driver.Tx, before job.Job) (job.Job, error) {
		after, err := before.InterruptAt(now)
		return after, saveJob(tx, before, after, err)
	}
}

// ExpireJobs implements [store.JobStore]: of the jobs of this appliance, whose files are local, and a day later those
// of other appliances that did not remove them.
func (s *Records) ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error) {
	drop := func(tx driver.Tx, j job.Job) (job.Job, error) { return j, dropJob(tx, j, true) }
	ended := func(before time.Time) driver.Query {
		return driver.Query{Index: jobsEnded, Where: []driver.Condition{
			{Column: "ended", Value: record.UnixNanos(before), Op: driver.AtMost},
		}}
	}
	own := ended(now.Add(-job.Keep))
	own.Owner = driver.ThisOwner
	expired, err := jobs.sweep(ctx, s.db, own, drop)
	if err != nil {
		return expired, err
	}
	others, err := jobs.sweep(ctx, s.db, ended(now.Add(-2*job.Keep)), drop)
	return append(expired, others...), err
}
