// Package call defines the outbound call, and the inbound one, which begins as dialing (it rings here): its record,
// state machine, retry chain and outcome.
//
// It is a leaf package of pure rules without dialer, database or clock: methods that depend on time take it as an
// argument. A call is one dial attempt; a retry is a call of its own, linked by the attempt fields.
//
// State machine of a call's status (the only allowed transitions):
//
//	scheduled ─reschedule→ scheduled     (by a user, or because of closed calling hours)
//	          ─cancel→     cancelled     (ends the retry chain, sends nothing)
//	          ─release→    dialing
//	          ─stop→       failed        (suppressed, blocked, over a limit, no voice)
//	dialing   ─answer→     in_progress
//	          ─fail→       no_answer | user_rejected | user_unavailable | automation | failed
//	          ─return→     scheduled     (the carrier accepts no calls, and no telephone rang)
//	in_progress ─complete→ completed
//	            ─fail→     user_rejected | user_unavailable | automation | failed
//
// Crash recovery: a call found dialing or in progress after a crash fails with reason "interrupted", and is retried as
// after any other failure. It is never redialled without a new attempt.
package call

// CallStatus is the state of a call.
type CallStatus string

// States; all but the first three are final.
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

// AllStatuses lists every status, in the order of a call's lifecycle.
func AllStatuses() []CallStatus {
	return []CallStatus{
		Scheduled, Dialing, InProgress, Completed, NoAnswer, UserRejected, UserUnavailable, Automation, Failed, Cancelled,
	}
}

// IsFinal reports whether no transition leaves the status.
func (s CallStatus) IsFinal() bool { return s != Scheduled && s != Dialing && s != InProgress }

// IsRunning reports whether the call occupies a line.
func (s CallStatus) IsRunning() bool { return s == Dialing || s == InProgress }

// CallEvent is an event that moves a call to another state.
type CallEvent string

// Events.
const (
	Reschedule CallEvent = "reschedule"
	Cancel     CallEvent = "cancel"
	Release    CallEvent = "release" // a line is free and the rules allow the call
	Stop       CallEvent = "stop"    // the rules forbid the call permanently
	Answer     CallEvent = "answer"
	Complete   CallEvent = "complete" // the customer was reached and the conversation ended
	Fail       CallEvent = "fail"     // it ended without a conversation
	Return     CallEvent = "return"   // the carrier accepts no calls: requeue
)

// AllEvents lists every event.
func AllEvents() []CallEvent {
	return []CallEvent{Reschedule, Cancel, Release, Stop, Answer, Complete, Fail, Return}
}

// after is the transition table: the statuses that each event may lead to from each status.
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

// NextStatuses returns the statuses that event may lead to from s; nil when the transition table has none.
func (s CallStatus) NextStatuses(event CallEvent) []CallStatus { return after[s][event] }
