// Package scheduler dispatches due calls to lines, with fair queuing across organizations.
//
// It wakes up when a call was booked, moved or ended, a line was freed, or the next call's time has come; every 2
// seconds while the carrier accepts no more calls, and every 30 seconds in any case, which also bounds the effect of a
// changed clock. [callrules.DecideCall] alone decides about a due call, right before its release.
//
// Order: an organization's calls are dialled in order of their times, except those that try a paused trunk. Among
// organizations that wait for lines, the one with the fewest lines is first, then the one that has waited longest: one
// organization's backlog delays others by one call, not by its length. An organization that may not dial (kill switch,
// concurrency limit) is skipped at the cost of one seek.
//
// At start it fails the calls that a crash left running (crash recovery). It does not redial them: the retry plan does.
// It depends on the store and a dialer, not on carriers or conversations.
package scheduler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/scenario"
)

const (
	pollInterval = 30 * time.Second // polling interval without other events
	askEvery     = 2 * time.Second  // polling interval while the carrier accepts no more calls
	retryAfter   = time.Second      // after a failed round
	longRest     = time.Second      // maximum pause between two rounds
)

// actor is the scheduler's name in timelines.
const actor = "scheduler"

// SchedulerStore is the part of the store that the scheduler uses.
type SchedulerStore interface {
	DueCallsOf(ctx context.Context, room func(orgID string) int, now time.Time, limit int) ([]call.Call, time.Time, error)
	DueCampaignCalls(
		ctx context.Context, room func(c campaign.Campaign) int, now time.Time, limit int,
	) ([]call.Call, time.Time, error)
	ChangeCampaign(
		ctx context.Context, orgID, id string, action store.CampaignAction, actor string, now time.Time,
	) (campaign.Campaign, error)
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

// CallDialer makes one attempt and stores its outcome.
type CallDialer interface {
	Run(ctx context.Context, c call.Call) error
}

// Dependencies are the dependencies of a scheduler.
type Dependencies struct {
	Store     SchedulerStore
	Scenarios ScenarioFinder
	Dialer    CallDialer
	Lines     func() int // concurrent calls that the carrier accepts; 0 while it accepts none
	Reserved  func() int // of them, for inbound calls; nil: none
	// Room returns a function that takes a line for a number, and reports whether one that serves it is free, when the
	// calls to held numbers have theirs. Nil: every line serves every number.
	Room func(held []string) (take func(number string) bool)
	// Trials returns, for each paused trunk that the next call tries, which numbers it serves. Nil: there are none.
	Trials func() []func(number string) bool
	// CanSpeak checks whether every prompt of a call can be spoken: a call for which it fails with [tts.ErrNoVoice] is
	// stopped, with another error it is retried later. It may take a while. Nil: no check.
	CanSpeak func(ctx context.Context, c call.Call) error
	// Mend repairs the recording of a rescued call. Nil: no recordings.
	Mend  func(ctx context.Context, name string) error
	Grace time.Duration // how long running calls may continue after a stop (graceful shutdown)
	// Report receives the result of each round, nil included. May be nil.
	Report func(error)
	Log    *slog.Logger
}

// Scheduler releases due calls. Run must not be called concurrently.
type Scheduler struct {
	Dependencies
	lines   lineTable
	rescued atomic.Bool                     // the calls that a crash left running were ended
	inbound atomic.Pointer[context.Context] // ends when running calls are to end
	pace    map[string]time.Time            // by campaign with a pace: when its next call may start
}

// NewScheduler creates a scheduler.
func NewScheduler(deps Dependencies) *Scheduler {
	if deps.CanSpeak == nil {
		deps.CanSpeak = func(context.Context, call.Call) error { return nil }
	}
	if deps.Report == nil {
		deps.Report = func(error) {}
	}
	if deps.Room == nil {
		deps.Room = func([]string) func(string) bool { return func(string) bool { return true } }
	}
	if deps.Trials == nil {
		deps.Trials = func() []func(string) bool { return nil }
	}
	return &Scheduler{Dependencies: deps, lines: newLineTable(), pace: map[string]time.Time{}}
}

// HoldsCall reports whether a call has a line, or may still be one that a crash left running.
func (s *Scheduler) HoldsCall(id string) bool { return !s.rescued.Load() || s.lines.holdsLine(id) }

// outboundLines counts the lines that are free for outbound calls.
func (s *Scheduler) outboundLines() int {
	reserved := 0
	if s.Reserved != nil {
		reserved = s.Reserved()
	}
	return s.Lines() - s.lines.takenFromOutbound(reserved)
}

// HeldLines returns the number of lines in use.
func (s *Scheduler) HeldLines() int { return s.lines.heldLines() }

// Run rescues the calls that a crash left running, then releases calls until ctx ends, and returns when the last
// running call has ended, by itself or when Grace was over (graceful shutdown). Its error is that of the rescue.
func (s *Scheduler) Run(ctx context.Context) error {
	if err := s.rescueCalls(ctx); err != nil {
		return err
	}
	s.rescued.Store(true)
	calls, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	s.inbound.Store(&calls)
	s.lines.setOpen(true)
	defer s.lines.setOpen(false)
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

// waitAfterRound pauses for as long as the round took, so that many events use at most half of one CPU core.
func waitAfterRound(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// waitForWork waits for the next event or polling time.
func (s *Scheduler) waitForWork(ctx context.Context, woken <-chan struct{}, next time.Time, err error) {
	d := pollInterval
	switch {
	case err != nil:
		s.Log.Error("due calls cannot be released", "err", err)
		woken, d = nil, retryAfter
	case s.outboundLines() <= 0: // the carrier does not say when it accepts more
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

// runGuardedRound runs a round; a panic becomes an error.
func (s *Scheduler) runGuardedRound(ctx, calls context.Context) (next time.Time, err error) {
	err = recovery.RecoverPanic(func() (err error) {
		next, err = s.newRound(ctx, calls).runRound()
		return err
	})
	return next, err
}

// drainCalls waits for the running calls, and ends them after Grace.
func (s *Scheduler) drainCalls(end context.CancelFunc) error {
	s.lines.setOpen(false)
	if n := s.lines.heldLines(); n > 0 {
		s.Log.Info("waiting for running calls to end", "calls", n, "at_most", s.Grace)
	}
	timer := time.AfterFunc(s.Grace, end)
	defer timer.Stop()
	s.lines.running.Wait()
	return nil
}

// rescueCalls is crash recovery: it fails the calls that were running when the process died, and repairs their
// recordings. It runs before the first release, when no call holds a line. A stop lets the repairs end: no later start
// finds these calls.
func (s *Scheduler) rescueCalls(ctx context.Context) error {
	calls, err := s.Store.RescueCalls(ctx, time.Now())
	if err != nil {
		return fmt.Errorf("the calls that were running cannot be ended: %w", err)
	}
	for _, c := range calls {
		s.Log.Warn("a call was cut off by a stop of the appliance", "call_id", c.ID, "org", c.OrgID)
		if c.Recording == "" || s.Mend == nil {
			continue
		}
		if err := s.Mend(context.WithoutCancel(ctx), c.Recording); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Log.Error("a recording cannot be repaired", "call_id", c.ID, "err", err)
		}
	}
	return nil
}
