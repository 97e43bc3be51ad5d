package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/scheduler"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/scenario"
)

// fakeStore is a store in memory with the status transitions of package call.
type fakeStore struct {
	mu         sync.Mutex
	calls      map[string]call.Call
	order      []string // of booking
	rules      map[string]callrules.CallRules
	suppressed map[string]bool
	plans      map[string]scenario.Scenario
	woken      chan struct{}
	fail       func(fact string) error

	looks    int // DueCallsOf
	read     int // calls that it returned
	attempts []callAttempt
}

type callAttempt struct {
	number string
	at     time.Time
}

func newBooks() *fakeStore {
	return &fakeStore{
		calls: map[string]call.Call{}, rules: map[string]callrules.CallRules{}, suppressed: map[string]bool{},
		plans: map[string]scenario.Scenario{"s": {}}, woken: make(chan struct{}, 1),
	}
}

// bookCall adds a call of an organization with a dial time.
func (b *fakeStore) bookCall(org, id string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := fmt.Sprintf("+96650%07d", len(b.order))
	b.calls[id] = call.Call{ID: id, OrgID: org, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "s", ScheduledAt: at}
	b.order = append(b.order, id)
	b.wakeScheduler()
}

func (b *fakeStore) wakeScheduler() {
	select {
	case b.woken <- struct{}{}:
	default:
	}
}

func (b *fakeStore) setRules(org string, r callrules.CallRules) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules[org] = r
	b.wakeScheduler()
}

func (b *fakeStore) findCall(id string) call.Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls[id]
}

// askFaulty returns the method's error if one is set.
func (b *fakeStore) askFaulty(fact string) error {
	if b.fail != nil {
		return b.fail(fact)
	}
	return nil
}

// changeCall applies a change to a call.
func (b *fakeStore) changeCall(fact, id string, how func(call.Call) (call.Call, error)) (call.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.askFaulty(fact); err != nil {
		return call.Call{}, err
	}
	c, err := how(b.calls[id])
	if _, ok := errors.AsType[*call.TransitionError](err); ok {
		return c, store.Errorf(store.CodeConflict, "%s", err)
	}
	b.calls[id] = c
	b.wakeScheduler()
	return c, err
}

func (b *fakeStore) DueCallsOf(
	_ context.Context, room func(string) int, now time.Time, limit int,
) (due []call.Call, next time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.askFaulty("due"); err != nil {
		return nil, next, err
	}
	b.looks++
	var all []call.Call
	rooms := map[string]int{}
	for _, id := range b.order {
		c := b.calls[id]
		if _, asked := rooms[c.OrgID]; !asked {
			rooms[c.OrgID] = room(c.OrgID)
		}
		if c.Status == call.Scheduled && rooms[c.OrgID] > 0 {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b call.Call) int { return a.ScheduledAt.Compare(b.ScheduledAt) })
	for _, c := range all {
		switch {
		case c.ScheduledAt.After(now):
			if next.IsZero() {
				next = c.ScheduledAt
			}
		case rooms[c.OrgID] > 0 && len(due) < limit:
			rooms[c.OrgID]--
			due = append(due, c)
		}
	}
	b.read += len(due)
	return due, next, nil
}

func (b *fakeStore) DueCampaignCalls(
	context.Context, func(campaign.Campaign) int, time.Time, int,
) ([]call.Call, time.Time, error) {
	return nil, time.Time{}, nil
}

func (b *fakeStore) ChangeCampaign(
	context.Context, string, string, store.CampaignAction, string, time.Time,
) (campaign.Campaign, error) {
	return campaign.Campaign{}, nil
}

func (b *fakeStore) ReleaseCall(_ context.Context, _, id string, now time.Time) (call.Call, error) {
	return b.changeCall("release", id, func(c call.Call) (call.Call, error) {
		b.attempts = append(b.attempts, callAttempt{c.PhoneNumber, now})
		return c.ReleaseToLine(now)
	})
}

func (b *fakeStore) RescheduleCall(
	_ context.Context, _, id string, at time.Time, how call.BookingOutcome, _ string, _ time.Time,
) (call.Call, error) {
	return b.changeCall("move", id, func(c call.Call) (call.Call, error) { return c.RescheduleTo(at, how) })
}

