package record

import (
	"errors"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// CallRecord is the stored form of a call: without its messages, which have their own key so that lists stay cheap.
type CallRecord struct {
	Call    call.Call `json:"call"`
	Lines   uint64    `json:"lines"`             // length of its timeline
	Words   bool      `json:"words,omitempty"`   // messages are stored
	Receipt string    `json:"receipt,omitempty"` // key of its idempotency receipt
	Traced  bool      `json:"traced,omitempty"`  // its line trace is stored
	// Erase marks a running call whose person was erased: its content is removed when it ends.
	Erase bool `json:"erase,omitempty"`
	// Later is the call to or from the same person of a campaign that came after this one: a campaign's retry, a call of
	// the person, or a call-back. Empty: [call.AttemptChain] names it, or there is none. These links outlast an erasure.
	Later string `json:"later,omitempty"`
	// Earlier is the other end of Later; empty: the previous attempt.
	Earlier string `json:"decider,omitempty"`
	// Followed says that a call came after this one, of which an older version did not store which.
	Followed bool `json:"followed,omitempty"`
	// Superseded says that another call of the campaign reached the person, and decides instead of this one.
	Superseded bool `json:"superseded,omitempty"`
}

// HasWords reports whether the call holds any text: messages, report, response, notes, corrections, or its line trace.
func (r CallRecord) HasWords() bool {
	c := r.Call
	return r.Words || r.Traced || len(c.Report)+len(c.ResponseBody)+len(c.Notes)+len(c.Corrections) > 0
}

// RemoveTexts removes the texts, and the line trace.
func (r *CallRecord) RemoveTexts() {
	r.Call.RemoveTexts()
	r.Words, r.Traced = false, false
}

// ToConflict converts a transition or amendment that the call does not allow into a [store.CodeConflict] error.
func ToConflict(err error) error {
	var wrong *call.TransitionError
	var refused *call.AmendmentError
	if errors.As(err, &wrong) || errors.As(err, &refused) {
		return &store.Error{Code: store.CodeConflict, Message: err.Error(), Err: err}
	}
	return err
}

// CheckCall validates a call to be booked, or an inbound one to be received.
func CheckCall(c call.Call) error {
	a, inbound := c.Attempt, c.Way() == call.Inbound || c.Trial
	for _, rule := range []struct {
		broken bool
		say    string
	}{
		{!call.ValidID(c.ID) || call.IsTrialID(c.ID) != c.Trial, "its id must be call_, or trial_ of a trial, and a UUID"},
		{!inbound && c.Status != call.Scheduled, "its status must be scheduled"},
		{
			inbound && (c.Status != call.Dialing || a.Max > 1),
			"an inbound one and a trial must be ringing, and are never repeated",
		},
		{!IsKeyPart(c.PhoneNumber) && (!inbound || c.PhoneNumber != ""), "it needs a number, without '/'"},
		{!IsKeyPart(c.ScenarioID), "it needs a scenario, without '/'"},
		{c.CreatedAt.IsZero() || c.ScheduledAt.IsZero(), "it needs its creation and dial times"},
		{a.Number < 1 || a.Max < a.Number || a.Max > call.MaxAttempts, "its attempts must be 1 to 10"},
		{!IsKeyPart(a.ChainID), "it needs the id of its retry chain"},
		{a.NextID != nil || c.ReleasedAt != nil || c.EndedAt != nil, "it must not be released, ended or retried"},
	} {
		if rule.broken {
			return store.Errorf(store.CodeInvalid, "the call cannot be booked: %s", rule.say)
		}
	}
	return nil
}

// ErasePersonalData removes all personal data from a call; times and outcome remain.
func (r *CallRecord) ErasePersonalData(now time.Time) {
	c := &r.Call
	c.PhoneNumber, c.Variables, c.Metadata = "", nil, nil
	c.ForgetRecording()
	r.RemoveTexts()
	c.Errors, c.Need, c.Transfers = nil, nil, nil
	c.ErasedAt, r.Erase = &now, false
}

// UntilThen is the note of an expiry entry, whose time is the retention limit instead of the time of the expiry.
const UntilThen = "of what ended before this time"

// EarliestTime returns the earliest of the times that are not zero; zero without one.
func EarliestTime(times ...time.Time) (first time.Time) {
	for _, at := range times {
		if first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first
}

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
