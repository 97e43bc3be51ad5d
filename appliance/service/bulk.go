package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"munadi/store"
	"munadi/store/bulk"
	"munadi/store/call"
)

// The bounds of bulk changes.
const (
	UndoTime     = 10 * time.Second // from the request to the first change
	MaxBulkCalls = 100_000          // calls that one change covers
)

// ErrBulkFull means that the organization's limit of waiting and running bulk changes is reached.
var ErrBulkFull = errors.New("too many bulk changes are waiting; try again later")

// StartBulk counts the scheduled calls that a filter matches and stores the request to change them after [UndoTime];
// moveTo zero cancels them. [BulkWorker] does so. It returns [store.CodeInvalid] for a time to which no call may be
// moved, and [ErrBulkFull] when too many changes wait.
func (u *UseCases) StartBulk(
	ctx context.Context, who Caller, f store.CallFilter, moveTo time.Time,
) (bulk.BulkChange, error) {
	now := u.now()
	if !moveTo.IsZero() && !call.IsReschedulable(moveTo, now) {
		return bulk.BulkChange{}, store.Errorf(store.CodeInvalid,
			"the time must be at least 10 minutes and at most 30 days ahead")
	}
	f.Statuses, f.Limit, f.Cursor = []call.CallStatus{call.Scheduled}, bulkPageCalls, ""
	n, err := u.Store.CountCalls(ctx, who.OrgID, f, MaxBulkCalls)
	if err != nil {
		return bulk.BulkChange{}, err
	}
	filter, err := json.Marshal(f)
	if err != nil {
		return bulk.BulkChange{}, fmt.Errorf("encode the filter of a bulk change: %w", err)
	}
	c := bulk.BulkChange{
		ID: uuid.NewString(), Actor: who.Actor, Filter: filter, MoveTo: moveTo, Count: n,
		BeginsAt: now.Add(UndoTime), State: bulk.Waiting,
	}
	_, err = u.Store.ChangeBulk(ctx, who.OrgID, func(b *bulk.BulkBoard) error {
		if !b.AddChange(c, now) {
			return ErrBulkFull
		}
		return nil
	})
	return c, err
}

// FindBulk returns a bulk change of the organization; [store.CodeNotFound] without one.
func (u *UseCases) FindBulk(ctx context.Context, orgID, id string) (bulk.BulkChange, error) {
	board, err := u.Store.FindBulk(ctx, orgID)
	if err != nil {
		return bulk.BulkChange{}, err
	}
	if c := board.FindChange(id); c != nil {
		return *c, nil
	}
	return bulk.BulkChange{}, bulkNotFound(id)
}

func bulkNotFound(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no bulk change %q", id)
}

// UndoBulk drops a waiting bulk change; [store.CodeConflict] for one that has started. It is idempotent.
func (u *UseCases) UndoBulk(ctx context.Context, orgID, id string) error {
	if _, err := u.FindBulk(ctx, orgID, id); err != nil {
		return err
	}
	_, err := u.Store.ChangeBulk(ctx, orgID, func(b *bulk.BulkBoard) error {
		switch c := b.FindChange(id); {
		case c == nil:
			return bulkNotFound(id)
		case !b.UndoChange(id, u.now()):
			return store.Errorf(store.CodeConflict, "the bulk change has begun and cannot be undone")
		}
		return nil
	})
	return err
}

// bulkFilter returns the filter of the calls that a bulk change covers: those booked before it starts, in order of
// booking, which does not depend on changes of calls. It refuses a filter with fields that this version does not know,
// since without them it would match too many calls.
func bulkFilter(c bulk.BulkChange) (f store.CallFilter, err error) {
	known := json.NewDecoder(bytes.NewReader(c.Filter))
	known.DisallowUnknownFields()
	if err := known.Decode(&f); err != nil {
		return f, fmt.Errorf("the filter of bulk change %s: %w", c.ID, err)
	}
	if f.AnswerSlot != "" {
		return f, nil // ended calls by dial time: no scheduled call matches
	}
	f.Sort, f.Ascending = store.SortByCreation, true
	if f.CreatedTo.IsZero() || f.CreatedTo.After(c.BeginsAt) {
		f.CreatedTo = c.BeginsAt
	}
	return f, nil
}

const (
	bulkPageCalls = 200 // calls of a batch
	bulkWriters   = 16  // calls that are changed at once
	bulkPause     = 2 * time.Second
	// bulkBatchTime is the longest time for one batch: less than the worker's claim, so that no other worker has it.
	bulkBatchTime = bulk.ClaimTime - 15*time.Second
)

// BulkWorker processes the bulk changes of all organizations, a batch at a time, so that a large one does not delay the
// others. Each appliance has one; the changes of a dead appliance are continued by the others.
type BulkWorker struct {
	Cases *UseCases
	// Alone means that no other appliance shares the store: all claims are of this process or of its last run.
	Alone bool
	// Publish notifies open pages of the progress of a change; may be nil.
	Publish func(orgID, id string)
	Log     *slog.Logger
}