func (b *fakeStore) StopCall(_ context.Context, _, id string, why call.FailureReason, now time.Time) (call.Call, error) {
	return b.changeCall("stop", id, func(c call.Call) (call.Call, error) { return c.StopAtRelease(why, now) })
}

func (b *fakeStore) RescueCalls(_ context.Context, now time.Time) (rescued []call.Call, err error) {
	for _, id := range b.order {
		if c := b.findCall(id); c.Status.IsRunning() {
			c, err = b.changeCall("rescue", id, func(c call.Call) (call.Call, error) { return c.RescueInterrupted(now) })
			rescued = append(rescued, c)
		}
	}
	return rescued, err
}

func (b *fakeStore) CountAttempts(_ context.Context, _, number string, since, until time.Time) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, a := range b.attempts {
		if a.number == number && !a.at.Before(since) && !a.at.After(until) {
			n++
		}
	}
	return n, nil
}

func (b *fakeStore) FindRules(_ context.Context, org string) (callrules.CallRules, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rules[org], b.askFaulty("rules " + org)
}

func (b *fakeStore) FindSuppression(_ context.Context, _, number string, _ time.Time) (*callrules.SuppressionEntry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.suppressed[number] {
		return &callrules.SuppressionEntry{PhoneNumber: number}, nil
	}
	return nil, b.askFaulty("suppression")
}

func (b *fakeStore) WatchKind(store.ChangeKind) (<-chan struct{}, func()) { return b.woken, func() {} }

func (b *fakeStore) Scenario(_ context.Context, _, id string) (scenario.Scenario, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s, found := b.plans[id]; found {
		return s, nil
	}
	return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "no scenario %q", id)
}

// fakePhones is a dialer whose calls last a while and complete, unless their context ends first.
type fakePhones struct {
	books *fakeStore
	lasts time.Duration

	mu    sync.Mutex
	up    map[string]int // calls by organization
	most  int            // at once
	taken []string       // in the order of their release
	when  map[string]time.Time
}

func (p *fakePhones) Run(ctx context.Context, c call.Call) error {
	p.mu.Lock()
	p.taken = append(p.taken, c.ID)
	p.when[c.ID] = time.Now()
	p.up[c.OrgID]++
	p.most = max(p.most, p.totalDialled())
	p.mu.Unlock()
	defer func() { p.mu.Lock(); defer p.mu.Unlock(); p.up[c.OrgID]-- }()
	o := call.CallOutcome{Status: call.NoAnswer}
	select {
	case <-time.After(p.lasts):
	case <-ctx.Done():
		o = call.CallOutcome{Status: call.Failed, Failure: &call.CallFailure{Reason: call.Interrupted}}
	}
	_, err := p.books.changeCall("finish", c.ID, func(c call.Call) (call.Call, error) { return c.EndWith(o, time.Now()) })
	return err
}

func (p *fakePhones) totalDialled() (n int) {
	for _, m := range p.up {
		n += m
	}
	return n
}

// countLines returns the number of lines of an organization, and the largest number of lines in use by all.
func (p *fakePhones) countLines(org string) (now, most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.up[org], p.most
}

// dialledAt returns when a call was dialled; zero if it was not.
func (p *fakePhones) dialledAt(id string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.when[id]
}

// releasedCalls returns the released calls so far, in order.
func (p *fakePhones) releasedCalls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.taken)
}

// schedulerFixture is a scheduler with a fake clock.
type schedulerFixture struct {
	*fakeStore
	phones *fakePhones
	deps   scheduler.Dependencies
	end    func() // stops it and waits for its end
}

// newWorld returns a fixture whose calls last a minute; begin starts it.
func newWorld(lines int) *schedulerFixture {
	b := newBooks()
	p := &fakePhones{books: b, lasts: time.Minute, up: map[string]int{}, when: map[string]time.Time{}}
	return &schedulerFixture{fakeStore: b, phones: p, deps: scheduler.Dependencies{
		Store: b, Scenarios: b, Dialer: p, Lines: func() int { return lines }, Grace: 25 * time.Second,
		Log: slog.New(slog.DiscardHandler),
	}}
}

func (w *schedulerFixture) beginFixture(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- scheduler.NewScheduler(w.deps).Run(ctx) }()
	w.end = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	synctest.Wait()
}

// advanceTime advances the clock and runs everything that happens until then.
func advanceTime(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func isWithin(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
