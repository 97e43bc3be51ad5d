package service_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/store/memory"
	"munadi/store/scenario"
)

// bulkFixture is a store with calls, a clock, and a worker.
type bulkFixture struct {
	t     *testing.T
	store store.Store
	cases *service.UseCases
	now   time.Time
	who   service.Caller
}

func newBulkFixture(t *testing.T) *bulkFixture {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	f := &bulkFixture{t: t, store: s, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), who: service.Caller{OrgID: "acme", Actor: "user:1"}}
	f.cases = &service.UseCases{Store: s, Now: func() time.Time { return f.now }, BuiltIn: func() []scenario.Scenario { return nil }}
	for _, id := range []string{"acme", "other"} {
		f.mustSucceed(s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: f.now}, "test"))
	}
	return f
}

func (f *bulkFixture) mustSucceed(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// bookCalls books calls that are due in an hour.
func (f *bulkFixture) bookCalls(orgID, scenarioID string, n int) {
	f.t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			id := call.NewID()
			_, err := f.store.BookCall(f.t.Context(), call.Call{
				ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665000%05d", i), ScenarioID: scenarioID,
				Booking: call.Booked, CreatedAt: f.now, ScheduledAt: f.now.Add(time.Hour),
				Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
			}, "test", nil)
			if err != nil {
				f.t.Error(err)
			}
		})
	}
	all.Wait()
}

// start starts a bulk change of the orders.
func (f *bulkFixture) start(moveTo time.Time) bulk.BulkChange {
	f.t.Helper()
	c, err := f.cases.StartBulk(f.t.Context(), f.who, store.CallFilter{ScenarioID: "order", Sort: store.SortByDueTime}, moveTo)
	f.mustSucceed(err)
	return c
}

// workOff runs a worker until nothing must run now.
func (f *bulkFixture) workOff(cases *service.UseCases, alone bool) error {
	return (&service.BulkWorker{Cases: cases, Alone: alone, Log: slog.New(slog.DiscardHandler)}).ProcessPending(f.t.Context())
}

// wantScheduled fails unless an organization has this many scheduled calls.
func (f *bulkFixture) wantScheduled(what, orgID string, want int) {
	f.t.Helper()
	n, err := f.store.CountCalls(f.t.Context(), orgID, store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}}, 100_000)
	if err != nil || n != want {
		f.t.Errorf("%s: %s has %d scheduled calls, want %d, %v", what, orgID, n, want, err)
	}
}

// wantChange fails unless a change has that state and count.
func (f *bulkFixture) wantChange(id string, state bulk.ChangeState, changed, left int) {
	f.t.Helper()
	c, err := f.cases.FindBulk(f.t.Context(), "acme", id)
	if err != nil || c.State != state || c.Changed != changed || c.Left != left {
		f.t.Errorf("the change is %+v, want %s with %d and %d, %v", c, state, changed, left, err)
	}
}

// countEntries counts the audit entries of an action, by subject.
func (f *bulkFixture) countEntries(action string) map[string]int {
	f.t.Helper()
	count := map[string]int{}
	for cursor := ""; ; {
		page, err := f.store.AuditTrail(f.t.Context(), "acme", 200, cursor)
		f.mustSucceed(err)
		for _, e := range page.Items {
			if e.Action == action {
				count[e.Subject]++
			}
		}
		if cursor = page.Next; cursor == "" {
			return count
		}
	}
}

// wantEachOnce fails unless n calls have one audit entry each.
func (f *bulkFixture) wantEachOnce(action string, n int) {
	f.t.Helper()
	count := f.countEntries(action)
	if len(count) != n {
		f.t.Errorf("%d calls have an entry %s, want %d", len(count), action, n)
	}
	for id, times := range count {
		if times != 1 {
			f.t.Errorf("%s has %d entries %s", id, times, action)
		}
	}
}

