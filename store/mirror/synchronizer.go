package mirror

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/google/renameio/v2"
)

const (
	roundEvery   = 30 * time.Second // between two comparisons without a change notification
	pollInterval = 3 * time.Second  // interval of asking for changes here
)

// RoundLoop repeats the comparison of what an appliance has with a part of a bucket. RunRounds is called once.
type RoundLoop struct{ wake chan struct{} }

// NewLoop returns a loop.
func NewLoop() RoundLoop { return RoundLoop{make(chan struct{}, 1)} }

// WakeUp triggers a round, after a change here or on another appliance.
func (l RoundLoop) WakeUp() {
	select {
	case l.wake <- struct{}{}:
	default: // already triggered
	}
}

// RunRounds calls round until ctx ends: regularly, after [RoundLoop.WakeUp], and, if round asks for it, when isChanged
// reports a change here.
func (l RoundLoop) RunRounds(ctx context.Context, round func(context.Context) (poll bool), isChanged func() bool) {
	next, tick := time.NewTimer(roundEvery), time.NewTicker(pollInterval)
	defer next.Stop()
	defer tick.Stop()
	for poll, due := false, true; ctx.Err() == nil; {
		if due {
			poll = round(ctx)
			next.Reset(roundEvery)
		}
		select {
		case <-ctx.Done():
		case <-next.C:
			due = true
		case <-l.wake:
			due = true
		case <-tick.C:
			due = poll && isChanged()
		}
	}
}

// SharedItem is what is shared as a whole, a file or a model: where it is, and where it is new or was changed since the
// last match.
type SharedItem struct{ Here, There, ChangedHere, ChangedThere bool }

// ItemMover copies and removes items by name.
type ItemMover interface {
	UploadItem(ctx context.Context, name string) error
	FetchItem(ctx context.Context, name string) error
	SettleItem(ctx context.Context, name string) error // new or changed on both sides
	RemoveHere(ctx context.Context, name string) error
	RemoveThere(ctx context.Context, name string) error
}

// MatchItem brings an item to the side where it is missing or older, or removes it where it was not removed yet.
func MatchItem(ctx context.Context, m ItemMover, name string, item SharedItem) error {
	switch {
	case item.Here && item.There && item.ChangedHere && item.ChangedThere:
		return m.SettleItem(ctx, name)
	case item.Here && item.ChangedHere:
		return m.UploadItem(ctx, name)
	case item.There && item.ChangedThere:
		return m.FetchItem(ctx, name)
	case item.Here && !item.There:
		return m.RemoveHere(ctx, name)
	case !item.Here && item.There:
		return m.RemoveThere(ctx, name)
	}
	return nil
}

// ReadSeen reads the last seen state of both sides. An unreadable one is zero, so that nothing counts as removed.
func ReadSeen[T any](path string) (seen T) {
	content, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(content, &seen) != nil {
		var none T
		return none
	}
	return seen
}

// WriteSeen replaces the last seen state.
func WriteSeen[T any](path string, seen T) error {
	content, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, content, 0o600)
}
