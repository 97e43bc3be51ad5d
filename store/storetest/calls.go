package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// asked is the actor of these checks.
const asked = "key:test"

// soundFile is the name of the recordings of these checks.
const soundFile = "bakery/sound.wav"

// number is the telephone number of these checks.
const number = "+966500000001"

// newCall returns a call of its own chain that is due some time after the beginning, and made then too.
func newCall(orgID string, after time.Duration) call.Call {
	id := call.NewID()
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "order", Booking: call.Booked,
		Variables: map[string]any{"name": "سارة"}, Metadata: map[string]string{"ref": "7"},
		CreatedAt: startTime().Add(after), ScheduledAt: startTime().Add(after),
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}
}

// newRetriedCall is newCall with a retry plan of attempts attempts, a minute apart.
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
		o.Duration, o.Recording = &seconds, soundFile
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

// callLife: from the booking to the end, each step read back.
func callLife(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, c := t.Context(), newCall("bakery", 0)
	bookCalls(t, s, c)
	if got := wantCall(t, s, c, call.Scheduled); cmp.Diff(c, got) != "" {
		t.Fatal(cmp.Diff(c, got))
	}
	releaseCall(t, s, c, startTime().Add(time.Second))
	running := store.CallFilter{Statuses: []call.CallStatus{call.Dialing, call.InProgress}, Limit: 10}
	if ids := listCalls(t, s, "bakery", running); !slices.Equal(ids, []string{c.ID}) {
		t.Fatalf("running %v", ids)
	}
	_, err := s.AnswerCall(ctx, "bakery", c.ID, soundFile, startTime().Add(2*time.Second))
	wantCode(t, "AnswerCall", err, "")
	if got := wantCall(t, s, c, call.InProgress); got.Recording != soundFile || got.StartedAt == nil {
		t.Fatalf("answered %+v", got)
	}
	ended, err := s.FinishCall(ctx, "bakery", c.ID, newOutcome(call.Completed), nil, startTime().Add(time.Minute))
	wantCode(t, "FinishCall", err, "")
	got := wantCall(t, s, c, call.Completed)
	if diff := cmp.Diff(ended, got); diff != "" {
		t.Fatalf("FinishCall returned another call than is kept: %s", diff)
	}
	if len(got.Messages) != 1 || got.Messages[0].Content != "نعم" || string(got.Report) != `{"ok":true}` ||
		len(got.Errors) != 1 || *got.Duration != 12 || !got.EndedAt.Equal(startTime().Add(time.Minute)) || got.Notify {
		t.Fatalf("read back %+v", got)
	}
	if ids := listCalls(t, s, "bakery", running); len(ids) != 0 {
		t.Fatalf("still running: %v", ids)
	}
	if got, want := timelineEvents(t, s, c), []string{"booked", "released", "answered", "ended"}; !slices.Equal(got, want) {
		t.Fatalf("timeline %v, want %v", got, want)
	}
}

// callTable walks every pair of status and event: what the table has happens, all else is refused and changes nothing.
func callTable(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	for _, from := range call.AllStatuses() {
		for _, step := range allTransitions() {
			t.Run(fmt.Sprint(from, " ", step.event, " ", step.to), func(t *testing.T) {
				c := callIn(t, s, from)
				before, lines := wantCall(t, s, c, from), timelineEvents(t, s, c)
				err := step.do(t, s, c)
				if slices.Contains(from.NextStatuses(step.event), step.to) {
					wantCode(t, string(step.event), err, "")
					wantCall(t, s, c, step.to)
					return
				}
				wantCode(t, string(step.event), err, store.CodeConflict)
				if diff := cmp.Diff(before, wantCall(t, s, c, from)); diff != "" {
					t.Errorf("a refused %s changed the call: %s", step.event, diff)
				}
				if got := timelineEvents(t, s, c); !slices.Equal(got, lines) {
					t.Errorf("a refused %s left lines: %v", step.event, got)
				}
			})
		}
	}
}

// transitionStep is an event and where it leads.
type transitionStep struct {
	event call.CallEvent
	to    call.CallStatus
	do    func(*testing.T, store.Store, call.Call) error
}

// allTransitions returns all events, each with every status that it could lead to.
func allTransitions() []transitionStep {
	later := startTime().Add(time.Hour)
	all := []transitionStep{
		{call.Reschedule, call.Scheduled, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.RescheduleCall(t.Context(), c.OrgID, c.ID, later, call.Rescheduled, asked, later)
			return err
		}},
		{call.Cancel, call.Cancelled, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.CancelCall(t.Context(), c.OrgID, c.ID, asked, later)
			return err
		}},
		{call.Release, call.Dialing, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.ReleaseCall(t.Context(), c.OrgID, c.ID, later)
			return err
		}},
		{call.Stop, call.Failed, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.StopCall(t.Context(), c.OrgID, c.ID, call.Suppressed, later)
			return err
		}},
		{call.Answer, call.InProgress, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.AnswerCall(t.Context(), c.OrgID, c.ID, "other.wav", later)
			return err
		}},
	}
	for _, to := range call.AllStatuses() {
		event := call.Fail
		if to == call.Completed {
			event = call.Complete
		}
		all = append(all, transitionStep{event, to, func(t *testing.T, s store.Store, c call.Call) error {
			_, err := s.FinishCall(t.Context(), c.OrgID, c.ID, call.CallOutcome{Status: to}, nil, later)
			return err
		}})
	}
	return all
}

