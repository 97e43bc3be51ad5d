package storetest

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/bulk"
)

// addBulk adds a bulk change.
func addBulk(t *testing.T, s store.Store, orgID, id string) {
	t.Helper()
	_, err := s.ChangeBulk(t.Context(), orgID, func(b *bulk.BulkBoard) error {
		if !b.AddChange(bulk.BulkChange{ID: id, Actor: "user:1", Filter: []byte(`{"A":1}`), BeginsAt: startTime()}, startTime()) {
			t.Error("the change was not added: the board is full")
		}
		return nil
	})
	wantCode(t, "ChangeBulk", err, "")
}

// testBulk: bulk changes are stored per organization, and pending ones are found.
func testBulk(t *testing.T, s store.Store) {
	ctx := t.Context()
	addOrganizations(t, s, "bakery", "airline", "clinic")
	wantPending := func(what string, want ...string) {
		t.Helper()
		if got, err := s.PendingBulk(ctx); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v are pending, want %v, %v", what, got, want, err)
		}
	}
	if b, err := s.FindBulk(ctx, "bakery"); err != nil || len(b.Changes) > 0 {
		t.Errorf("a new organization has %+v, %v", b, err)
	}
	wantPending("none")
	addBulk(t, s, "clinic", "one")
	addBulk(t, s, "bakery", "one")
	addBulk(t, s, "bakery", "two")
	wantPending("two organizations", "bakery", "clinic")
	undo := func(id string) error {
		_, err := s.ChangeBulk(ctx, "bakery", func(b *bulk.BulkBoard) error { b.UndoChange(id, startTime()); return nil })
		return err
	}
	wantCode(t, "ChangeBulk", errors.Join(undo("one"), undo("two")), "")
	wantPending("undone", "clinic")
	refused := errors.New("refused")
	_, err := s.ChangeBulk(ctx, "clinic", func(b *bulk.BulkBoard) error { b.Changes = nil; return refused })
	if !errors.Is(err, refused) {
		t.Errorf("a refused change returns %v", err)
	}
	b, err := s.FindBulk(ctx, "clinic")
	if err != nil || len(b.Changes) != 1 || string(b.Changes[0].Filter) != `{"A":1}` || !b.Changes[0].BeginsAt.Equal(startTime()) {
		t.Errorf("it is kept as %+v, %v", b, err)
	}
	if b, err := s.FindBulk(ctx, "airline"); err != nil || len(b.Changes) > 0 {
		t.Errorf("another organization has %+v, %v", b, err)
	}
	_, err = s.ChangeBulk(ctx, "nobody", func(*bulk.BulkBoard) error { return nil })
	wantCode(t, "ChangeBulk of no organization", err, store.CodeNotFound)
}

// bulkClaimedOnce: of many concurrent workers, one claims a change.
func bulkClaimedOnce(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	addBulk(t, s, "bakery", "one")
	var mu sync.Mutex
	var all sync.WaitGroup
	total := 0
	for _, claim := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		all.Go(func() {
			claimed := false
			_, err := s.ChangeBulk(t.Context(), "bakery", func(b *bulk.BulkBoard) error {
				_, claimed = b.ClaimChange(claim, false, startTime().Add(time.Second))
				return nil
			})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if claimed {
				total++
			}
		})
	}
	all.Wait()
	if total != 1 {
		t.Errorf("%d workers claimed it", total)
	}
}
