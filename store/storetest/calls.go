package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// callLife: a call from its booking to its end; each step is read back.
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

// callTable tries every pair of status and event: transitions of the table succeed, all others are refused and change
// nothing.
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
					t.Errorf("a refused %s added timeline entries: %v", step.event, got)
				}
			})
		}
	}
}

// transitionStep is an event and the status that it leads to.
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

// callIn books a call and moves it to a status.
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

// callRefusals: invalid bookings, and calls that do not exist.
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
	woken, stop := s.WatchKind(store.HangupsRequested)
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
		t.Error("no watcher was notified")
	}
	if got := timelineEvents(t, s, c); !slices.Equal(got, []string{"booked", "released", "answered", "hangup"}) {
		t.Errorf("timeline %v", got)
	}
}

// callsRescued: every running call fails once, with its delivery and its retry; no other call changes.
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
	for _, size := range []int64{44, 48} { // the first one stays
		err := s.KeepRecordingSum(t.Context(), "bakery", talking.ID, call.RecordingSum{Size: size, SHA256: "ab"})
		wantCode(t, "KeepRecordingSum", err, "")
	}
	if got := wantCall(t, s, talking, call.Failed); got.RecordingSum == nil || got.RecordingSum.Size != 44 {
		t.Errorf("the sum of its recording is %+v", got.RecordingSum)
	}
	err = s.KeepRecordingSum(t.Context(), "bakery", "none", call.RecordingSum{})
	wantCode(t, "KeepRecordingSum of no call", err, store.CodeNotFound)
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
