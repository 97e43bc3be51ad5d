package job

import (
	"encoding/json"
	"fmt"
	"time"
)

// Keep is how long an ended job is kept for its client to fetch.
const Keep = 24 * time.Hour

// MaxRuns limits how often a job is started. It stops poison jobs, whose file crashes the process; it is not small,
// because a job that was running during power failures must not be given up.
const MaxRuns = 10

// Job is one transcription job of an organization.
type Job struct {
	ID         string          `json:"id"` // unique within the organization, without '/'
	OrgID      string          `json:"org_id"`
	Status     JobStatus       `json:"status"`
	Progress   float64         `json:"progress"`             // 0..1, monotonic during a run
	Parameters json.RawMessage `json:"parameters,omitempty"` // of the request
	Input      string          `json:"input"`                // name of the spooled upload
	Shared     bool            `json:"shared,omitempty"`     // it is in a bucket, so that any appliance may run the job
	Result     json.RawMessage `json:"result,omitempty"`     // of a done job
	Failure    *JobFailure     `json:"failure,omitempty"`    // of a failed job
	Runs       int             `json:"runs"`                 // times started
	CreatedAt  time.Time       `json:"created_at"`
	Behind     *time.Time      `json:"behind,omitempty"`      // queue time after an interruption; nil: CreatedAt
	StartedAt  *time.Time      `json:"started_at,omitempty"`  // of the latest run
	FinishedAt *time.Time      `json:"finished_at,omitempty"` // when it ended, done or failed
	Callback   *JobCallback    `json:"callback,omitempty"`    // nil: no callback
}

// JobFailure is why there is no result.
type JobFailure struct {
	Code    string `json:"code"`    // stable, for programs
	Message string `json:"message"` // for people; safe to show
}

// interruptedFailure is the failure of a job that was interrupted [MaxRuns] times.
func interruptedFailure() JobFailure {
	return JobFailure{Code: "interrupted", Message: fmt.Sprintf("the service stopped %d times during this job", MaxRuns)}
}

// TransitionError is an event that the state machine does not allow in the job's status.
type TransitionError struct {
	From  JobStatus
	Event JobEvent
}

// Error names status and event.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("a job that is %s does not allow %s", e.From, e.Event)
}

// moveBy applies one transition.
func (j Job) moveBy(event JobEvent) (Job, error) {
	next, ok := j.Status.NextStatus(event)
	if !ok {
		return j, &TransitionError{From: j.Status, Event: event}
	}
	j.Status = next
	return j, nil
}

// ClaimAt returns the job after a worker started it at now.
func (j Job) ClaimAt(now time.Time) (Job, error) {
	j, err := j.moveBy(Claim)
	if err != nil {
		return j, err
	}
	j.Runs++
	j.StartedAt = &now
	return j, nil
}

// ReportProgress returns the job with its progress, clamped to 0..1 and never falling.
func (j Job) ReportProgress(progress float64) (Job, error) {
	j, err := j.moveBy(Report)
	if err != nil {
		return j, err
	}
	if progress > j.Progress { // false for NaN too
		j.Progress = min(progress, 1)
	}
	return j, nil
}

// FinishWith returns the job done with result at now.
func (j Job) FinishWith(result json.RawMessage, now time.Time) (Job, error) {
	j, err := j.moveBy(Finish)
	if err != nil {
		return j, err
	}
	j.Progress, j.Result, j.FinishedAt = 1, result, &now
	return j.withPendingCallback(now), nil
}

// FailWith returns the job failed at now.
func (j Job) FailWith(failure JobFailure, now time.Time) (Job, error) {
	j, err := j.moveBy(Fail)
	if err != nil {
		return j, err
	}
	j.Failure, j.FinishedAt = &failure, &now
	return j.withPendingCallback(now), nil
}

// QueueTime returns the sort key of queued jobs.
func (j Job) QueueTime() time.Time {
	if j.Behind != nil {
		return *j.Behind
	}
	return j.CreatedAt
}

// InterruptAt returns the job after its worker crashed: requeued behind all others, in case the job caused the crash;
// or failed after [MaxRuns].
func (j Job) InterruptAt(now time.Time) (Job, error) {
	if j.Status == Running && j.Runs >= MaxRuns {
		return j.FailWith(interruptedFailure(), now)
	}
	j, err := j.moveBy(Requeue)
	if err != nil {
		return j, err
	}
	j.Progress, j.StartedAt, j.Behind = 0, nil, &now
	return j, nil
}

// ReturnToQueue returns the job after a graceful shutdown of its worker: requeued as if it had never started, since the
// stop was not caused by the job.
func (j Job) ReturnToQueue() (Job, error) {
	j, err := j.moveBy(Requeue)
	if err != nil {
		return j, err
	}
	j.Runs--
	j.Progress, j.StartedAt = 0, nil
	return j, nil
}

// QueueLimits are the maximum numbers of queued jobs; 0 is no limit.
type QueueLimits struct {
	All   int // over all organizations
	Share int // of one organization
}

// QueueFullError means that the limit of queued jobs is reached.
type QueueFullError struct {
	Own    int  // jobs of the organization that are queued
	OfAll  bool // the limit over all organizations is reached, else that of the organization
	Queued int  // jobs of all organizations that are queued
}

// Error says which limit is reached.
func (e *QueueFullError) Error() string {
	if e.OfAll {
		return fmt.Sprintf("%d jobs are queued, the maximum over all organizations", e.Queued)
	}
	return fmt.Sprintf("the organization has %d queued jobs, its maximum", e.Own)
}

// CheckRoom returns a [*QueueFullError] unless one more job may be queued, given the queued jobs of its organization
// and of all.
func (l QueueLimits) CheckRoom(own, all int) error {
	switch {
	case l.All > 0 && all >= l.All:
		return &QueueFullError{Own: own, OfAll: true, Queued: all}
	case l.Share > 0 && own >= l.Share:
		return &QueueFullError{Own: own, Queued: all}
	}
	return nil
}
