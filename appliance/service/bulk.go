package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

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
