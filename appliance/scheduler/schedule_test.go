package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/tts"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

func TestReleaseAtItsTime(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(10)
		now := time.Now()
		w.bookCall("a", "now", now)
		w.bookCall("a", "soon", now.Add(7*time.Second))
		w.bookCall("a", "late", now.Add(24*time.Hour))
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"now"}) {
			t.Errorf("at the start: %v", got)
		}
		advanceTime(7 * time.Second)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"now", "soon"}) {
			t.Errorf("after 7 s: %v", got)
		}
		w.bookCall("a", "booked", time.Now())
		advanceTime(0)
		if got := w.phones.releasedCalls(); !slices.Contains(got, "booked") {
			t.Errorf("it was not woken by a booking: %v", got)
		}
		advanceTime(24 * time.Hour)
		if got := w.phones.dialledAt("late").Sub(now); got != 24*time.Hour {
			t.Errorf("the late one was dialled after %s", got)
		}
		if got := w.findCall("now"); got.Status != call.NoAnswer {
			t.Errorf("it is %s", got.Status)
		}
		w.end()
	})
}

func TestOrderAndLines(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		now := time.Now()
		var want []string
		for i := range 10 {
			id := fmt.Sprint("c", i)
			want = append(want, id)
			w.bookCall("a", id, now.Add(time.Duration(i-10)*time.Second))
		}
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); len(got) != 3 {
			t.Errorf("%d of 3 lines are used", len(got))
		}
		advanceTime(10 * time.Minute)
		got := w.phones.releasedCalls()
		for i := 0; i < len(got); i += 3 { // those of one moment go in any order
			slices.Sort(got[i:min(i+3, len(got))])
		}
		if _, most := w.phones.countLines("a"); !slices.Equal(got, want) || most != 3 {
			t.Errorf("released %v, %d at once", got, most)
		}
		w.end()
	})
}

// TestCallsWaitForTheCarrier checks that calls wait for the carrier without repeated reads, and are dialled when it is
// back.
func TestCallsWaitForTheCarrier(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(0)
		var lines atomic.Int64
		w.deps.Lines = func() int { return int(lines.Load()) }
		w.bookCall("a", "waits", time.Now().Add(-time.Hour))
		w.beginFixture(t)
		looks := w.looks
		advanceTime(time.Hour)
		if got := w.phones.releasedCalls(); len(got) > 0 || w.looks > looks {
			t.Errorf("without a carrier %v were released, and the store was asked %d times", got, w.looks-looks)
		}
		lines.Store(10)
		advanceTime(2 * time.Second)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"waits"}) {
			t.Errorf("two seconds after it is back: %v", got)
		}
		w.end()
	})
}

// TestCarrierAcceptsMoreCalls checks that a call is dialled soon after the carrier accepts more calls than are running.
func TestCarrierAcceptsMoreCalls(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(0)
		var lines atomic.Int64
		w.deps.Lines = func() int { return int(lines.Load()) }
		lines.Store(1)
		w.bookCall("a", "runs", time.Now().Add(-time.Hour))
		w.bookCall("a", "waits", time.Now())
		w.beginFixture(t)
		lines.Store(2)
		advanceTime(2 * time.Second)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"runs", "waits"}) {
			t.Errorf("two seconds later: %v", got)
		}
		w.end()
	})
}

// TestBacklogDoesNotDelayOthers checks that a long backlog of one organization does not delay the call of another.
func TestBacklogDoesNotDelayOthers(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(2)
		for i := range 500 {
			w.bookCall("big", fmt.Sprint("big", i), time.Now().Add(-time.Hour))
		}
		w.beginFixture(t)
		w.bookCall("small", "small", time.Now())
		advanceTime(61 * time.Second)
		if w.phones.dialledAt("small").IsZero() {
			t.Errorf("the small one still waits after %d calls", len(w.phones.releasedCalls()))
		}
		if _, most := w.phones.countLines("big"); most != 2 {
			t.Errorf("%d calls at once", most)
		}
		w.end()
	})
}

func TestLimitOfAnOrganization(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(10)
		w.setRules("a", callrules.CallRules{MaxConcurrent: 2})
		for i := range 100 {
			w.bookCall("a", fmt.Sprint("a", i), time.Now().Add(-time.Hour))
		}
		w.bookCall("b", "b", time.Now())
		w.beginFixture(t)
		a, _ := w.phones.countLines("a")
		b, _ := w.phones.countLines("b")
		if a != 2 || b != 1 {
			t.Errorf("the lines are %d and %d", a, b)
		}
		advanceTime(61 * time.Second)
		if a, most := w.phones.countLines("a"); a != 2 || most != 3 || len(w.phones.releasedCalls()) != 5 {
			t.Errorf("the lines are %d, %d at most, after %v", a, most, w.phones.releasedCalls())
		}
		w.end()
	})
}

