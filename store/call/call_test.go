package call_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/call"
)

func fixedTime() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }

// drawn is the transition table of the package comment.
var drawn = map[string][]call.CallStatus{
	"scheduled reschedule": {call.Scheduled},
	"scheduled cancel":     {call.Cancelled},
	"scheduled release":    {call.Dialing},
	"scheduled stop":       {call.Failed},
	"dialing answer":       {call.InProgress},
	"dialing fail":         {call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed},
	"dialing return":       {call.Scheduled},
	"in_progress complete": {call.Completed},
	"in_progress fail":     {call.UserRejected, call.UserUnavailable, call.Automation, call.Failed},
}

// TestTable tests every pair of status and event.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, from := range call.AllStatuses() {
		for _, event := range call.AllEvents() {
			pair := fmt.Sprint(from, " ", event)
			if got := from.NextStatuses(event); !slices.Equal(got, drawn[pair]) {
				t.Errorf("%s leads to %v, want %v", pair, got, drawn[pair])
			}
			if from.IsFinal() && from.NextStatuses(event) != nil {
				t.Errorf("%s moves a call that has ended", pair)
			}
		}
	}
}

// allTransitions applies each event, for each status that it may lead to.
func allTransitions(c call.Call) map[string]func() (call.Call, error) {
	now := fixedTime()
	all := map[string]func() (call.Call, error){
		"reschedule scheduled": func() (call.Call, error) { return c.RescheduleTo(now, call.Rescheduled) },
		"cancel cancelled":     func() (call.Call, error) { return c.CancelAt(now) },
		"release dialing":      func() (call.Call, error) { return c.ReleaseToLine(now) },
		"stop failed":          func() (call.Call, error) { return c.StopAtRelease(call.NoVoice, now) },
		"return scheduled":     func() (call.Call, error) { return c.ReturnToSchedule(now.Add(time.Minute)) },
		"answer in_progress":   func() (call.Call, error) { return c.MarkAnswered(now) },
	}
	for _, to := range call.AllStatuses() {
		event := call.Fail
		if to == call.Completed {
			event = call.Complete
		}
		all[fmt.Sprint(event, " ", to)] = func() (call.Call, error) { return c.EndWith(call.CallOutcome{Status: to}, now) }
	}
	return all
}

// TestSteps: each step leads to the status of the table, or is refused and leaves the status unchanged.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, from := range call.AllStatuses() {
		for name, do := range allTransitions(call.Call{ID: "x", Status: from}) {
			event, to, _ := strings.Cut(name, " ")
			allowed := slices.Contains(from.NextStatuses(call.CallEvent(event)), call.CallStatus(to))
			got, err := do()
			var wrong *call.TransitionError
			switch {
			case allowed && (err != nil || got.Status != call.CallStatus(to)):
				t.Errorf("%s of a call that is %s: %s, %v", name, from, got.Status, err)
			case allowed && got.Status.IsFinal() && (got.EndedAt == nil || !got.EndedAt.Equal(fixedTime())):
				t.Errorf("%s of a call that is %s leaves no end", name, from)
			case !allowed && (!errors.As(err, &wrong) || wrong.From != from || got.Status != from):
				t.Errorf("%s of a call that is %s: %s, %v", name, from, got.Status, err)
			}
		}
	}
}