// TestBulkChange checks that nothing happens before the undo time is over, and that then every matching scheduled call
// is changed, and no other.
func TestBulkChange(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	f.bookCalls("acme", "order", 450)
	f.bookCalls("acme", "visit", 3)
	f.bookCalls("other", "order", 2)
	undone := f.start(time.Time{})
	if undone.Count != 450 {
		t.Fatalf("%d calls match", undone.Count)
	}
	if err := f.cases.UndoBulk(t.Context(), "other", undone.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization undoes it: %v", err)
	}
	f.now = f.now.Add(service.UndoTime) // at the very end, before a worker has seen it
	for range 2 {
		f.mustSucceed(f.cases.UndoBulk(t.Context(), "acme", undone.ID))
	}
	f.mustSucceed(f.workOff(f.cases, true))
	f.wantScheduled("after it was undone", "acme", 453)
	done := f.start(time.Time{})
	f.mustSucceed(f.workOff(f.cases, true))
	f.wantScheduled("before it begins", "acme", 453)
	f.now = f.now.Add(service.UndoTime)
	f.mustSucceed(f.workOff(f.cases, true))
	f.wantChange(done.ID, bulk.Done, 450, 0)
	if err := f.cases.UndoBulk(t.Context(), "acme", done.ID); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("it is undone afterwards: %v", err)
	}
	f.wantScheduled("cancelled", "acme", 3)
	f.wantScheduled("cancelled", "other", 2)
	f.wantEachOnce("call.cancel", 450)
	if _, err := f.cases.FindBulk(t.Context(), "other", done.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization sees it: %v", err)
	}
}

// TestBulkBounds checks how many changes may wait, and until when.
func TestBulkBounds(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	orders := store.CallFilter{ScenarioID: "order", Sort: store.SortByDueTime}
	if _, err := f.cases.StartBulk(t.Context(), f.who, orders, f.now.Add(time.Minute)); store.CodeOf(err) != store.CodeInvalid {
		t.Errorf("moved to a minute from now: %v", err)
	}
	var first bulk.BulkChange
	for i := range bulk.MaxChanges {
		if c := f.start(time.Time{}); i == 0 {
			first = c
		}
	}
	if _, err := f.cases.StartBulk(t.Context(), f.who, orders, time.Time{}); !errors.Is(err, service.ErrBulkFull) {
		t.Errorf("one organization has no bound: %v", err)
	}
	if _, err := f.cases.StartBulk(t.Context(), service.Caller{OrgID: "other"}, orders, time.Time{}); err != nil {
		t.Errorf("one organization takes the room of another: %v", err)
	}
	f.now = f.now.Add(service.UndoTime)
	f.mustSucceed(f.workOff(f.cases, true))
	f.wantChange(first.ID, bulk.Done, 0, 0)
	f.start(time.Time{})
	if _, err := f.cases.FindBulk(t.Context(), "acme", first.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the oldest ended change is kept without room: %v", err)
	}
}

// dyingStore fails every change after a number of changes of calls, as if its appliance had died.
type dyingStore struct {
	store.Store
	mu   sync.Mutex
	left int
}

var errDead = errors.New("the appliance is dead")

func (s *dyingStore) spend(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left -= n; s.left < 0 {
		return errDead
	}
	return nil
}

func (s *dyingStore) CancelCall(ctx context.Context, orgID, id, actor string, now time.Time) (call.Call, error) {
	if err := s.spend(1); err != nil {
		return call.Call{}, err
	}
	return s.Store.CancelCall(ctx, orgID, id, actor, now)
}

func (s *dyingStore) RescheduleCall(
	ctx context.Context, orgID, id string, at time.Time, how call.BookingOutcome, actor string, now time.Time,
) (call.Call, error) {
	if err := s.spend(1); err != nil {
		return call.Call{}, err
	}
	return s.Store.RescheduleCall(ctx, orgID, id, at, how, actor, now)
}

func (s *dyingStore) ChangeBulk(
	ctx context.Context, orgID string, change func(*bulk.BulkBoard) error,
) (bulk.BulkBoard, error) {
	if err := s.spend(0); err != nil {
		return bulk.BulkBoard{}, err
	}
	return s.Store.ChangeBulk(ctx, orgID, change)
}

// TestBulkAfterDeath checks that a change that an appliance left unfinished is continued by another, each call once,
// after the claim has expired; a single appliance continues at once after its restart.
func TestBulkAfterDeath(t *testing.T) {
	t.Parallel()
	for _, moves := range []bool{false, true} {
		for _, alone := range []bool{false, true} {
			t.Run(fmt.Sprintf("moves %v alone %v", moves, alone), func(t *testing.T) {
				t.Parallel()
				f := newBulkFixture(t)
				f.bookCalls("acme", "order", 450)
				var at time.Time
				action := "call.cancel"
				if moves {
					at, action = f.now.Add(5*time.Hour), "call.reschedule"
				}
				c := f.start(at)
				f.now = f.now.Add(service.UndoTime)
				dying := *f.cases
				dying.Store = &dyingStore{Store: f.store, left: 270}
				if err := f.workOff(&dying, alone); !errors.Is(err, errDead) {
					t.Fatalf("the worker does not die: %v", err)
				}
				f.wantChange(c.ID, bulk.Running, 200, 0)
				f.mustSucceed(f.workOff(f.cases, alone))
				if !alone {
					f.wantChange(c.ID, bulk.Running, 200, 0)
					f.now = f.now.Add(bulk.ClaimTime)
					f.mustSucceed(f.workOff(f.cases, alone))
				}
				f.wantChange(c.ID, bulk.Done, 450, 0)
				f.wantEachOnce(action, 450)
			})
		}
	}
}

