package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"munadi/store"
	"munadi/store/call"
)

// The bounds of bulk changes.
const (
	UndoTime      = 10 * time.Second // from the request to the first change
	MaxBulkCalls  = 100_000          // calls that one change covers
	bulkWriters   = 16               // calls that are changed at once
	bulkTimeout   = 30 * time.Minute
	keepBulk      = time.Hour // how long the result can be read
	maxBulkWaits  = 50        // changes that wait, run or are kept, of all organizations
	bulkShare     = 10        // of them, those of one organization
	bulkPageCalls = 200       // calls read at once
)

// BulkChange is a change of all scheduled calls that a filter matches when it begins, [UndoTime] after the request.
// It lives in memory: a change that a stop of the appliance interrupts is not resumed, and the calls that it had not
// reached stay as they are.
type BulkChange struct {
	ID       string
	Caller   Caller
	Filter   store.CallFilter
	MoveTo   time.Time // zero: the calls are cancelled
	Count    int       // calls that matched when it was asked for
	BeginsAt time.Time
	State    BulkState
	Changed  int // calls changed so far
	Left     int // calls that could not be changed: dialled or ended meanwhile, or outside calling hours
}

// ErrBulkFull means that the limit of waiting and running bulk changes is reached: try again later.
var ErrBulkFull = errors.New("too many changes wait; try again in a while")

// BulkState is the state of a bulk change.
type BulkState string

// States of a bulk change.
const (
	BulkWaiting BulkState = "waiting" // it can be undone
	BulkRunning BulkState = "running"
	BulkDone    BulkState = "done"
	BulkUndone  BulkState = "undone"
	BulkBroken  BulkState = "broken" // the store failed in the middle
)

// BulkChanges holds the bulk changes of all organizations. It is safe for concurrent use.
type BulkChanges struct {
	cases *UseCases
	after func(d time.Duration, f func()) // time.AfterFunc, but for tests
	mu    sync.Mutex
	all   map[string]*BulkChange
}

// NewBulkChanges returns an empty set. after nil uses the real clock.
func NewBulkChanges(u *UseCases, after func(time.Duration, func())) *BulkChanges {
	if after == nil {
		after = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	return &BulkChanges{cases: u, after: after, all: map[string]*BulkChange{}}
}

// StartChange counts the scheduled calls that a filter matches and changes them after [UndoTime]; moveTo zero cancels
// them. It returns [store.CodeInvalid] for a time to which no call may be moved, and [ErrBulkFull] when too many
// changes wait.
func (b *BulkChanges) StartChange(
	ctx context.Context, who Caller, f store.CallFilter, moveTo time.Time,
) (BulkChange, error) {
	now := b.cases.now()
	if !moveTo.IsZero() && !call.IsReschedulable(moveTo, now) {
		return BulkChange{}, store.Errorf(store.CodeInvalid,
			"the time must lie at least 10 minutes and at most 30 days ahead")
	}
	f.Statuses, f.Limit, f.Cursor = []call.CallStatus{call.Scheduled}, bulkPageCalls, ""
	n, err := b.cases.Store.CountCalls(ctx, who.OrgID, f, MaxBulkCalls)
	if err != nil {
		return BulkChange{}, err
	}
	c := BulkChange{
		ID: uuid.NewString(), Caller: who, Filter: f, MoveTo: moveTo, Count: n,
		BeginsAt: now.Add(UndoTime), State: BulkWaiting,
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.hasRoom(who.OrgID, now) {
		return BulkChange{}, ErrBulkFull
	}
	b.all[c.ID] = &c
	b.after(UndoTime, func() { b.runChange(c.ID) }) //nolint:contextcheck // it begins after the request has ended
	return c, nil
}

// hasRoom drops what is kept no longer and reports whether a further change of an organization may wait.
func (b *BulkChanges) hasRoom(orgID string, now time.Time) bool {
	own := 0
	for id, old := range b.all {
		switch {
		case old.State != BulkWaiting && old.State != BulkRunning && now.Sub(old.BeginsAt) > keepBulk:
			delete(b.all, id)
		case old.Caller.OrgID == orgID:
			own++
		}
	}
	return len(b.all) < maxBulkWaits && own < bulkShare
}

// FindChange returns a change of the organization; [store.CodeNotFound] without one.
func (b *BulkChanges) FindChange(orgID, id string) (BulkChange, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.all[id]
	if c == nil || c.Caller.OrgID != orgID {
		return BulkChange{}, store.Errorf(store.CodeNotFound, "there is no bulk change %q", id)
	}
	return *c, nil
}

// UndoChange drops a change that has not begun; [store.CodeConflict] for another.
func (b *BulkChanges) UndoChange(orgID, id string) error {
	if _, err := b.FindChange(orgID, id); err != nil {
		return err
	}
	if !b.moveState(id, BulkWaiting, BulkUndone) {
		return store.Errorf(store.CodeConflict, "the change has begun")
	}
	return nil
}

// moveState moves a change from one state to another; false when it is in neither.
func (b *BulkChanges) moveState(id string, from, to BulkState) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all[id].State != from {
		return false
	}
	b.all[id].State = to
	return true
}

// runChange changes the calls that match now.
func (b *BulkChanges) runChange(id string) {
	if !b.moveState(id, BulkWaiting, BulkRunning) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), bulkTimeout)
	defer cancel()
	b.mu.Lock()
	c := *b.all[id]
	b.mu.Unlock()
	ids, err := b.matchingCalls(ctx, c)
	if err == nil {
		err = b.changeCalls(ctx, c, ids)
	}
	end := BulkDone
	if err != nil {
		end = BulkBroken
	}
	b.moveState(id, BulkRunning, end)
}

// matchingCalls returns the ids of all calls to change, before one is changed: a moved call would change the list.
func (b *BulkChanges) matchingCalls(ctx context.Context, c BulkChange) (ids []string, err error) {
	for f := c.Filter; len(ids) < MaxBulkCalls; {
		page, err := b.cases.Store.CallsPage(ctx, c.Caller.OrgID, f)
		if err != nil {
			return nil, err
		}
		for _, one := range page.Items {
			ids = append(ids, one.ID)
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	return ids, nil
}

// changeCalls changes calls, several at once, and counts them. A call that cannot be changed is left as it is.
func (b *BulkChanges) changeCalls(ctx context.Context, c BulkChange, ids []string) (failed error) {
	queue := make(chan string)
	var group sync.WaitGroup
	for range bulkWriters {
		group.Go(func() {
			for id := range queue {
				err := b.changeCall(ctx, c, id)
				b.mu.Lock()
				switch {
				case err == nil:
					b.all[c.ID].Changed++
				case isRefusal(err):
					b.all[c.ID].Left++
				default:
					failed = err
				}
				b.mu.Unlock()
			}
		})
	}
	for _, id := range ids {
		queue <- id
	}
	close(queue)
	group.Wait()
	return failed
}

func (b *BulkChanges) changeCall(ctx context.Context, c BulkChange, id string) (err error) {
	if c.MoveTo.IsZero() {
		_, err = b.cases.CancelCall(ctx, c.Caller, id)
	} else {
		_, err = b.cases.RescheduleCall(ctx, c.Caller, id, c.MoveTo, nil)
	}
	return err
}

// isRefusal reports whether an error says that a rule or the state of the call does not allow a change.
func isRefusal(err error) bool {
	var broken *ViolationError
	var conflict *ConflictError
	code := store.CodeOf(err)
	return errors.As(err, &broken) || errors.As(err, &conflict) || code == store.CodeConflict || code == store.CodeNotFound
}