// TestKillSwitch checks that only that organization's calls stop, that its backlog is not read repeatedly, and that all
// are dialled when the switch is off.
func TestKillSwitch(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(4)
		w.setRules("a", callrules.CallRules{KillSwitch: true})
		for i := range 5000 {
			w.bookCall("a", fmt.Sprint("a", i), time.Now().Add(-time.Hour))
		}
		w.beginFixture(t)
		before, looks := w.read, w.looks
		w.bookCall("b", "b", time.Now())
		advanceTime(10 * time.Minute)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"b"}) {
			t.Errorf("released %v", got)
		}
		if w.looks-looks > 100 || w.read-before > 20*100 {
			t.Errorf("in ten minutes it looked %d times and read %d calls", w.looks-looks, w.read-before)
		}
		w.setRules("a", callrules.CallRules{})
		advanceTime(0)
		if got := w.phones.releasedCalls(); len(got) != 5 {
			t.Errorf("after it was turned off: %v", got)
		}
		w.end()
	})
}

func TestClosedHours(t *testing.T) {
	isWithin(t, func(t *testing.T) { // the clock begins at 2000-01-01 00:00 UTC, a Saturday
		w := newWorld(10)
		w.setRules("a", callrules.CallRules{CallingHours: callrules.CallingHours{"saturday": {{From: "09:00", To: "18:00"}}}})
		w.plans["evening"] = scenario.Scenario{CallingHours: callrules.CallingHours{"saturday": {{From: "17:00", To: "20:00"}}}}
		for i := range 300 {
			w.bookCall("a", fmt.Sprint("a", i), time.Now())
		}
		c := w.calls["a7"]
		c.ScenarioID = "evening"
		w.calls["a7"] = c
		w.beginFixture(t)
		nine, five := time.Now().Add(9*time.Hour), time.Now().Add(17*time.Hour)
		for id, c := range w.calls {
			want := nine
			if id == "a7" {
				want = five
			}
			if c.Status != call.Scheduled || c.Booking != call.Moved || !c.ScheduledAt.Equal(want) {
				t.Fatalf("%s is %s, %s, at %s", id, c.Status, c.Booking, c.ScheduledAt)
			}
		}
		advanceTime(9*time.Hour - time.Millisecond)
		if got := w.phones.releasedCalls(); len(got) != 0 {
			t.Errorf("released in closed hours: %v", got)
		}
		advanceTime(2 * time.Millisecond)
		if got := w.phones.releasedCalls(); len(got) != 10 {
			t.Errorf("at nine %d were released", len(got))
		}
		w.end()
	})
}

// TestOneCallPerNumber checks that of several calls to a number one runs at a time, that they delay no other call, and
// that calls of other organizations to it are independent.
func TestOneCallPerNumber(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(10)
		now := time.Now().Add(-time.Minute)
		for i := range 20 {
			w.bookCall("a", fmt.Sprint("same", i), now.Add(time.Duration(i)*time.Microsecond))
		}
		w.bookCall("a", "other", now.Add(time.Second))
		w.bookCall("b", "elsewhere", now.Add(time.Second))
		for i := range 20 {
			c := w.calls[fmt.Sprint("same", i)]
			c.PhoneNumber = "+966500009999"
			w.calls[c.ID] = c
		}
		c := w.calls["elsewhere"]
		c.PhoneNumber = "+966500009999"
		w.calls["elsewhere"] = c
		w.beginFixture(t)
		got := w.phones.releasedCalls()
		slices.Sort(got)
		if !slices.Equal(got, []string{"elsewhere", "other", "same0"}) {
			t.Errorf("at first are up: %v", got)
		}
		for i := 1; i < 20; i++ {
			advanceTime(time.Minute + time.Second)
			if up, _ := w.phones.countLines("a"); up != 1 || w.phones.dialledAt(fmt.Sprint("same", i)).IsZero() {
				t.Fatalf("after %d minutes %d are up: %v", i, up, w.phones.releasedCalls())
			}
		}
		w.end()
	})
}

func TestStops(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(10)
		w.setRules("a", callrules.CallRules{AttemptsPerDay: 1, BlockedPrefixes: []string{"+966500000002"}})
		for i, id := range []string{"first", "suppressed", "blocked", "second", "gone", "silent"} {
			w.bookCall("a", id, time.Now().Add(time.Duration(i)*time.Microsecond-time.Second))
		}
		edit := func(id string, how func(*call.Call)) { c := w.calls[id]; how(&c); w.calls[id] = c }
		edit("second", func(c *call.Call) { c.PhoneNumber = w.calls["first"].PhoneNumber })
		edit("gone", func(c *call.Call) { c.ScenarioID = "deleted" })
		w.suppressed[w.calls["suppressed"].PhoneNumber] = true
		w.deps.CanSpeak = func(_ context.Context, c call.Call) error {
			if c.ID == "silent" {
				return fmt.Errorf("a line: %w", tts.ErrNoVoice)
			}
			return nil
		}
		w.beginFixture(t)
		advanceTime(2 * time.Minute) // the second call to a number waits for the first to end
		for id, want := range map[string]call.FailureReason{
			"suppressed": call.Suppressed, "blocked": call.BlockedDestination, "second": call.AttemptLimit,
			"gone": call.UnknownFlow, "silent": call.NoVoice,
		} {
			if c := w.findCall(id); c.Status != call.Failed || call.ReasonOf(c.Failure) != want {
				t.Errorf("%s is %s %q", id, c.Status, call.ReasonOf(c.Failure))
			}
		}
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"first"}) {
			t.Errorf("released %v", got)
		}
		w.end()
	})
}

