// Package bulk defines bulk changes: one request to cancel or move all scheduled calls that a filter matches, which
// starts after a delay in which it can be undone. An organization's changes are kept in one record, its [BulkBoard], so
// that they survive a restart and any appliance can continue them. The package holds the rules of their states, without
// a store.
//
// A change is processed in batches of calls. A batch is recorded before its first call is changed and counted after its
// last one; in between it is claimed for [ClaimTime]. If an appliance dies, another claims the batch and reads in the
// timeline of each call whether it was changed already.
package bulk

import (
	"encoding/json"
	"time"
)

// Limits of bulk changes.
const (
	MaxChanges = 10             // an organization's changes that wait, run or are kept
	KeepTime   = 24 * time.Hour // how long an ended change is kept, while there is room
	ClaimTime  = time.Minute    // after which a batch of an appliance that died is claimed again
	MaxTries   = 10             // claims of one batch
)

// ChangeState is the state of a bulk change.
type ChangeState string

// States. waiting ─undo→ undone; waiting ─claim→ running → done, or broken after [MaxTries] of one batch; waiting or
// running ─restored from a backup→ dropped.
const (
	Waiting ChangeState = "waiting" // it can be undone
	Running ChangeState = "running"
	Done    ChangeState = "done"
	Undone  ChangeState = "undone"
	Broken  ChangeState = "broken"  // one batch failed [MaxTries] times
	Dropped ChangeState = "dropped" // a backup that held it, waiting or running, was restored
)

// BulkChange is a change of all scheduled calls that a filter matches when it begins.
type BulkChange struct {
	ID       string          `json:"id"`
	Actor    string          `json:"actor"`
	Filter   json.RawMessage `json:"filter,omitempty"` // removed when it ends
	MoveTo   time.Time       `json:"move_to,omitzero"` // zero: the calls are cancelled
	Count    int             `json:"count"`            // calls that matched when it was requested
	BeginsAt time.Time       `json:"begins_at"`
	State    ChangeState     `json:"state"`
	Changed  int             `json:"changed"` // calls of finished batches
	Left     int             `json:"left"`    // those that a rule or their state did not allow to change
	EndedAt  *time.Time      `json:"ended_at,omitempty"`

	Batch  []string `json:"batch,omitempty"`  // ids of the calls that are being changed
	Cursor string   `json:"cursor,omitempty"` // of the page of calls after the batch
	Last   bool     `json:"last,omitempty"`   // there is no page after the batch

	Claim        string    `json:"claim,omitempty"` // of the worker that changes the batch
	ClaimedUntil time.Time `json:"claimed_until,omitzero"`
	Tries        int       `json:"tries,omitempty"` // claims since the last finished batch
}

// HasEnded reports whether the change is complete, failed or undone.
func (c *BulkChange) HasEnded() bool { return c.State != Waiting && c.State != Running }

// endAs ends the change. Nobody needs its filter any more, which may name a person.
func (c *BulkChange) endAs(s ChangeState, now time.Time) {
	c.State, c.EndedAt, c.Batch, c.Cursor, c.Claim, c.ClaimedUntil = s, &now, nil, "", "", time.Time{}
	c.Filter = nil
}

// BulkBoard is an organization's bulk changes.
type BulkBoard struct {
	Changes []BulkChange `json:"changes,omitempty"` // in order of their requests, at most [MaxChanges]
}

// AddChange adds a waiting change; it drops expired ones, and the oldest ended ones when the board is full. It returns
// false when [MaxChanges] wait or run.
func (b *BulkBoard) AddChange(c BulkChange, now time.Time) bool {
	var kept []BulkChange
	surplus := len(b.Changes) + 1 - MaxChanges
	for _, old := range b.Changes {
		expired := old.EndedAt != nil && now.Sub(*old.EndedAt) > KeepTime
		if expired || old.HasEnded() && surplus > 0 {
			surplus--
			continue
		}
		kept = append(kept, old)
	}
	if len(kept) >= MaxChanges {
		return false
	}
	c.State = Waiting
	b.Changes = append(kept, c)
	return true
}

