package scheduler_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"munadi/appliance/scheduler"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/storetest"
)

// countingDialer runs every call for a moment and counts them.
type countingDialer struct {
	store *badger.BadgerStore
	mu    sync.Mutex
	now   int // calls that are up
	most  int
	ended int
	all   chan struct{} // closed when the wanted number has ended
	want  int
}

func (p *countingDialer) Run(ctx context.Context, c call.Call) error {
	p.mu.Lock()
	p.now++
	p.most = max(p.most, p.now)
	p.mu.Unlock()
	_, err := p.store.FinishCall(ctx, c.OrgID, c.ID, call.CallOutcome{
		Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout},
	}, nil, time.Now())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now--
	if p.ended++; p.ended == p.want {
		close(p.all)
	}
	return err
}

// TestOnTheRealStore dials a hundred people who never answer, two at a time: the daily limit of attempts ends their
// retry plans.
func TestOnTheRealStore(t *testing.T) {
	t.Parallel()
	s := emptyStore(t)
	rules := callrules.CallRules{MaxConcurrent: 2, AttemptsPerDay: 3}
	if err := storetest.ReplaceRules(t.Context(), s, "small", rules, "test", time.Now()); err != nil {
		t.Fatal(err)
	}
	const calls = 100
	var ids []string
	for i := range calls {
		id := call.NewID()
		ids = append(ids, id)
		now := time.Now()
		c := call.Call{
			ID: id, OrgID: "small", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+96650%07d", i), ScenarioID: "s",
			Booking: call.Immediate, CreatedAt: now, ScheduledAt: now,
			Attempt: call.AttemptChain{Number: 1, Max: 5, ChainID: id, Plan: call.RetryPlan{MaxAttempts: 5, DelayMinutes: []int{0}}},
		}
		if _, err := s.BookCall(t.Context(), c, "test", nil); err != nil {
			t.Fatal(err)
		}
	}
	p := &countingDialer{store: s, all: make(chan struct{}), want: 3 * calls}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- scheduler.NewScheduler(scheduler.Dependencies{
			Store: s, Scenarios: anyScenario{}, Dialer: p, Lines: func() int { return 10 }, Log: slog.New(slog.DiscardHandler),
		}).Run(ctx)
	}()
	select {
	case <-p.all:
	case <-time.After(5 * time.Minute):
		t.Fatalf("only %d calls ended", p.ended)
	}
	fourth := nthAttempt(t, s, ids[0], 4)
	for began := time.Now(); fourth.Status != call.Failed && time.Since(began) < 2*time.Minute; {
		fourth = nthAttempt(t, s, ids[0], 4)
	}
	if call.ReasonOf(fourth.Failure) != call.AttemptLimit {
		t.Errorf("the fourth attempt is %s %q", fourth.Status, call.ReasonOf(fourth.Failure))
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if p.most != 2 || p.ended != 3*calls {
		t.Errorf("%d calls, %d at once", p.ended, p.most)
	}
}

// nthAttempt returns a call's nth attempt.
func nthAttempt(t *testing.T, s *badger.BadgerStore, id string, n int) call.Call {
	t.Helper()
	c, err := s.FindCall(t.Context(), "small", id)
	for err == nil && c.Attempt.Number < n && c.Attempt.NextID != nil {
		c, err = s.FindCall(t.Context(), "small", *c.Attempt.NextID)
	}
	if err != nil || c.Attempt.Number != n {
		t.Fatalf("there is no attempt %d after %d (%v)", n, c.Attempt.Number, err)
	}
	return c
}