// callIn books a call and brings it into a status.
func callIn(t *testing.T, s store.Store, status call.CallStatus) call.Call {
	t.Helper()
	c := newCall("bakery", 0)
	bookCalls(t, s, c)
	switch status {
	case call.Scheduled:
	case call.Cancelled:
		_, err := s.CancelCall(t.Context(), "bakery", c.ID, asked, startTime())
		wantCode(t, "CancelCall", err, "")
	case call.Dialing:
		releaseCall(t, s, c, startTime())
	case call.InProgress:
		releaseCall(t, s, c, startTime())
		_, err := s.AnswerCall(t.Context(), "bakery", c.ID, soundFile, startTime())
		wantCode(t, "AnswerCall", err, "")
	default:
		finishCall(t, s, c, status, startTime())
	}
	return c
}

// callRefusals: what may not be booked, and what is not there.
func callRefusals(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, good := t.Context(), newCall("bakery", 0)
	bookCalls(t, s, good)
	for name, spoil := range map[string]func(*call.Call){
		"id":        func(c *call.Call) { c.ID = "call_1" },
		"status":    func(c *call.Call) { c.Status = call.Dialing },
		"number":    func(c *call.Call) { c.PhoneNumber = "" },
		"slash":     func(c *call.Call) { c.PhoneNumber = "+1/2" },
		"scenario":  func(c *call.Call) { c.ScenarioID = "a/b" },
		"time":      func(c *call.Call) { c.ScheduledAt = time.Time{} },
		"attempt":   func(c *call.Call) { c.Attempt.Number = 0 },
		"attempts":  func(c *call.Call) { c.Attempt.Max = call.MaxAttempts + 1 },
		"chain":     func(c *call.Call) { c.Attempt.ChainID = "" },
		"ended one": func(c *call.Call) { c.EndedAt = &c.CreatedAt },
	} {
		c := newCall("bakery", 0)
		spoil(&c)
		_, err := s.BookCall(ctx, c, asked, nil)
		wantCode(t, "a call with a wrong "+name, err, store.CodeInvalid)
	}
	_, err := s.BookCall(ctx, good, asked, nil)
	wantCode(t, "the same id", err, store.CodeConflict)
	_, err = s.BookCall(ctx, newCall("nobody", 0), asked, nil)
	wantCode(t, "a call of nobody", err, store.CodeNotFound)
	for _, id := range []string{call.NewID(), "", "a/b", "x\x00y"} {
		_, err = s.FindCall(ctx, "bakery", id)
		wantCode(t, "no call", err, store.CodeNotFound)
		_, err = s.CallTimeline(ctx, "bakery", id)
		wantCode(t, "no timeline", err, store.CodeNotFound)
		_, err = s.CancelCall(ctx, "bakery", id, asked, startTime())
		wantCode(t, "cancel of no call", err, store.CodeNotFound)
	}
	_, err = s.HangupCall(ctx, "bakery", good.ID, asked, startTime())
	wantCode(t, "hang-up of a scheduled call", err, store.CodeConflict)
}

// callHungUp: a hang-up is requested once and stored, for running calls only.
func callHungUp(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	woken, stop := s.WatchKind(store.HangupsAsked)
	defer stop()
	c := callIn(t, s, call.InProgress)
	for _, after := range []time.Duration{time.Second, time.Minute} {
		got, err := s.HangupCall(t.Context(), "bakery", c.ID, asked, startTime().Add(after))
		if wantCode(t, "HangupCall", err, ""); got.HangupAt == nil || !got.HangupAt.Equal(startTime().Add(time.Second)) {
			t.Fatalf("asked at %v", got.HangupAt)
		}
	}
	select {
	case <-woken:
	default:
		t.Error("no waiter was woken")
	}
	if got := timelineEvents(t, s, c); !slices.Equal(got, []string{"booked", "released", "answered", "hangup"}) {
		t.Errorf("timeline %v", got)
	}
}

// callsRescued: every running call fails, once, with its webhook row and its retry; no other is touched.
func callsRescued(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	enableWebhook(t, s, "bakery")
	waiting, dialing := newCall("bakery", 0), newRetriedCall("airline", 0, 2)
	bookCalls(t, s, waiting, dialing)
	releaseCall(t, s, dialing, startTime())
	talking := callIn(t, s, call.InProgress)
	rescued, err := s.RescueCalls(t.Context(), startTime().Add(time.Minute))
	if wantCode(t, "RescueCalls", err, ""); len(rescued) != 2 {
		t.Fatalf("rescued %d calls", len(rescued))
	}
	for _, c := range []call.Call{dialing, talking} {
		got := wantCall(t, s, c, call.Failed)
		if call.ReasonOf(got.Failure) != call.Interrupted || got.EndedAt == nil {
			t.Errorf("rescued as %+v", got)
		}
	}
	if got := wantCall(t, s, talking, call.Failed); got.Recording != soundFile || !got.Notify {
		t.Errorf("the rescued conversation lost its recording or its row: %+v", got)
	}
	if got := wantCall(t, s, dialing, call.Failed); got.Attempt.NextID == nil || got.Notify {
		t.Errorf("the rescued dial has no retry, or a row without a receiver: %+v", got)
	}
	if d, err := s.DeliveryOf(t.Context(), "bakery", talking.ID); err != nil || d == nil || d.State != delivery.Pending {
		t.Errorf("its delivery is %v, %v", d, err)
	}
	wantCall(t, s, waiting, call.Scheduled)
	again, err := s.RescueCalls(t.Context(), startTime().Add(time.Minute))
	if wantCode(t, "second RescueCalls", err, ""); len(again) != 0 {
		t.Errorf("rescued again: %d", len(again))
	}
}