// TestSlowVoice checks that the check whether a call can be spoken delays no other call, holds its line meanwhile, and
// that changes made meanwhile are respected.
func TestSlowVoice(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		w.deps.CanSpeak = func(ctx context.Context, c call.Call) error {
			if c.OrgID != "slow" {
				return nil
			}
			select {
			case <-time.After(2 * time.Minute):
			case <-ctx.Done():
			}
			return ctx.Err()
		}
		for _, id := range []string{"s1", "s2", "s3", "s4"} {
			w.bookCall("slow", id, time.Now().Add(-time.Hour))
		}
		w.bookCall("quick", "q1", time.Now())
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"q1"}) {
			t.Errorf("released %v", got)
		}
		w.setRules("slow", callrules.CallRules{KillSwitch: true})
		advanceTime(time.Hour)
		if got := w.phones.releasedCalls(); len(got) != 1 {
			t.Errorf("released behind the kill switch: %v", got)
		}
		w.end()
	})
}

// TestFailingCallIsRetriedLater checks that a call that cannot be judged or released is retried after a pause, and that
// others continue.
func TestFailingCallIsRetriedLater(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		var mended atomic.Bool
		w.deps.CanSpeak = func(_ context.Context, c call.Call) error {
			switch {
			case c.ID == "bad" && !mended.Load():
				return errors.New("the speech endpoint is away")
			case c.ID == "panics":
				panic("no voice")
			}
			return nil
		}
		for _, id := range []string{"bad", "panics", "good", "better"} {
			w.bookCall("a", id, time.Now())
		}
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); len(got) != 2 || w.findCall("bad").Status != call.Scheduled {
			t.Errorf("released %v, the bad one is %s", got, w.findCall("bad").Status)
		}
		mended.Store(true)
		advanceTime(61 * time.Second)
		if got := w.findCall("bad").Status; got != call.Dialing {
			t.Errorf("after a minute it is %s", got)
		}
		w.end()
	})
}

// TestFailedStopIsRetried checks that a call that cannot be stopped is retried after a pause, and that others continue.
func TestFailedStopIsRetried(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		w.fail = func(fact string) error {
			if fact == "stop" {
				panic("index out of range")
			}
			return nil
		}
		for _, id := range []string{"bad", "good"} {
			w.bookCall("a", id, time.Now())
		}
		w.suppressed[w.calls["bad"].PhoneNumber] = true
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"good"}) || w.findCall("bad").Status != call.Scheduled {
			t.Errorf("released %v, the bad one is %s", got, w.findCall("bad").Status)
		}
		w.end()
	})
}

func TestTheStoreFails(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		var reported []error
		w.deps.Report = func(err error) { reported = append(reported, err) }
		until := time.Now().Add(5 * time.Second)
		w.fail = func(fact string) error {
			if fact == "rules b" || fact == "due" && time.Now().Before(until) {
				return errors.New("disk on fire")
			}
			return nil
		}
		w.bookCall("a", "a", time.Now())
		w.beginFixture(t)
		advanceTime(10 * time.Second)
		if w.findCall("a").Status != call.Dialing || len(reported) < 5 || len(reported) > 20 || reported[len(reported)-1] != nil {
			t.Errorf("it is %s; reported %v", w.findCall("a").Status, reported)
		}
		w.bookCall("b", "b", time.Now().Add(-time.Hour))
		w.bookCall("a", "a2", time.Now())
		advanceTime(5 * time.Second)
		if w.findCall("a2").Status != call.Dialing {
			t.Error("one organization's trouble is another's")
		}
		w.end()
	})
}

// TestCancelledMeanwhile checks that a call that is cancelled at the last moment is not dialled.
func TestCancelledMeanwhile(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(3)
		w.deps.CanSpeak = func(_ context.Context, c call.Call) error {
			_, err := w.changeCall("cancel", c.ID, func(c call.Call) (call.Call, error) { return c.CancelAt(time.Now()) })
			return err
		}
		w.bookCall("a", "a", time.Now())
		w.beginFixture(t)
		advanceTime(time.Hour)
		if got := w.phones.releasedCalls(); len(got) != 0 || w.findCall("a").Status != call.Cancelled {
			t.Errorf("released %v, it is %s", got, w.findCall("a").Status)
		}
		w.end()
	})
}
