package store

import (
	"context"
	"encoding/json"
	"time"

	"munadi/store/job"
)

// JobStore is the queue of transcription jobs; package job defines their state machine. A transition that it does not
// allow, such as ending a job that another worker ended, is refused with CodeConflict.
type JobStore interface {
	// EnqueueJob adds a job in state queued, if the limits leave room; they hold for bookings at the same time, also of
	// several appliances. CodeInvalid for another state or an id that holds a '/', CodeConflict for an id in use, a
	// [*job.QueueFullError] without room.
	EnqueueJob(ctx context.Context, j job.Job, limits job.QueueLimits) error
	// ClaimJob starts a queued job; false when the queue is empty. Organizations take turns (round robin): first those
	// without a started job, then the one whose last job was started longest ago; within an organization, and among
	// equals, the oldest queued job.
	ClaimJob(ctx context.Context, now time.Time) (job.Job, bool, error)
	// ReportJob records the progress of a running job, 0..1. CodeNotFound without one, CodeConflict when it is not
	// running.
	ReportJob(ctx context.Context, orgID, id string, progress float64) error
	// FinishJob ends a running job with its result (JSON, at most [MaxResult] bytes, else CodeTooLarge).
	FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error
	// FailJob ends a running job without a result.
	FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error
	// ReturnJob requeues a running job at the front of the queue as if it had not started, because its worker stops.
	ReturnJob(ctx context.Context, orgID, id string) error
	// FindJob returns a job with its result. CodeNotFound without one.
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
	// JobsPage lists an organization's jobs, newest first, without their results. CodeInvalid for a limit outside 1 to
	// 200, or a cursor of another list.
	JobsPage(ctx context.Context, orgID string, limit int, cursor string) (ListPage[job.Job], error)
	// RemoveJob deletes a job in any state and returns it without its result. CodeNotFound without one. A worker that
	// still runs it gets CodeNotFound from then on.
	RemoveJob(ctx context.Context, orgID, id string) (job.Job, error)
	// DueCallbacks returns the ended jobs whose callback is due, oldest first, without their results, and the time at
	// which the next of the others is due; zero without one. Jobs for which skip returns true are omitted; skip may be
	// nil.
	DueCallbacks(
		ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
	) (due []job.Job, next time.Time, err error)
	// RecordCallback records a callback attempt that ended at now. CodeNotFound without the job, CodeConflict when it
	// has no pending callback.
	RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error
	// QueuedJobs returns the queue depth: of an organization, and over all organizations.
	QueuedJobs(ctx context.Context, orgID string) (own, all int, err error)
	// RequeueRunning is crash recovery at start, before any worker runs: it requeues every running job at the front of
	// the queue, fails those started [job.MaxRuns] times, and returns them.
	RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error)
	// ExpireJobs deletes the jobs that ended [job.Keep] ago or earlier and returns them, so that the caller can remove
	// their spooled files.
	ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error)
}

// MaxResult is the maximum size of a job's result in bytes: about ten times the result of four hours of speech.
const MaxResult = 24 << 20
