// Package call holds one outbound call: what was booked, its way from the booking to its end, and what came of it.
//
// It is a leaf of pure rules. It knows neither who dials nor where calls are kept, and it reads no clock: whatever
// depends on time is told it. A call is one dial; a retry is a call of its own, linked by the attempt fields.
//
// A call's status moves along one table and nowhere else:
//
//	scheduled ─reschedule→ scheduled     (a person moves it, or closed hours do)
//	          ─cancel→     cancelled     (ends the retry chain, sends nothing)
//	          ─release→    dialing
//	          ─stop→       failed        (suppressed, blocked, over a limit, nothing to speak with)
//	dialing   ─answer→     in_progress
//	          ─fail→       no_answer | user_rejected | user_unavailable | automation | failed
//	          ─return→     scheduled     (the carrier took no calls, and no telephone rang)
//	in_progress ─complete→ completed
//	            ─fail→     user_rejected | user_unavailable | automation | failed
//
// A call found dialing or in progress after a crash is rescued: it fails with reason "interrupted", and its retry is
// planned as after any other failure. It is never dialled again blindly.
package call

// Status is where a call stands.
type Status string

// The statuses; all but the first three are final.
const (
	Scheduled       Status = "scheduled"
	Dialing         Status = "dialing"
	InProgress      Status = "in_progress"
	Completed       Status = "completed"
	NoAnswer        Status = "no_answer"
	UserRejected    Status = "user_rejected"
	UserUnavailable Status = "user_unavailable"
	Automation      Status = "automation"
	Failed          Status = "failed"
	Cancelled       Status = "cancelled"
)

// Statuses lists every status, in the order of a call's life.
func Statuses() []Status {
	return []Status{
		Scheduled, Dialing, InProgress, Completed, NoAnswer, UserRejected, UserUnavailable, Automation, Failed, Cancelled,
	}
}

// Final says whether nothing moves the call any more.
func (s Status) Final() bool { return s != Scheduled && s != Dialing && s != InProgress }

// Running says whether a line is held for the call.
func (s Status) Running() bool { return s == Dialing || s == InProgress }

// Event is what happens to a call.
type Event string

// The events.
const (
	Reschedule Event = "reschedule"
	Cancel     Event = "cancel"
	Release    Event = "release" // a line is free and the rules allow it
	Stop       Event = "stop"    // the rules forbid it for good
	Answer     Event = "answer"
	Complete   Event = "complete" // the customer was reached and the conversation ended
	Fail       Event = "fail"     // it ended without one
	Return     Event = "return"   // the carrier took no calls: it waits for its next turn
)

// Events lists every event.
func Events() []Event {
	return []Event{Reschedule, Cancel, Release, Stop, Answer, Complete, Fail, Return}
}

// after lists the statuses that each event may lead to from each status; what is not listed may not happen.
var after = map[Status]map[Event][]Status{
	Scheduled: {Reschedule: {Scheduled}, Cancel: {Cancelled}, Release: {Dialing}, Stop: {Failed}},
	Dialing: {
		Answer: {InProgress},
		Fail:   {NoAnswer, UserRejected, UserUnavailable, Automation, Failed},
		Return: {Scheduled},
	},
	InProgress: {
		Complete: {Completed},
		Fail:     {UserRejected, UserUnavailable, Automation, Failed},
	},
}

// After are the statuses that event may lead to from s; nil when the table has no such arrow.
func (s Status) After(event Event) []Status { return after[s][event] }
