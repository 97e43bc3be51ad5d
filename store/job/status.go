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

// Status is where a job stands.
type Status string

// The statuses; the last two are final.
const (
	Queued  Status = "queued"
	Running Status = "running"
	Done    Status = "done"
	Failed  Status = "failed"
)

// Statuses lists every status.
func Statuses() []Status { return []Status{Queued, Running, Done, Failed} }

// Final says whether nothing moves the job any more.
func (s Status) Final() bool { return s == Done || s == Failed }

// Event is what happens to a job.
type Event string

// The events.
const (
	Claim   Event = "claim"   // a worker takes it
	Report  Event = "report"  // the worker says how far it is
	Finish  Event = "finish"  // the worker has the result
	Fail    Event = "fail"    // there will be none
	Requeue Event = "requeue" // the worker is gone, or gives it back
)

// Events lists every event.
func Events() []Event { return []Event{Claim, Report, Finish, Fail, Requeue} }

// After is the status that event leads to from s; false when the table has no such arrow.
func (s Status) After(event Event) (Status, bool) {
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
func (Status) afterRunning(event Event) (Status, bool) {
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
