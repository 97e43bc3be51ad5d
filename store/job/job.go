package job

import (
	"encoding/json"
	"fmt"
	"time"
)

// Keep is how long an ended job is kept for its client to fetch.
const Keep = 24 * time.Hour

// MaxRuns is how often a job is begun at most. It is there for the file that takes the process down with it; a job that
// only happened to run when the power went must not be given up for that, so the number is no small one.
const MaxRuns = 10

// Job is one recording to be transcribed, for one organization.
type Job struct {
	ID         string          `json:"id"` // unique within the organization, without '/'
	OrgID      string          `json:"org_id"`
	Status     JobStatus       `json:"status"`
	Progress   float64         `json:"progress"`             // 0..1, never falling while a run lasts
	Parameters json.RawMessage `json:"parameters,omitempty"` // what was asked for
	Input      string          `json:"input"`                // name of the spooled upload
	Result     json.RawMessage `json:"result,omitempty"`     // of a done job
	Failure    *JobFailure     `json:"failure,omitempty"`    // of a failed job
	Runs       int             `json:"runs"`                 // times it was begun
	CreatedAt  time.Time       `json:"created_at"`
	Behind     *time.Time      `json:"behind,omitempty"`      // it waits behind those of this time; nil: as created
	StartedAt  *time.Time      `json:"started_at,omitempty"`  // of the latest run
	FinishedAt *time.Time      `json:"finished_at,omitempty"` // when it ended, well or not
	Callback   *JobCallback    `json:"callback,omitempty"`    // nil: nobody is told of the end
}

// JobFailure says why there is no result.
type JobFailure struct {
	Code    string `json:"code"`    // stable, for programs
	Message string `json:"message"` // for people; safe to show
}

// interruptedFailure is the failure of a job that was begun [MaxRuns] times and never ended.
func interruptedFailure() JobFailure {
	return JobFailure{Code: "interrupted", Message: fmt.Sprintf("the service stopped %d times during this job", MaxRuns)}
}

// TransitionError is an event that the job's status does not allow.
type TransitionError struct {
	From  JobStatus
	Event JobEvent
}

// Error names both.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("a job that is %s allows no %s", e.From, e.Event)
}

// moveBy follows the table by one arrow.
func (j Job) moveBy(event JobEvent) (Job, error) {
	next, ok := j.Status.NextStatus(event)
	if !ok {
		return j, &TransitionError{From: j.Status, Event: event}
	}
	j.Status = next
	return j, nil
}

// ClaimAt is the job once a worker has begun it at now.
func (j Job) ClaimAt(now time.Time) (Job, error) {
	j, err := j.moveBy(Claim)
	if err != nil {
		return j, err
	}
	j.Runs++
	j.StartedAt = &now
	return j, nil
}

// ReportProgress is the job with its progress, held within 0..1 and never falling.
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

// FinishWith is the job done with result at now.
func (j Job) FinishWith(result json.RawMessage, now time.Time) (Job, error) {
	j, err := j.moveBy(Finish)
	if err != nil {
		return j, err
	}
	j.Progress, j.Result, j.FinishedAt = 1, result, &now
	return j.oweCallback(now), nil
}

// FailWith is the job ended at now without a result.
func (j Job) FailWith(failure JobFailure, now time.Time) (Job, error) {
	j, err := j.moveBy(Fail)
	if err != nil {
		return j, err
	}
	j.Failure, j.FinishedAt = &failure, &now
	return j.oweCallback(now), nil
}

// QueueTime is the time by which queued jobs are ordered.
func (j Job) QueueTime() time.Time {
	if j.Behind != nil {
		return *j.Behind
	}
	return j.CreatedAt
}

// InterruptAt is the job after its worker vanished: queued again from the beginning, behind all others, in case it was
// the job's doing; or failed after [MaxRuns].
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

// ReturnToQueue is the job given back by a worker that stops in an orderly way: queued again from the beginning, and as if it
// had never been begun, since the stop was not the job's doing.
func (j Job) ReturnToQueue() (Job, error) {
	j, err := j.moveBy(Requeue)
	if err != nil {
		return j, err
	}
	j.Runs--
	j.Progress, j.StartedAt = 0, nil
	return j, nil
}

// IsExpired says whether an ended job has been kept long enough at now.
func (j Job) IsExpired(now time.Time) bool {
	return j.FinishedAt != nil && now.Sub(*j.FinishedAt) >= Keep
}