// TestWants: which outcomes are retried by default, by a plan, and never.
func TestWants(t *testing.T) {
	t.Parallel()
	failure := func(r call.FailureReason) *call.CallFailure { return &call.CallFailure{Reason: r} }
	all := call.RetryPlan{On: call.AllStatuses()}
	for _, c := range []struct {
		plan    call.RetryPlan
		status  call.CallStatus
		failure *call.CallFailure
		want    bool
	}{
		{call.RetryPlan{}, call.NoAnswer, failure(call.RingTimeout), true},
		{call.RetryPlan{}, call.UserUnavailable, failure(call.Unavailable), true},
		{call.RetryPlan{}, call.UserUnavailable, failure(call.InvalidNumber), false},
		{call.RetryPlan{}, call.Automation, failure(call.Voicemail), true},
		{call.RetryPlan{}, call.Failed, failure(call.NoCarrier), true},
		{call.RetryPlan{}, call.Failed, failure(call.NoAudio), true},
		{call.RetryPlan{}, call.Failed, failure(call.Interrupted), true},
		{call.RetryPlan{}, call.UserRejected, failure(call.Busy), true},
		{call.RetryPlan{}, call.UserRejected, failure(call.Declined), false},
		{call.RetryPlan{}, call.UserRejected, nil, false},
		{call.RetryPlan{}, call.Completed, nil, false},
		{call.RetryPlan{}, call.Cancelled, nil, false},
		{call.RetryPlan{On: []call.CallStatus{call.Completed}}, call.Completed, nil, true},
		{call.RetryPlan{On: []call.CallStatus{call.Failed}}, call.NoAnswer, failure(call.RingTimeout), false},
		{call.RetryPlan{On: []call.CallStatus{}}, call.NoAnswer, failure(call.RingTimeout), false},
		{all, call.UserRejected, failure(call.Declined), false},
		{all, call.Failed, failure(call.Operator), false},
		{all, call.Failed, failure(call.Suppressed), false},
		{all, call.Failed, failure(call.UnknownFlow), false},
	} {
		if got := c.plan.WantsRetry(c.status, c.failure); got != c.want {
			t.Errorf("%s for %q with %v: %v", c.status, call.ReasonOf(c.failure), c.plan.On, got)
		}
	}
}

// TestDelay: the last delay repeats.
func TestDelay(t *testing.T) {
	t.Parallel()
	plan := call.RetryPlan{DelayMinutes: []int{5, 0, 60}}
	for n, want := range map[int]time.Duration{1: 5 * time.Minute, 2: 5 * time.Minute, 3: 0, 4: time.Hour, 9: time.Hour} {
		if got := plan.DelayBefore(n); got != want {
			t.Errorf("before attempt %d: %v, want %v", n, got, want)
		}
	}
	if got := (call.RetryPlan{}).DelayBefore(2); got != call.DefaultDelay {
		t.Errorf("without a plan: %v", got)
	}
}

// TestRetry: the next attempt is a separate call, and both are linked.
func TestRetry(t *testing.T) {
	t.Parallel()
	c := call.Call{
		ID: call.NewID(), OrgID: "bakery", Status: call.Failed, PhoneNumber: "+966500000001", ScenarioID: "order",
		ScenarioVersion: 3, Variables: map[string]any{"name": "سارة"}, Metadata: map[string]string{"ref": "7"},
		Recording: "bakery/a.wav",
		Attempt:   call.AttemptChain{Number: 1, Max: 2, ChainID: "first", Plan: call.RetryPlan{MaxAttempts: 2, DelayMinutes: []int{3}}},
	}
	ended, next, due := c.NextAttempt(fixedTime())
	if next.ScenarioVersion != 3 {
		t.Errorf("the retry has version %d of the scenario", next.ScenarioVersion)
	}
	at := fixedTime().Add(3 * time.Minute)
	if !due || *ended.Attempt.NextID != next.ID || !ended.Attempt.NextRetryAt.Equal(at) || c.Attempt.NextID != nil {
		t.Fatalf("ended as %+v", ended.Attempt)
	}
	if !call.ValidID(next.ID) || next.ID == c.ID || next.Status != call.Scheduled || !next.ScheduledAt.Equal(at) ||
		next.Attempt.Number != 2 || *next.Attempt.PreviousID != c.ID || next.Attempt.ChainID != "first" ||
		next.Recording != "" || next.Failure != nil || next.Metadata["ref"] != "7" || next.Booking != call.RetryBooked {
		t.Errorf("the next is %+v", next)
	}
	next.Status, next.CallBack = call.Failed, true
	if _, _, due := next.NextAttempt(fixedTime()); due {
		t.Error("a third attempt of two")
	}
}

// TestPromisedRetry: a promised call back is booked even after a completed conversation, while another attempt is
// allowed.
func TestPromisedRetry(t *testing.T) {
	t.Parallel()
	c := call.Call{Status: call.Completed, Attempt: call.AttemptChain{Number: 1, Max: 2}}
	if _, _, booked := c.NextAttempt(fixedTime()); booked {
		t.Error("a conversation is retried that promised nothing")
	}
	c.CallBack = true
	if _, next, booked := c.NextAttempt(fixedTime()); !booked || next.CallBack {
		t.Errorf("the call back is %v, %+v", booked, next)
	}
	c.Attempt.Number = 2
	if _, _, booked := c.NextAttempt(fixedTime()); booked {
		t.Error("a third attempt of two")
	}
}

