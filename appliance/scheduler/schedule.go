// Package scheduler hands calls to lines when they are due.
//
// It looks at what is due whenever something may have changed: a call was booked, moved or ended, a line came free,
// the next call's time has come; every 2 seconds while the carrier takes no calls, and every 30 in any case, which also
// bounds what a clock that is set forward or back can do. What becomes of a due call is judged in one place,
// [callrules.DecideCall], right before its release.
//
// Order: an organization's calls go in the order of their times. Between organizations that wait for lines, the one
// that holds the fewest goes first, then the one that has waited longest: a backlog of one delays the others by a call,
// not by its length. An organization that may not or cannot dial (kill switch, its own limit of lines) is passed over
// whole, at the cost of one look.
//
// At its start it ends the calls that a crash left running. It never dials such a call again: that is what the retry
// plan is for. It knows the store and who dials; neither carriers nor conversations.
package scheduler

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

const (
	lookEvery  = 30 * time.Second // when nothing else wakes it
	askEvery   = 2 * time.Second  // whether the carrier takes calls again
	retryAfter = time.Second      // after a pass that failed
	longRest   = time.Second      // the most that it rests between two passes
)

// actor is who moves calls, in their timelines.
const actor = "scheduler"

// SchedulerStore is what the scheduler needs of it.
type SchedulerStore interface {
	DueCallsOf(
		ctx context.Context, room func(orgID string) int, now time.Time, limit int,
	) ([]call.Call, time.Time, error)
	ReleaseCall(ctx context.Context, orgID, id string, now time.Time) (call.Call, error)
	RescheduleCall(
		ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
	) (call.Call, error)
	StopCall(ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time) (call.Call, error)
	RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error)
	CountAttempts(ctx context.Context, orgID, number string, since, until time.Time) (int, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	FindSuppression(ctx context.Context, orgID, number string, now time.Time) (*callrules.SuppressionEntry, error)
	WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func())
}

// ScenarioFinder finds an organization's scenario, built-in ones included. [store.CodeNotFound] without one.
type ScenarioFinder interface {
	Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

// CallDialer makes one attempt and keeps its outcome.
type CallDialer interface {
	Run(ctx context.Context, c call.Call) error
}

// Dependencies is what a scheduler works with.
type Dependencies struct {
	Store     SchedulerStore
	Scenarios ScenarioFinder
	Dialer    CallDialer
	Lines     func() int // how many calls the carrier takes at once; 0 while it takes none
	// CanSpeak says whether everything in a call can be spoken: a call for which it fails with [tts.ErrNoVoice] is
	// stopped, with another error it is tried again later. It may take a while. Nil: everything can.
	CanSpeak func(ctx context.Context, c call.Call) error
	// Mend repairs the recording of a rescued call. Nil: nothing is recorded.
	Mend  func(name string) error
	Grace time.Duration // for running calls at the stop, before they are ended
	// Report is told how each pass ended, nil included. May be nil.
	Report func(error)
	Log    *slog.Logger
}

// Scheduler releases calls. Run is called once at a time.
type Scheduler struct {
	Dependencies
	lines lineTable
}

// NewScheduler makes a scheduler.
func NewScheduler(deps Dependencies) *Scheduler {
	if deps.CanSpeak == nil {
		deps.CanSpeak = func(context.Context, call.Call) error { return nil }
	}
	if deps.Report == nil {
		deps.Report = func(error) {}
	}
	return &Scheduler{Dependencies: deps, lines: newLines()}
}

// HeldLines is how many lines are held.
func (s *Scheduler) HeldLines() int { return s.lines.heldLines() }

// Run rescues what a crash left, then releases calls until ctx ends, and returns when the last running call has ended:
// by itself, or after Grace because it was told to. Its error is that of the rescue.
func (s *Scheduler) Run(ctx context.Context) error {
	if err := s.rescueCalls(ctx); err != nil {
		return err
	}
	calls, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	woken, stop := s.Store.WatchKind(store.CallsChanged)
	defer stop()
	for ctx.Err() == nil {
		began := time.Now()
		next, err := s.runGuardedRound(ctx, calls)
		if ctx.Err() != nil {
			break
		}
		s.Report(err)
		waitAfterRound(ctx, min(time.Since(began), longRest))
		s.waitForWork(ctx, woken, next, err)
	}
	return s.drainCalls(end)
}

// waitAfterRound rests for as long as the pass took, so that many changes cost at most half of one processor.
func waitAfterRound(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// waitForWork returns when another look is due.
func (s *Scheduler) waitForWork(ctx context.Context, woken <-chan struct{}, next time.Time, err error) {
	d := lookEvery
	switch {
	case err != nil:
		s.Log.Error("due calls cannot be released", "err", err)
		woken, d = nil, retryAfter
	case s.Lines() == 0:
		d = askEvery
	case !next.IsZero():
		d = min(d, time.Until(next))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	freed := s.lines.freed
	if err != nil {
		freed = nil
	}
	select {
	case <-woken:
	case <-freed:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// runGuardedRound is a pass whose panic is an error.
func (s *Scheduler) runGuardedRound(ctx, calls context.Context) (next time.Time, err error) {
	err = recovery.RecoverPanic(func() (err error) {
		next, err = s.newPass(ctx, calls).runRound()
		return err
	})
	return next, err
}

// drainCalls waits for the running calls, and ends them after a while.
func (s *Scheduler) drainCalls(end context.CancelFunc) error {
	if n := s.lines.heldLines(); n > 0 {
		s.Log.Info("waiting for running calls to end", "calls", n, "at_most", s.Grace)
	}
	timer := time.AfterFunc(s.Grace, end)
	defer timer.Stop()
	s.lines.running.Wait()
	return nil
}
