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
	Status     Status          `json:"status"`
	Progress   float64         `json:"progress"`             // 0..1, never falling while a run lasts
	Parameters json.RawMessage `json:"parameters,omitempty"` // what was asked for
	Input      string          `json:"input"`                // name of the spooled upload
	Result     json.RawMessage `json:"result,omitempty"`     // of a done job
	Failure    *Failure        `json:"failure,omitempty"`    // of a failed job
	Runs       int             `json:"runs"`                 // times it was begun
	CreatedAt  time.Time       `json:"created_at"`
	Behind     *time.Time      `json:"behind,omitempty"`      // it waits behind those of this time; nil: as created
	StartedAt  *time.Time      `json:"started_at,omitempty"`  // of the latest run
	FinishedAt *time.Time      `json:"finished_at,omitempty"` // when it ended, well or not
	Callback   *Callback       `json:"callback,omitempty"`    // nil: nobody is told of the end
}

// Failure says why there is no result.
type Failure struct {
	Code    string `json:"code"`    // stable, for programs
	Message string `json:"message"` // for people; safe to show
}

// interrupted is the failure of a job that was begun [MaxRuns] times and never ended.
func interrupted() Failure {
	return Failure{Code: "interrupted", Message: fmt.Sprintf("the service stopped %d times during this job", MaxRuns)}
}

// TransitionError is an event that the job's status does not allow.
type TransitionError struct {
	From  Status
	Event Event
}

// Error names both.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("a job that is %s allows no %s", e.From, e.Event)
}

// move follows the table by one arrow.
func (j Job) move(event Event) (Job, error) {
	next, ok := j.Status.After(event)
	if !ok {
		return j, &TransitionError{From: j.Status, Event: event}
	}
	j.Status = next
	return j, nil
}

// Claim is the job once a worker has begun it at now.
func (j Job) Claim(now time.Time) (Job, error) {
	j, err := j.move(Claim)
	if err != nil {
		return j, err
	}
	j.Runs++
	j.StartedAt = &now
	return j, nil
}

// Report is the job with its progress, held within 0..1 and never falling.
func (j Job) Report(progress float64) (Job, error) {
	j, err := j.move(Report)
	if err != nil {
		return j, err
	}
	if progress > j.Progress { // false for NaN too
		j.Progress = min(progress, 1)
	}
	return j, nil
}

// Finish is the job done with result at now.
func (j Job) Finish(result json.RawMessage, now time.Time) (Job, error) {
	j, err := j.move(Finish)
	if err != nil {
		return j, err
	}
	j.Progress, j.Result, j.FinishedAt = 1, result, &now
	return j.owe(now), nil
}

// Fail is the job ended at now without a result.
func (j Job) Fail(failure Failure, now time.Time) (Job, error) {
	j, err := j.move(Fail)
	if err != nil {
		return j, err
	}
	j.Failure, j.FinishedAt = &failure, &now
	return j.owe(now), nil
}

// Place is the time by which queued jobs are ordered.
func (j Job) Place() time.Time {
	if j.Behind != nil {
		return *j.Behind
	}
	return j.CreatedAt
}

// Interrupt is the job after its worker vanished: queued again from the beginning, behind all others, in case it was
// the job's doing; or failed after [MaxRuns].
func (j Job) Interrupt(now time.Time) (Job, error) {
	if j.Status == Running && j.Runs >= MaxRuns {
		return j.Fail(interrupted(), now)
	}
	j, err := j.move(Requeue)
	if err != nil {
		return j, err
	}
	j.Progress, j.StartedAt, j.Behind = 0, nil, &now
	return j, nil
}

// Return is the job given back by a worker that stops in an orderly way: queued again from the beginning, and as if it
// had never been begun, since the stop was not the job's doing.
func (j Job) Return() (Job, error) {
	j, err := j.move(Requeue)
	if err != nil {
		return j, err
	}
	j.Runs--
	j.Progress, j.StartedAt = 0, nil
	return j, nil
}

// Expired says whether an ended job has been kept long enough at now.
func (j Job) Expired(now time.Time) bool {
	return j.FinishedAt != nil && now.Sub(*j.FinishedAt) >= Keep
}
