package scheduler_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/scheduler"
	"munadi/store/call"
)

// TestInboundLine checks that an inbound call holds a line: outbound calls wait for it, its person is not dialled, and
// no more come in than the limit.
func TestInboundLine(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(2)
		s := scheduler.NewScheduler(w.deps)
		in := call.Call{ID: "in", OrgID: "a", PhoneNumber: "+966500000000"} // that of the first call booked
		run := func(context.Context) { t.Error("a call runs before the scheduler") }
		if err := s.RunInbound(in, 2, run); !errors.Is(err, scheduler.ErrNotReady) {
			t.Errorf("before the start: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		synctest.Wait()
		over := make(chan struct{})
		go func() {
			if err := s.RunInbound(in, 2, func(context.Context) { <-over }); err != nil {
				t.Errorf("RunInbound: %v", err)
			}
		}()
		synctest.Wait()
		if !s.HoldsCall("in") || s.HeldLines() != 1 {
			t.Errorf("%d lines are held", s.HeldLines())
		}
		if err := s.RunInbound(call.Call{ID: "second"}, 1, run); !errors.Is(err, scheduler.ErrNoLine) {
			t.Errorf("beyond the limit: %v", err)
		}
		w.bookCall("a", "same person", time.Now())
		w.bookCall("a", "another", time.Now())
		w.bookCall("a", "a third", time.Now())
		synctest.Wait()
		time.Sleep(time.Second)
		for id, want := range map[string]call.CallStatus{"same person": call.Scheduled, "another": call.Dialing, "a third": call.Scheduled} {
			if got := w.findCall(id).Status; got != want {
				t.Errorf("%s is %s, want %s", id, got, want)
			}
		}
		close(over)
		time.Sleep(time.Second)
		if got := w.findCall("same person").Status; got != call.Dialing {
			t.Errorf("when the line is free, the person is %s", got)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestReservedLines checks that outbound calls leave the lines that are reserved for inbound ones, which count those
// that they hold, and not those of legs to staff.
func TestReservedLines(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(4)
		reserved := 2
		w.deps.Reserved = func() int { return reserved }
		s := scheduler.NewScheduler(w.deps)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		synctest.Wait()
		free, err := s.HoldLine("a", "", 4)
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan struct{})
		in := call.NewInbound(call.Call{OrgID: "a", PhoneNumber: "+966599999999"}, nil, time.Now())
		go func() { _ = s.RunInbound(in, 4, func(context.Context) { <-over }) }()
		synctest.Wait()
		w.bookCall("a", "first", time.Now())
		w.bookCall("a", "second", time.Now())
		time.Sleep(time.Second)
		wantDialled := func(what string, want bool) {
			t.Helper()
			if got := w.findCall("second").Status == call.Dialing; got != want {
				t.Errorf("%s: the second call is dialled: %v", what, got)
			}
		}
		if w.findCall("first").Status != call.Dialing {
			t.Error("the line that is not reserved is not used")
		}
		wantDialled("one line in, one of staff, one reserved", false)
		free()
		time.Sleep(time.Second)
		wantDialled("the line of staff is free", true)
		close(over)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestInboundAtStop checks that a stop takes no call any more, lets one end, and ends it after the grace.
func TestInboundAtStop(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(1)
		s := scheduler.NewScheduler(w.deps)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		synctest.Wait()
		began := time.Now()
		go func() { _ = s.RunInbound(call.Call{ID: "in"}, 1, func(calls context.Context) { <-calls.Done() }) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if err := s.RunInbound(call.Call{ID: "late"}, 5, func(context.Context) {}); !errors.Is(err, scheduler.ErrNotReady) {
			t.Errorf("during the stop: %v", err)
		}
		if err := <-ended; err != nil || time.Since(began) != w.deps.Grace {
			t.Errorf("it ended after %v, %v", time.Since(began), err)
		}
	})
}