// suspendedStore calls suspend once, after the change of the board that records a batch.
type suspendedStore struct {
	store.Store
	suspend func()
}

func (s *suspendedStore) ChangeBulk(
	ctx context.Context, orgID string, change func(*bulk.BulkBoard) error,
) (bulk.BulkBoard, error) {
	b, err := s.Store.ChangeBulk(ctx, orgID, change)
	if s.suspend != nil && err == nil && len(b.Changes[0].Batch) > 0 {
		suspend := s.suspend
		s.suspend = nil
		suspend()
	}
	return b, err
}

// TestBulkAfterSuspension: a worker that is suspended for longer than its claim, while another finishes the change,
// changes no call a second time.
func TestBulkAfterSuspension(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	f.bookCalls("acme", "order", 30)
	c := f.start(f.now.Add(5 * time.Hour))
	f.now = f.now.Add(service.UndoTime)
	suspended := *f.cases
	suspended.Store = &suspendedStore{Store: f.store, suspend: func() {
		f.now = f.now.Add(bulk.ClaimTime)
		f.mustSucceed(f.workOff(f.cases, false))
		f.wantChange(c.ID, bulk.Done, 30, 0)
	}}
	if err := f.workOff(&suspended, false); err == nil {
		t.Error("the suspended worker does not notice that its claim is lost")
	}
	f.wantChange(c.ID, bulk.Done, 30, 0)
	f.wantEachOnce("call.reschedule", 30)
}

// TestBulkByMany checks that of several concurrent workers one changes each call.
func TestBulkByMany(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	f.bookCalls("acme", "order", 900)
	c := f.start(f.now.Add(5 * time.Hour))
	f.now = f.now.Add(service.UndoTime)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				if err := f.workOff(f.cases, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f.wantChange(c.ID, bulk.Done, 900, 0)
	f.wantEachOnce("call.reschedule", 900)
}

// TestBulkBroken checks that a change whose store always fails ends, and so does one with a filter that this version
// does not know; neither changes a call.
func TestBulkBroken(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	f.bookCalls("acme", "order", 3)
	c := f.start(time.Time{})
	_, err := f.store.ChangeBulk(t.Context(), "acme", func(b *bulk.BulkBoard) error {
		b.FindChange(c.ID).Filter = []byte(`{"ScenarioID":"order","Newer":"part"}`)
		return nil
	})
	f.mustSucceed(err)
	for range bulk.MaxTries {
		f.now = f.now.Add(bulk.ClaimTime)
		if f.workOff(f.cases, false) == nil {
			t.Error("an unknown filter is accepted")
		}
	}
	f.now = f.now.Add(bulk.ClaimTime)
	f.mustSucceed(f.workOff(f.cases, false))
	f.wantChange(c.ID, bulk.Broken, 0, 0)
	f.wantScheduled("broken", "acme", 3)
}

// TestProgressIsPublished: open pages are notified when a change begins, after each batch and at its end, and not of
// changes of other organizations.
func TestProgressIsPublished(t *testing.T) {
	t.Parallel()
	f := newBulkFixture(t)
	f.bookCalls("acme", "order", 3)
	f.bookCalls("other", "order", 1)
	c := f.start(time.Time{})
	var told []string
	w := &service.BulkWorker{Cases: f.cases, Alone: true, Log: slog.New(slog.DiscardHandler)}
	w.Publish = func(orgID, id string) {
		now, err := f.cases.FindBulk(t.Context(), orgID, id)
		f.mustSucceed(err)
		told = append(told, fmt.Sprintf("%s %s %d", orgID, now.State, now.Changed))
	}
	f.mustSucceed(w.ProcessPending(t.Context()))
	if len(told) > 0 {
		t.Errorf("before it begins: %q", told)
	}
	f.now = c.BeginsAt
	f.mustSucceed(w.ProcessPending(t.Context()))
	if want := []string{"acme running 0", "acme done 3"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
