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

// CallStatus is where a call stands.
type CallStatus string

// The statuses; all but the first three are final.
const (
	Scheduled       CallStatus = "scheduled"
	Dialing         CallStatus = "dialing"
	InProgress      CallStatus = "in_progress"
	Completed       CallStatus = "completed"
	NoAnswer        CallStatus = "no_answer"
	UserRejected    CallStatus = "user_rejected"
	UserUnavailable CallStatus = "user_unavailable"
	Automation      CallStatus = "automation"
	Failed          CallStatus = "failed"
	Cancelled       CallStatus = "cancelled"
)

// AllStatuses lists every status, in the order of a call's life.
func AllStatuses() []CallStatus {
	return []CallStatus{
		Scheduled, Dialing, InProgress, Completed, NoAnswer, UserRejected, UserUnavailable, Automation, Failed, Cancelled,
	}
}

// IsFinal says whether nothing moves the call any more.
func (s CallStatus) IsFinal() bool { return s != Scheduled && s != Dialing && s != InProgress }

// IsRunning says whether a line is held for the call.
func (s CallStatus) IsRunning() bool { return s == Dialing || s == InProgress }

// CallEvent is what happens to a call.
type CallEvent string

// The events.
const (
	Reschedule CallEvent = "reschedule"
	Cancel     CallEvent = "cancel"
	Release    CallEvent = "release" // a line is free and the rules allow it
	Stop       CallEvent = "stop"    // the rules forbid it for good
	Answer     CallEvent = "answer"
	Complete   CallEvent = "complete" // the customer was reached and the conversation ended
	Fail       CallEvent = "fail"     // it ended without one
	Return     CallEvent = "return"   // the carrier took no calls: it waits for its next turn
)

// AllEvents lists every event.
func AllEvents() []CallEvent {
	return []CallEvent{Reschedule, Cancel, Release, Stop, Answer, Complete, Fail, Return}
}

// after lists the statuses that each event may lead to from each status; what is not listed may not happen.
var after = map[CallStatus]map[CallEvent][]CallStatus{
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

// NextStatuses are the statuses that event may lead to from s; nil when the table has no such arrow.
func (s CallStatus) NextStatuses(event CallEvent) []CallStatus { return after[s][event] }
