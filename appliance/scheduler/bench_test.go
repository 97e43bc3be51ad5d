package scheduler_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"munadi/appliance/scheduler"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

const many = 100_000

// anyScenario finds a scenario by any id.
type anyScenario struct{}

func (anyScenario) Scenario(context.Context, string, string) (scenario.Scenario, error) {
	return scenario.Scenario{}, nil
}

// unansweredDialer ends calls at once as not answered.
type unansweredDialer struct {
	store    *badger.BadgerStore
	released chan call.Call
}

func (d unansweredDialer) Run(ctx context.Context, c call.Call) error {
	d.released <- c
	_, err := d.store.FinishCall(ctx, c.OrgID, c.ID, call.CallOutcome{
		Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout},
	}, nil, time.Now())
	return err
}

// fillDatabase returns a database with many booked calls of an organization at a dial time.
func fillDatabase(tb testing.TB, at time.Time, rules callrules.CallRules) *badger.BadgerStore {
	tb.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	for _, id := range []string{"big", "small"} {
		if err := s.CreateOrganization(tb.Context(), account.Organization{ID: id, Name: id, CreatedAt: time.Now()}, "test"); err != nil {
			tb.Fatal(err)
		}
	}
	if err := storetest.ReplaceRules(tb.Context(), s, "big", rules, "test", time.Now()); err != nil {
		tb.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range 64 {
		all.Go(func() {
			for i := worker; i < many; i += 64 {
				bookCalls(tb, s, "big", fmt.Sprintf("+96650%07d", i), at)
			}
		})
	}
	all.Wait()
	return s
}

func bookCalls(tb testing.TB, s *badger.BadgerStore, orgID, number string, at time.Time) {
	id := call.NewID()
	_, err := s.BookCall(tb.Context(), call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "s", Booking: call.Booked,
		CreatedAt: time.Now(), ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}, "test", nil)
	if err != nil {
		tb.Error(err)
	}
}

// BenchmarkRelease books a call for now and measures the time to its release, while 100,000 other calls are booked for
// tomorrow, or are due and held back. µs/start is from the scheduler's start to its first release.
func BenchmarkRelease(b *testing.B) {
	for name, c := range map[string]struct {
		due   time.Duration
		rules callrules.CallRules
	}{
		"100000 booked":      {due: 24 * time.Hour},
		"100000 held back":   {due: -time.Hour, rules: callrules.CallRules{KillSwitch: true}},
		"organization full":  {due: -time.Hour, rules: callrules.CallRules{MaxConcurrent: 1}},
		"nothing else there": {},
	} {
		b.Run(name, func(b *testing.B) {
			var s *badger.BadgerStore
			if c.due == 0 {
				s = emptyStore(b)
			} else {
				s = fillDatabase(b, time.Now().Add(c.due), c.rules)
			}
			d := fairnessDialer{unansweredDialer{s, make(chan call.Call, 1)}}
			ctx, cancel := context.WithCancel(b.Context())
			began := time.Now()
			sched := scheduler.NewScheduler(scheduler.Dependencies{
				Store: s, Scenarios: anyScenario{}, Dialer: d, Lines: func() int { return 100 },
				Log: slog.New(slog.DiscardHandler),
			})
			ended := make(chan error)
			go func() { ended <- sched.Run(ctx) }()
			bookCalls(b, s, "small", "+966500000000", time.Now())
			<-d.released
			start := time.Since(began)
			for b.Loop() {
				bookCalls(b, s, "small", "+966500000000", time.Now())
				<-d.released
			}
			b.ReportMetric(float64(start.Microseconds()), "µs/start")
			cancel()
			if err := <-ended; err != nil {
				b.Error(err)
			}
		})
	}
}

// fairnessDialer keeps the calls of the big organization connected.
type fairnessDialer struct{ unansweredDialer }

func (d fairnessDialer) Run(ctx context.Context, c call.Call) error {
	if c.OrgID == "big" {
		<-ctx.Done()
		return nil
	}
	return d.unansweredDialer.Run(ctx, c)
}

func emptyStore(tb testing.TB) *badger.BadgerStore {
	tb.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err == nil {
		tb.Cleanup(func() { _ = s.Close() })
		err = s.CreateOrganization(tb.Context(), account.Organization{ID: "small", Name: "small", CreatedAt: time.Now()}, "test")
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkMove measures the time to move a call that is due in closed hours, of 100,000.
func BenchmarkMove(b *testing.B) {
	closed := callrules.CallRules{Holidays: []string{time.Now().UTC().Format(time.DateOnly)}}
	for range b.N {
		b.StopTimer()
		s := fillDatabase(b, time.Now().Add(-time.Hour), closed)
		b.StartTimer()
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error)
		began := time.Now()
		go func() {
			ended <- scheduler.NewScheduler(scheduler.Dependencies{
				Store: s, Scenarios: anyScenario{}, Dialer: fairnessDialer{}, Lines: func() int { return 10 },
				Log: slog.New(slog.DiscardHandler),
			}).Run(ctx)
		}()
		for {
			due, _, err := s.DueCallsOf(ctx, func(string) int { return 1 }, time.Now(), 1)
			if err != nil {
				b.Fatal(err)
			}
			if len(due) == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/many, "µs/call")
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
}