// TestReturn: a requeued call counts as not dialled; one with a requested hang-up, or requeued too often, is not
// requeued.
func TestReturn(t *testing.T) {
	t.Parallel()
	now := fixedTime()
	c := call.Call{Status: call.Dialing, ReleasedAt: &now, Booking: call.Booked, Attempt: call.AttemptChain{Number: 2}}
	got, err := c.ReturnToSchedule(now.Add(time.Minute))
	if err != nil || got.ReleasedAt != nil || !got.ScheduledAt.Equal(now.Add(time.Minute)) || got.Returns != 1 ||
		got.Booking != call.Booked || got.Attempt.Number != 2 {
		t.Errorf("put back as %+v, %v", got, err)
	}
	hung, often := c, c
	hung.HangupAt, often.Returns = &now, call.MaxReturns
	for _, c := range []call.Call{hung, often} {
		if got, err := c.ReturnToSchedule(now); err == nil || got.Status != call.Dialing {
			t.Errorf("put back as %+v", got)
		}
	}
}

// TestRescue: a running call fails as interrupted and keeps its recording.
func TestRescue(t *testing.T) {
	t.Parallel()
	c := call.Call{Status: call.InProgress, Recording: "bakery/a.wav"}
	got, err := c.RescueInterrupted(fixedTime())
	if err != nil || got.Status != call.Failed || call.ReasonOf(got.Failure) != call.Interrupted || got.Recording != c.Recording {
		t.Errorf("rescued as %+v, %v", got, err)
	}
	if _, err := (call.Call{Status: call.Scheduled}).RescueInterrupted(fixedTime()); err == nil {
		t.Error("rescued what did not run")
	}
}

// TestWindows: the limits of requested dial times, to the second.
func TestWindows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ahead             time.Duration
		bookable, movable bool
	}{
		{-31 * time.Second, false, false},
		{-30 * time.Second, true, false},
		{0, true, false},
		{10*time.Minute - 1, true, false},
		{10 * time.Minute, true, true},
		{30 * 24 * time.Hour, true, true},
		{30*24*time.Hour + 1, false, false},
	} {
		at := fixedTime().Add(c.ahead)
		if call.IsBookable(at, fixedTime()) != c.bookable || call.IsReschedulable(at, fixedTime()) != c.movable {
			t.Errorf("%v ahead: bookable %v, movable %v", c.ahead, call.IsBookable(at, fixedTime()), call.IsReschedulable(at, fixedTime()))
		}
	}
}

// TestIDs: only ids of the form of NewID are valid.
func TestIDs(t *testing.T) {
	t.Parallel()
	id := call.NewID()
	if !call.ValidID(id) || call.NewID() == id {
		t.Errorf("made %s", id)
	}
	for _, bad := range []string{"", "call_", id[5:], id + "0", "CALL_" + id[5:], "call_{" + id[5:] + "}", "call_" + strings.Repeat("x", 36)} {
		if call.ValidID(bad) {
			t.Errorf("%q counts as an id", bad)
		}
	}
}

// TestMask: masked numbers can be distinguished, but not dialled.
func TestMask(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"+966500000001": "+9665•••••01", "+1234567890": "+1234•••••90", "+12345678": "•••••", "": "•••••",
	} {
		if got := call.MaskNumber(number); got != want {
			t.Errorf("%s becomes %s, want %s", number, got, want)
		}
	}
}

// TestReasons: every reason is listed once, and decisions of a rule or a person are never retried.
func TestReasons(t *testing.T) {
	t.Parallel()
	seen := map[call.FailureReason]bool{}
	for _, r := range call.AllReasons() {
		if seen[r] || r == "" {
			t.Errorf("the reason %q is listed twice or empty", r)
		}
		seen[r] = true
	}
	for _, r := range []call.FailureReason{call.Declined, call.Suppressed, call.BlockedDestination, call.AttemptLimit, call.NoVoice, call.Operator} {
		if r.IsRetryable() {
			t.Errorf("%s is tried again", r)
		}
	}
}
