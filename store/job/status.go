// Package job holds the transcription job: a recording too long for one request, its way through the engine and
// what came of it.
//
// It is a leaf of pure rules. It knows neither who runs jobs nor where they are kept; parameters and result are
// opaque JSON of the door that made them.
//
// A job's status moves along one table and nowhere else:
//
//	queued ─claim→ running ─finish→ done
//	               running ─fail→ failed
//	               running ─report→ running    (progress)
//	               running ─requeue→ queued    (the process that ran it is gone, or stops)
//
// A job interrupted [MaxRuns] times is failed instead of queued again, so that one that brings the process down
// cannot do so for ever. One that its worker gave back does not count as interrupted.
package job

// JobStatus is where a job stands.
type JobStatus string

// The statuses; the last two are final.
const (
	Queued  JobStatus = "queued"
	Running JobStatus = "running"
	Done    JobStatus = "done"
	Failed  JobStatus = "failed"
)

// AllStatuses lists every status.
func AllStatuses() []JobStatus { return []JobStatus{Queued, Running, Done, Failed} }

// IsFinal says whether nothing moves the job any more.
func (s JobStatus) IsFinal() bool { return s == Done || s == Failed }

// JobEvent is what happens to a job.
type JobEvent string

// The events.
const (
	Claim   JobEvent = "claim"   // a worker takes it
	Report  JobEvent = "report"  // the worker says how far it is
	Finish  JobEvent = "finish"  // the worker has the result
	Fail    JobEvent = "fail"    // there will be none
	Requeue JobEvent = "requeue" // the worker is gone, or gives it back
)

// AllEvents lists every event.
func AllEvents() []JobEvent { return []JobEvent{Claim, Report, Finish, Fail, Requeue} }

// NextStatus is the status that event leads to from s; false when the table has no such arrow.
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

// afterRunning is the part of the table for a running job.
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
