// Package job defines the asynchronous transcription job: its record, state machine, callback and result.
//
// It is a leaf package of pure rules without workers or database; parameters and result are opaque JSON of the HTTP
// handler that created the job.
//
// State machine of a job's status (the only allowed transitions):
//
//	queued ─claim→ running ─finish→ done
//	               running ─fail→ failed
//	               running ─report→ running    (progress)
//	               running ─requeue→ queued    (its worker crashed, or stops)
//
// A job interrupted [MaxRuns] times fails instead of being requeued (poison job). A job that its worker returned at a
// graceful shutdown does not count as interrupted.
package job

// JobStatus is the state of a job.
type JobStatus string

// States; the last two are final.
const (
	Queued  JobStatus = "queued"
	Running JobStatus = "running"
	Done    JobStatus = "done"
	Failed  JobStatus = "failed"
)

// AllStatuses lists every status.
func AllStatuses() []JobStatus { return []JobStatus{Queued, Running, Done, Failed} }

// IsFinal reports whether no transition leaves the status.
func (s JobStatus) IsFinal() bool { return s == Done || s == Failed }

// JobEvent is an event that moves a job to another state.
type JobEvent string

// Events.
const (
	Claim   JobEvent = "claim"   // a worker starts it
	Report  JobEvent = "report"  // the worker reports progress
	Finish  JobEvent = "finish"  // the worker delivers the result
	Fail    JobEvent = "fail"    // the worker gives up
	Requeue JobEvent = "requeue" // the worker crashed, or returns it
)

// AllEvents lists every event.
func AllEvents() []JobEvent { return []JobEvent{Claim, Report, Finish, Fail, Requeue} }

// NextStatus returns the status that event leads to from s; false when there is no such transition.
func (s JobStatus) NextStatus(event JobEvent) (JobStatus, bool) {
	switch s {
	case Queued:
		return Running, event == Claim
	case Running:
		return s.afterRunning(event)
	default:
		return s, false
	}
}

// afterRunning is the transition table of a running job.
func (JobStatus) afterRunning(event JobEvent) (JobStatus, bool) {
	switch event {
	case Report:
		return Running, true
	case Finish:
		return Done, true
	case Fail:
		return Failed, true
	case Requeue:
		return Queued, true
	default:
		return Running, false
	}
}
