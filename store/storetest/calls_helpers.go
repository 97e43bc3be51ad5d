package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// asked is the actor of these tests.
const asked = "key:test"

// soundFile is the name of the recordings of these tests.
const soundFile = "bakery/sound.wav"

// number is the telephone number of these tests.
const number = "+966500000001"

// newCall returns a call without a previous attempt; it is created and due at [startTime] plus after.
func newCall(orgID string, after time.Duration) call.Call {
	id := call.NewID()
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "order", Booking: call.Booked,
		Variables: map[string]any{"name": "سارة"}, Metadata: map[string]string{"ref": "7"},
		CreatedAt: startTime().Add(after), ScheduledAt: startTime().Add(after),
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}
}

// newRetriedCall is [newCall] with a retry plan of several attempts, a minute apart.
func newRetriedCall(orgID string, after time.Duration, attempts int) call.Call {
	c := newCall(orgID, after)
	c.Attempt.Max = attempts
	c.Attempt.Plan = call.RetryPlan{MaxAttempts: attempts, DelayMinutes: []int{1}}
	return c
}

// bookCalls books calls.
func bookCalls(t *testing.T, s store.Store, calls ...call.Call) {
	t.Helper()
	for _, c := range calls {
		receipt, err := s.BookCall(t.Context(), c, asked, nil)
		if wantCode(t, "Book", err, ""); receipt.CallID != c.ID || receipt.Replays {
			t.Fatalf("booked %s, receipt %+v", c.ID, receipt)
		}
	}
}

// newOutcome returns an outcome with a status, with messages for a conversation.
func newOutcome(status call.CallStatus) call.CallOutcome {
	o := call.CallOutcome{Status: status}
	switch status {
	case call.Completed:
		seconds := 12
		o.Duration, o.Recording, o.RecordingSum = &seconds, soundFile, &call.RecordingSum{Size: 44, SHA256: "ab"}
		o.Messages = []call.Message{{Role: call.User, Content: "نعم", Start: 1, End: 2, Confidence: 0.9}}
		o.Report, o.ResponseBody = json.RawMessage(`{"ok":true}`), json.RawMessage(`{"said":"yes"}`)
		o.Errors = []call.CallError{{Code: "no_input", Message: "silence", At: 3}}
	case call.UserRejected:
		o.Failure = &call.CallFailure{Reason: call.Busy}
	case call.NoAnswer:
		o.Failure = &call.CallFailure{Reason: call.RingTimeout}
	default:
		o.Failure = &call.CallFailure{Reason: call.NoCarrier}
	}
	return o
}

// releaseCall releases a call.
func releaseCall(t *testing.T, s store.Store, c call.Call, now time.Time) {
	t.Helper()
	_, err := s.ReleaseCall(t.Context(), c.OrgID, c.ID, now)
	wantCode(t, "ReleaseCall", err, "")
}

// finishCall releases a call, answers it if it was a conversation, and ends it.
func finishCall(t *testing.T, s store.Store, c call.Call, status call.CallStatus, now time.Time) call.Call {
	t.Helper()
	releaseCall(t, s, c, now)
	if status == call.Completed {
		_, err := s.AnswerCall(t.Context(), c.OrgID, c.ID, soundFile, now)
		wantCode(t, "AnswerCall", err, "")
	}
	ended, err := s.FinishCall(t.Context(), c.OrgID, c.ID, newOutcome(status), nil, now)
	wantCode(t, "FinishCall", err, "")
	return ended
}

// wantCall reads a call and fails unless it has the status.
func wantCall(t *testing.T, s store.Store, c call.Call, status call.CallStatus) call.Call {
	t.Helper()
	got, err := s.FindCall(t.Context(), c.OrgID, c.ID)
	if wantCode(t, "Call", err, ""); got.Status != status {
		t.Fatalf("call %s is %s, want %s", c.ID, got.Status, status)
	}
	return got
}

// timelineEvents returns the names of a call's timeline.
func timelineEvents(t *testing.T, s store.Store, c call.Call) []string {
	t.Helper()
	lines, err := s.CallTimeline(t.Context(), c.OrgID, c.ID)
	wantCode(t, "Timeline", err, "")
	var names []string
	for _, line := range lines {
		if line.Actor == "" || line.At.IsZero() {
			t.Errorf("the line %+v does not say who and when", line)
		}
		names = append(names, line.Event)
	}
	return names
}
