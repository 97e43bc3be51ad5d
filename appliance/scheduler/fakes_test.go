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

// books is a small store. Its rules about statuses are those of package call.
type books struct {
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
	attempts []attempt
}

type attempt struct {
	number string
	at     time.Time
}

func newBooks() *books {
	return &books{
		calls: map[string]call.Call{}, rules: map[string]callrules.CallRules{}, suppressed: map[string]bool{},
		plans: map[string]scenario.Scenario{"s": {}}, woken: make(chan struct{}, 1),
	}
}

// book adds a call of an organization that is due at a time.
func (b *books) book(org, id string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := fmt.Sprintf("+96650%07d", len(b.order))
	b.calls[id] = call.Call{ID: id, OrgID: org, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "s", ScheduledAt: at}
	b.order = append(b.order, id)
	b.wake()
}

func (b *books) wake() {
	select {
	case b.woken <- struct{}{}:
	default:
	}
}

func (b *books) setRules(org string, r callrules.CallRules) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules[org] = r
	b.wake()
}

func (b *books) get(id string) call.Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls[id]
}

// ask is a question that may fail.
func (b *books) ask(fact string) error {
	if b.fail != nil {
		return b.fail(fact)
	}
	return nil
}

// change is one fact about a call.
func (b *books) change(fact, id string, how func(call.Call) (call.Call, error)) (call.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.ask(fact); err != nil {
		return call.Call{}, err
	}
	c, err := how(b.calls[id])
	var refused *call.TransitionError
	if errors.As(err, &refused) {
		return c, store.Errorf(store.CodeConflict, "%s", err)
	}
	b.calls[id] = c
	b.wake()
	return c, err
}

func (b *books) DueCallsOf(
	_ context.Context, room func(string) int, now time.Time, limit int,
) (due []call.Call, next time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.ask("due"); err != nil {
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

func (b *books) DueCampaignCalls(
	context.Context, func(campaign.Campaign) int, time.Time, int,
) ([]call.Call, time.Time, error) {
	return nil, time.Time{}, nil
}

func (b *books) ChangeCampaign(
	context.Context, string, string, store.CampaignAction, string, time.Time,
) (campaign.Campaign, error) {
	return campaign.Campaign{}, nil
}

func (b *books) ReleaseCall(_ context.Context, _, id string, now time.Time) (call.Call, error) {
	return b.change("release", id, func(c call.Call) (call.Call, error) {
		b.attempts = append(b.attempts, attempt{c.PhoneNumber, now})
		return c.ReleaseToLine(now)
	})
}

func (b *books) RescheduleCall(
	_ context.Context, _, id string, at time.Time, how call.BookingOutcome, _ string, _ time.Time,
) (call.Call, error) {
	return b.change("move", id, func(c call.Call) (call.Call, error) { return c.RescheduleTo(at, how) })
}

func (b *books) StopCall(_ context.Context, _, id string, why call.FailureReason, now time.Time) (call.Call, error) {
	return b.change("stop", id, func(c call.Call) (call.Call, error) { return c.StopAtRelease(why, now) })
}

func (b *books) RescueCalls(_ context.Context, now time.Time) (rescued []call.Call, err error) {
	for _, id := range b.order {
		if c := b.get(id); c.Status.IsRunning() {
			c, err = b.change("rescue", id, func(c call.Call) (call.Call, error) { return c.RescueInterrupted(now) })
			rescued = append(rescued, c)
		}
	}
	return rescued, err
}

func (b *books) CountAttempts(_ context.Context, _, number string, since, until time.Time) (int, error) {
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

func (b *books) FindRules(_ context.Context, org string) (callrules.CallRules, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rules[org], b.ask("rules " + org)
}

func (b *books) FindSuppression(_ context.Context, _, number string, _ time.Time) (*callrules.SuppressionEntry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.suppressed[number] {
		return &callrules.SuppressionEntry{PhoneNumber: number}, nil
	}
	return nil, b.ask("suppression")
}

func (b *books) WatchKind(store.ChangeKind) (<-chan struct{}, func()) { return b.woken, func() {} }

func (b *books) Scenario(_ context.Context, _, id string) (scenario.Scenario, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s, found := b.plans[id]; found {
		return s, nil
	}
	return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "no scenario %q", id)
}

// phones dial: each call lasts a while, and ends well unless its context ends first.
type phones struct {
	books *books
	lasts time.Duration

	mu    sync.Mutex
	up    map[string]int // calls by organization
	most  int            // at once
	taken []string       // in the order of their release
	when  map[string]time.Time
}

func (p *phones) Run(ctx context.Context, c call.Call) error {
	p.mu.Lock()
	p.taken = append(p.taken, c.ID)
	p.when[c.ID] = time.Now()
	p.up[c.OrgID]++
	p.most = max(p.most, p.total())
	p.mu.Unlock()
	defer func() { p.mu.Lock(); defer p.mu.Unlock(); p.up[c.OrgID]-- }()
	o := call.CallOutcome{Status: call.NoAnswer}
	select {
	case <-time.After(p.lasts):
	case <-ctx.Done():
		o = call.CallOutcome{Status: call.Failed, Failure: &call.CallFailure{Reason: call.Interrupted}}
	}
	_, err := p.books.change("finish", c.ID, func(c call.Call) (call.Call, error) { return c.EndWith(o, time.Now()) })
	return err
}

func (p *phones) total() (n int) {
	for _, m := range p.up {
		n += m
	}
	return n
}

// lines are those that an organization holds, and the most that all held at once.
func (p *phones) lines(org string) (now, most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.up[org], p.most
}

// dialled is when a call was; zero if it was not.
func (p *phones) dialled(id string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.when[id]
}

// released is what was released so far, in order.
func (p *phones) released() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.taken)
}

// world is a scheduler on a clock of its own.
type world struct {
	*books
	phones *phones
	deps   scheduler.Dependencies
	end    func() // stops it and waits for its end
}

// newWorld makes one whose calls last a minute; begin starts it.
func newWorld(lines int) *world {
	b := newBooks()
	p := &phones{books: b, lasts: time.Minute, up: map[string]int{}, when: map[string]time.Time{}}
	return &world{books: b, phones: p, deps: scheduler.Dependencies{
		Store: b, Scenarios: b, Dialer: p, Lines: func() int { return lines }, Grace: 25 * time.Second,
		Log: slog.New(slog.DiscardHandler),
	}}
}

func (w *world) begin(t *testing.T) {
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

// sleep lets time pass and everything happen that it brings.
func sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func within(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
