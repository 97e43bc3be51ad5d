package record

import (
	"time"

	"munadi/store"
	"munadi/store/call"
)

// NoCall returns the not-found error of a call.
func NoCall(id string) error { return store.Errorf(store.CodeNotFound, "there is no call %q", id) }

// RescheduleTo moves a scheduled call to another dial time and returns its line for the timeline.
func (r *CallRecord) RescheduleTo(
	at time.Time, how call.BookingOutcome, actor string, now time.Time,
) (line call.TimelineEntry, err error) {
	line = call.TimelineEntry{At: now, Event: "rescheduled", Actor: actor, Note: "to " + at.UTC().Format(time.RFC3339)}
	if how == call.Moved {
		line.Event = "moved"
		r.Call, err = r.Call.PostponeTo(at, now)
	} else {
		r.Call, err = r.Call.RescheduleTo(at, how)
	}
	return line, err
}

// RequestHangup asks the dialer to end a running call. It is idempotent: isNew is false for a repeated request.
func (r *CallRecord) RequestHangup(now time.Time) (isNew bool, err error) {
	if !r.Call.Status.IsRunning() {
		return false, store.Errorf(store.CodeConflict, "a call that is %s cannot be hung up", r.Call.Status)
	}
	if r.Call.HangupAt != nil {
		return false, nil
	}
	r.Call.HangupAt = &now
	return true, nil
}

// ReturnToSchedule requeues a call that the carrier did not accept, unless its person was erased meanwhile.
func (r *CallRecord) ReturnToSchedule(at time.Time) (err error) {
	if r.Erase {
		return store.Errorf(store.CodeConflict, "the person of this call was erased, so it is not dialled again")
	}
	r.Call, err = r.Call.ReturnToSchedule(at)
	return err
}

// EndLine returns the timeline line of a call's end: its status, and the reason of its failure.
func (r CallRecord) EndLine(event, actor string, now time.Time) call.TimelineEntry {
	note := string(r.Call.Status)
	if reason := call.ReasonOf(r.Call.Failure); reason != "" {
		note += ": " + string(reason)
	}
	return call.TimelineEntry{At: now, Event: event, Actor: actor, Note: note}
}

// ExpiryLine returns the timeline line for data that the retention limit removed from a call.
func ExpiryLine(event string, limit time.Time) call.TimelineEntry {
	return call.TimelineEntry{At: limit, Event: event, Actor: ByScheduler, Note: UntilThen}
}