// Run processes bulk changes until ctx ends. Failures are retried.
func (w *BulkWorker) Run(ctx context.Context) error {
	for {
		if err := w.ProcessPending(ctx); err != nil && ctx.Err() == nil {
			w.Log.Warn("a bulk change of calls was interrupted and will be retried", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(bulkPause):
		}
	}
}

// ProcessPending processes the changes whose undo time has passed; organizations take turns.
func (w *BulkWorker) ProcessPending(ctx context.Context) error {
	for {
		orgIDs, err := w.Cases.Store.PendingBulk(ctx)
		worked := false
		for _, orgID := range orgIDs {
			found, failed := w.processBatch(ctx, orgID)
			worked, err = worked || found && failed == nil, errors.Join(err, failed)
		}
		if !worked || ctx.Err() != nil {
			return err
		}
		if err != nil {
			w.Log.Warn("a bulk change of calls was interrupted and will be retried", "err", err)
		}
	}
}

// processBatch changes the next calls of an organization's earliest change; false if none can start.
func (w *BulkWorker) processBatch(ctx context.Context, orgID string) (found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, bulkBatchTime)
	defer cancel()
	b := bulkBatch{BulkWorker: w, orgID: orgID, claim: uuid.NewString()}
	defer b.publishProgress()
	_, err = w.Cases.Store.ChangeBulk(ctx, orgID, func(board *bulk.BulkBoard) error {
		b.change, found = board.ClaimChange(b.claim, w.Alone, w.Cases.now())
		return nil
	})
	if err != nil || !found {
		return found, err
	}
	b.publishProgress()
	if b.begun = len(b.change.Batch) > 0; !b.begun {
		if err := b.readBatch(ctx); err != nil {
			return true, err
		}
	}
	if err := b.changeCalls(ctx); err != nil {
		return true, errors.Join(err, b.release(ctx))
	}
	return true, b.update(ctx, func(board *bulk.BulkBoard) bool {
		changed, left := int(b.changed.Load()), int(b.left.Load())
		return board.FinishBatch(b.change.ID, b.claim, changed, left, MaxBulkCalls, w.Cases.now())
	})
}

// bulkBatch is the calls of a change that a worker changes now.
type bulkBatch struct {
	*BulkWorker
	orgID, claim  string
	change        bulk.BulkChange
	begun         bool // another worker may have changed some of the calls
	changed, left atomic.Int64
}

// publishProgress notifies open pages of the change, if one was found.
func (b *bulkBatch) publishProgress() {
	if b.Publish != nil && b.change.ID != "" {
		b.Publish(b.orgID, b.change.ID)
	}
}

// errClaimLost means that another worker has taken over the batch.
var errClaimLost = errors.New("another appliance has taken over the bulk change")

// update changes the board while the claim holds.
func (b *bulkBatch) update(ctx context.Context, change func(*bulk.BulkBoard) bool) error {
	_, err := b.Cases.Store.ChangeBulk(ctx, b.orgID, func(board *bulk.BulkBoard) error {
		if !change(board) {
			return errClaimLost
		}
		return nil
	})
	return err
}

// release ends the claim when the appliance stops, so that another one can continue.
func (b *bulkBatch) release(ctx context.Context) error {
	if !errors.Is(ctx.Err(), context.Canceled) {
		return nil // the store failed: try again when the claim has expired
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bulkPause)
	defer cancel()
	return b.update(ctx, func(board *bulk.BulkBoard) bool {
		board.ReleaseClaim(b.change.ID, b.claim)
		return true
	})
}

// readBatch reads the ids of the next calls, and records them before one is changed.
func (b *bulkBatch) readBatch(ctx context.Context) error {
	f, err := bulkFilter(b.change)
	if err != nil {
		return err
	}
	f.Cursor = b.change.Cursor
	page, err := b.Cases.Store.CallsPage(ctx, b.orgID, f)
	if err != nil {
		return err
	}
	b.change.Batch = nil
	for _, c := range page.Items {
		b.change.Batch = append(b.change.Batch, c.ID)
	}
	return b.update(ctx, func(board *bulk.BulkBoard) bool {
		return board.RecordBatch(b.change.ID, b.claim, b.change.Batch, page.Next)
	})
}

// changeCalls changes the calls of the batch, several at once, and counts them. A call that a rule or its state does
// not allow to change is left as it is.
func (b *bulkBatch) changeCalls(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(bulkWriters)
	for _, id := range b.change.Batch {
		group.Go(func() error {
			switch err := b.changeCall(ctx, id); {
			case err == nil:
				b.changed.Add(1)
			case isRefusal(err):
				b.left.Add(1)
			default:
				return err
			}
			return nil
		})
	}
	return group.Wait()
}

// changeCall changes one call, unless the previous worker of the batch has done so.
func (b *bulkBatch) changeCall(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !b.Cases.now().Before(b.change.ClaimedUntil) {
		return errClaimLost // the process or its machine was suspended, which ctx may not have noticed
	}
	if b.begun {
		if done, err := b.isChanged(ctx, id); done || err != nil {
			return err
		}
	}
	who := Caller{OrgID: b.orgID, Actor: b.change.Actor}
	if b.change.MoveTo.IsZero() {
		_, err := b.Cases.CancelCall(ctx, who, id)
		return err
	}
	_, err := b.Cases.RescheduleCall(ctx, who, id, b.change.MoveTo, nil)
	return err
}

// isChanged reports, by its timeline, whether a call was changed by the change's user since the change began.
func (b *bulkBatch) isChanged(ctx context.Context, id string) (bool, error) {
	lines, err := b.Cases.Store.CallTimeline(ctx, b.orgID, id)
	if err != nil {
		return false, err
	}
	for _, line := range lines {
		own := line.Actor == b.change.Actor && !line.At.Before(b.change.BeginsAt)
		if own && (line.Event == string(call.Cancelled) || line.Event == string(call.Rescheduled)) {
			return true, nil
		}
	}
	return false, nil
}

// isRefusal reports whether an error says that a rule or the state of the call does not allow a change.
func isRefusal(err error) bool {
	var broken *ViolationError
	var conflict *ConflictError
	code := store.CodeOf(err)
	return errors.As(err, &broken) || errors.As(err, &conflict) || code == store.CodeConflict || code == store.CodeNotFound
}
