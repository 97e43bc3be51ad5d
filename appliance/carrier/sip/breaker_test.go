package sip_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
)

// refusedBy returns the refusal by a final response.
func refusedBy(code int, hold time.Duration) *carrier.DialError {
	r := &carrier.DialError{SIPCode: &code, Phrase: "So It Is", Hold: hold}
	if code >= 500 || code == 401 || code == 403 || code == 407 {
		r.RetryAfter = hold
	}
	return r
}

// breakerStep is a call and what becomes of it, or, without a number, a wait.
type breakerStep struct {
	number string
	after  time.Duration // how long before it
	refuse *carrier.DialError
	want   string // "lost", "back after D", "waits D" (not dialled), "ends" (as its outcome says); empty: the trunk took it
}

// call runs the step and returns what became of the call.
func (s breakerStep) call(b *sip.CallBreaker) string {
	time.Sleep(s.after)
	pass, err := b.Admit(s.number)
	if waits, ok := errors.AsType[*carrier.DialError](err); ok {
		return fmt.Sprint("waits ", waits.RetryAfter)
	}
	if s.refuse == nil {
		pass.Taken(true)
		pass.Taken(true) // as 180, and then 200
		return ""
	}
	refused := *s.refuse
	pass.Settle(&refused)
	status, _ := carrier.ClassifyRefusal(&refused)
	switch {
	case refused.RetryAfter > 0:
		return fmt.Sprint("back after ", refused.RetryAfter)
	case status == "failed":
		return "lost"
	default:
		return "ends"
	}
}

// TestBreaker checks which outcomes pause a trunk, which calls keep their attempts, and how it is tried again.
func TestBreaker(t *testing.T) {
	t.Parallel()
	forbidden, silent := refusedBy(403, 0), &carrier.DialError{Err: errors.New("no answer")}
	calls := func(n int, want string, refuse *carrier.DialError) (steps []breakerStep) {
		for i := range n {
			steps = append(steps, breakerStep{number: fmt.Sprint("+9665000000", i), refuse: refuse, want: want})
		}
		return steps
	}
	same := func(n int) []breakerStep { // of one number
		return slices.Repeat([]breakerStep{{number: "a", refuse: forbidden, want: "lost"}}, n)
	}
	with := func(more ...breakerStep) []breakerStep { // after a pause of 5 s began
		return append(append(calls(4, "lost", forbidden), breakerStep{number: "e", refuse: forbidden, want: "back after 5s"}), more...)
	}
	busy, ok := refusedBy(486, 0), (*carrier.DialError)(nil)
	unrung := &carrier.DialError{RingTimeout: true}
	for name, test := range map[string]struct {
		steps  []breakerStep
		paused bool
	}{
		"five refusals":                  {with(breakerStep{number: "f", want: "waits 5s"}), true},
		"five silences":                  {append(calls(4, "lost", silent), breakerStep{number: "e", refuse: silent, want: "back after 5s"}), true},
		"four of one and one of another": {append(same(4), breakerStep{number: "b", refuse: forbidden, want: "back after 5s"}), true},
		"one number alone":               {same(9), false},
		"what callees cause":             {append(append(calls(9, "ends", busy), calls(9, "ends", refusedBy(404, 0))...), calls(9, "lost", refusedBy(606, 0))...), false},
		"no row":                         {append(append(calls(4, "lost", forbidden), calls(1, "ends", busy)...), calls(4, "lost", forbidden)...), false},
		"a trial that is taken": {with(
			breakerStep{number: "f", after: 5 * time.Second, refuse: ok}, breakerStep{number: "g", refuse: ok},
			breakerStep{number: "h", refuse: forbidden, want: "lost"},
		), false},
		"a trial that is busy": {with(breakerStep{number: "f", after: 5 * time.Second, refuse: busy, want: "ends"}), false},
		"growing pauses": {with(
			breakerStep{number: "f", after: 4 * time.Second, want: "waits 5s"},
			breakerStep{number: "f", after: time.Second, refuse: forbidden, want: "back after 10s"},
			breakerStep{number: "f", after: 10 * time.Second, refuse: forbidden, want: "back after 20s"},
			breakerStep{number: "f", after: 20 * time.Second, refuse: forbidden, want: "back after 40s"},
			breakerStep{number: "f", after: 40 * time.Second, refuse: forbidden, want: "back after 1m20s"},
			breakerStep{number: "f", after: time.Hour, refuse: forbidden, want: "back after 2m40s"},
			breakerStep{number: "f", after: time.Hour, refuse: forbidden, want: "back after 5m0s"},
			breakerStep{number: "f", after: time.Hour, refuse: forbidden, want: "back after 5m0s"},
		), true},
		"refused right after a trial": {with(
			breakerStep{number: "f", after: 5 * time.Second, refuse: ok},
			breakerStep{number: "g", refuse: forbidden, want: "back after 10s"},
		), true},
		"a number that is refused among others that are taken": {with(
			breakerStep{number: "f", after: 5 * time.Second, refuse: ok},
			breakerStep{number: "e", refuse: forbidden, want: "lost"},
			breakerStep{number: "g", refuse: forbidden, want: "back after 10s"},
			breakerStep{number: "f", after: 10 * time.Second, refuse: ok},
			breakerStep{number: "e", refuse: forbidden, want: "lost"}, breakerStep{number: "g", refuse: forbidden, want: "lost"},
		), false},
		"numbers that paused it before, in a row": {with(
			breakerStep{number: "g", after: 5 * time.Second, refuse: forbidden, want: "back after 10s"},
			breakerStep{number: "f", after: 10 * time.Second, refuse: ok},
			breakerStep{number: "e", refuse: forbidden, want: "lost"}, breakerStep{number: "g", refuse: forbidden, want: "lost"},
			breakerStep{number: "e", refuse: forbidden, want: "lost"}, breakerStep{number: "g", refuse: forbidden, want: "lost"},
			breakerStep{number: "e", refuse: forbidden, want: "back after 20s"},
		), true},
		"a telephone that may have rung": {with(
			breakerStep{number: "f", after: 5 * time.Second, refuse: &carrier.DialError{Rang: true, SIPCode: forbidden.SIPCode}, want: "lost"},
			breakerStep{number: "f", after: 10 * time.Second, refuse: unrung, want: "lost"},
		), true},
		"a second number's pause is over": {[]breakerStep{
			{number: "a", refuse: refusedBy(503, time.Minute), want: "back after 1m0s"},
			{number: "a", want: "waits 1m0s"},
			{number: "b", refuse: ok},
			{number: "c", after: time.Minute, refuse: refusedBy(503, time.Minute), want: "back after 1m0s"},
		}, false},
		"Retry-After of two numbers": {[]breakerStep{
			{number: "a", refuse: refusedBy(503, time.Minute), want: "back after 1m0s"},
			{number: "b", refuse: ok},
			{number: "c", refuse: refusedBy(500, 2*time.Minute), want: "back after 2m0s"},
			{number: "b", after: time.Minute, want: "waits 1m0s"},
			{number: "b", after: time.Minute, refuse: ok},
		}, false},
		"Retry-After of a callee": {[]breakerStep{
			{number: "a", refuse: refusedBy(486, time.Minute), want: "ends"},
			{number: "b", refuse: refusedBy(480, time.Minute), want: "ends"},
			{number: "a", want: "waits 1m0s"},
			{number: "c", refuse: ok},
			{number: "a", after: time.Minute, refuse: ok},
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := sip.NewBreaker(slog.New(slog.NewTextHandler(t.Output(), nil)))
				for i, s := range test.steps {
					if got := s.call(b); got != s.want {
						t.Fatalf("call %d, to %s: %q, want %q", i, s.number, got, s.want)
					}
				}
				if got := b.Pause(); (got != nil) != test.paused {
					t.Errorf("paused: %+v", got)
				}
			})
		})
	}
}