// FindChange returns a change by its id; nil without one.
func (b *BulkBoard) FindChange(id string) *BulkChange {
	for i := range b.Changes {
		if b.Changes[i].ID == id {
			return &b.Changes[i]
		}
	}
	return nil
}

// UndoChange drops a waiting change; false if it has started. It is idempotent.
func (b *BulkBoard) UndoChange(id string, now time.Time) bool {
	c := b.FindChange(id)
	if c == nil || c.State != Waiting {
		return c != nil && c.State == Undone
	}
	c.endAs(Undone, now)
	return true
}

// DropPending ends all changes that wait or run, because they come from a backup that is restored: they were requested
// for the calls booked at that time, and may have been completed since the backup was taken.
func (b *BulkBoard) DropPending(now time.Time) {
	for i := range b.Changes {
		if c := &b.Changes[i]; !c.HasEnded() {
			c.endAs(Dropped, now)
		}
	}
}

// DropFilters removes the filters for which drop is true, ends those of their changes that wait or run, and returns
// their number.
func (b *BulkBoard) DropFilters(drop func(BulkChange) bool, now time.Time) (n int) {
	for i := range b.Changes {
		c := &b.Changes[i]
		if len(c.Filter) == 0 || !drop(*c) {
			continue
		}
		if !c.HasEnded() {
			c.endAs(Done, now)
		}
		c.Filter = nil
		n++
	}
	return n
}

// IsPending reports whether a change waits or runs.
func (b *BulkBoard) IsPending() bool {
	for i := range b.Changes {
		if !b.Changes[i].HasEnded() {
			return true
		}
	}
	return false
}

// ClaimChange claims the next batch of the earliest change whose time has come; changes of an organization run one
// after the other. alone means that no other worker exists: an existing claim then dates from before a restart and is
// ignored.
func (b *BulkBoard) ClaimChange(claim string, alone bool, now time.Time) (BulkChange, bool) {
	for i := range b.Changes {
		c := &b.Changes[i]
		if c.HasEnded() || c.State == Waiting && c.BeginsAt.After(now) {
			continue
		}
		if c.Claim != "" && c.ClaimedUntil.After(now) && !alone {
			return BulkChange{}, false
		}
		if c.Tries >= MaxTries {
			c.endAs(Broken, now)
			continue
		}
		c.State, c.Claim, c.ClaimedUntil, c.Tries = Running, claim, now.Add(ClaimTime), c.Tries+1
		return *c, true
	}
	return BulkChange{}, false
}

// claimedChange returns a change that a claim still holds; nil for one that another worker has taken over.
func (b *BulkBoard) claimedChange(id, claim string) *BulkChange {
	if c := b.FindChange(id); c != nil && c.State == Running && c.Claim == claim {
		return c
	}
	return nil
}

// RecordBatch records the calls that a claim's worker is about to change, and the cursor of those after them, empty for
// none; false when the claim is lost.
func (b *BulkBoard) RecordBatch(id, claim string, calls []string, next string) bool {
	c := b.claimedChange(id, claim)
	if c != nil {
		c.Batch, c.Cursor, c.Last = calls, next, next == ""
	}
	return c != nil
}

// FinishBatch counts the calls of a batch and releases the claim; false when the claim is lost. most is the number of
// calls after which a change ends.
func (b *BulkBoard) FinishBatch(id, claim string, changed, left, most int, now time.Time) bool {
	c := b.claimedChange(id, claim)
	if c == nil {
		return false
	}
	c.Changed, c.Left = c.Changed+changed, c.Left+left
	c.Batch, c.Claim, c.ClaimedUntil, c.Tries = nil, "", time.Time{}, 0
	if c.Last || c.Changed+c.Left >= most {
		c.endAs(Done, now)
	}
	return true
}

// ReleaseClaim releases a claim before its batch is finished, because its worker stops; the try does not count.
func (b *BulkBoard) ReleaseClaim(id, claim string) {
	if c := b.claimedChange(id, claim); c != nil {
		c.Claim, c.ClaimedUntil, c.Tries = "", time.Time{}, max(c.Tries-1, 0)
	}
}
