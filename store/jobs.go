package store

import (
	"context"
	"encoding/json"
	"time"

	"munadi/store/job"
)

// JobStore are the transcription jobs; their way is drawn in package job. A job ended by somebody else is refused with
// CodeConflict wherever the table has no arrow.
type JobStore interface {
	// EnqueueJob adds a job as queued. CodeInvalid for one that is not, or whose id holds a '/', CodeConflict for an
	// id in use.
	EnqueueJob(ctx context.Context, j job.Job) error
	// ClaimJob begins the job that has waited longest, of whatever organization; false when none waits.
	ClaimJob(ctx context.Context, now time.Time) (job.Job, bool, error)
	// ReportJob records how far a running job is, 0..1. CodeNotFound without one, CodeConflict when it is not running.
	ReportJob(ctx context.Context, orgID, id string, progress float64) error
	// FinishJob ends a running job with its result (JSON, at most [MaxResult] bytes, else CodeTooLarge).
	FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error
	// FailJob ends a running job without a result.
	FailJob(ctx context.Context, orgID, id string, failure job.JobFailure, now time.Time) error
	// ReturnJob puts a running job back to the front of the queue, as if it had not been begun: its worker stops.
	ReturnJob(ctx context.Context, orgID, id string) error
	// FindJob finds one, result included. CodeNotFound without one.
	FindJob(ctx context.Context, orgID, id string) (job.Job, error)
	// JobsPage lists an organization's jobs, newest first, without their results. CodeInvalid for a limit beyond 1 to
	// 200, or a cursor of another list.
	JobsPage(ctx context.Context, orgID string, limit int, cursor string) (ListPage[job.Job], error)
	// RemoveJob forgets a job, whatever its status, and returns it as it was, without its result. CodeNotFound without
	// one. A worker that runs it gets CodeNotFound from then on.
	RemoveJob(ctx context.Context, orgID, id string) (job.Job, error)
	// DueCallbacks are the ended jobs whose callback is due, longest due first, without their results, and when the next
	// one is due that is not among them; zero for never. skip leaves jobs out; nil: none.
	DueCallbacks(
		ctx context.Context, skip func(orgID, id string) bool, now time.Time, limit int,
	) (due []job.Job, next time.Time, err error)
	// RecordCallback keeps a try that ended at now. CodeNotFound without the job, CodeConflict when none was owed.
	RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error
	// QueuedJobs counts the jobs that wait, over all organizations.
	QueuedJobs(ctx context.Context) (int, error)
	// RequeueRunning puts every running job back to the front of the queue, or fails those begun [job.MaxRuns]
	// times, and returns them. It is for the start, when nobody can be running any.
	RequeueRunning(ctx context.Context, now time.Time) ([]job.Job, error)
	// ExpireJobs forgets the jobs that ended [job.Keep] ago or earlier and returns them, so that the caller can
	// remove what was spooled for them.
	ExpireJobs(ctx context.Context, now time.Time) ([]job.Job, error)
}

// MaxResult is the size of a job's result at most, in bytes: some ten times what four hours of speech make.
const MaxResult = 24 << 20