// TestTrialCall checks that one call at a time tries a paused trunk, that calls dialled before the pause are put back
// without prolonging it, and that a trial call without an outcome leaves its place to the next.
func TestTrialCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := sip.NewBreaker(slog.New(slog.DiscardHandler))
		admit := func(number string) interface {
			Settle(*carrier.DialError)
			GiveBack()
		} {
			t.Helper()
			pass, err := b.Admit(number)
			if err != nil {
				t.Fatalf("%s: %v", number, err)
			}
			return pass
		}
		early := admit("early")
		for i := range 5 {
			admit(fmt.Sprint(i)).Settle(refusedBy(503, 0))
		}
		pause := b.Pause()
		if pause.Answer() != "503 So It Is" || pause.Next.Sub(pause.Since) != 5*time.Second || b.Lines(9, 3) != 3 {
			t.Errorf("%+v, %d lines", pause, b.Lines(9, 3))
		}
		late := refusedBy(503, 0)
		if early.Settle(late); late.RetryAfter != 5*time.Second || *b.Pause() != *pause {
			t.Errorf("the one before is dialled again after %v, the pause is %+v", late.RetryAfter, b.Pause())
		}
		time.Sleep(5 * time.Second)
		if b.Lines(9, 3) != 4 || !b.TrialDue() {
			t.Errorf("%d lines for a trial call, due: %v", b.Lines(9, 3), b.TrialDue())
		}
		trial := admit("trial")
		if b.TrialDue() {
			t.Error("a second trial call is due")
		}
		if _, err := b.Admit("second"); err == nil || b.Lines(9, 3) != 4 {
			t.Errorf("a second call beside it: %v, %d lines", err, b.Lines(9, 3))
		}
		trial.GiveBack()
		admit("second").Settle(refusedBy(401, 0))
		if pause := b.Pause(); pause.SIPCode != 401 || time.Until(pause.Next) != 10*time.Second {
			t.Errorf("%+v", pause)
		}
	})
}

// TestTrunkThatNeverRings checks that silence after 100 counts, unless the trunk has answered a call without ringing:
// then the person may just not have answered.
func TestTrunkThatNeverRings(t *testing.T) {
	t.Parallel()
	for _, rings := range []bool{true, false} {
		b := sip.NewBreaker(slog.New(slog.DiscardHandler))
		pass, _ := b.Admit("first")
		pass.Taken(rings)
		for i := range 5 {
			pass, err := b.Admit(fmt.Sprint(i))
			if err != nil {
				t.Fatal(err)
			}
			pass.Settle(&carrier.DialError{RingTimeout: true})
		}
		if got := b.Pause() != nil; got != rings {
			t.Errorf("paused: %v", got)
		}
	}
}

// TestPhraseIsClean checks that a reason phrase is one short line without numbers.
func TestPhraseIsClean(t *testing.T) {
	t.Parallel()
	for phrase, want := range map[string]string{
		"Forbidden": "Forbidden", "no +966500000001 \xff here": "no ••• here",
		strings.Repeat("م", 200): strings.Repeat("م", 80),
	} {
		if got := sip.CleanPhrase(phrase); got != want {
			t.Errorf("%q: %q", phrase, got)
		}
	}
}
