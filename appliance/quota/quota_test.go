package quota_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"munadi/appliance/quota"
)

// TestQuota checks the share of an organization, the maximum of all, and that released units can be acquired again.
func TestQuota(t *testing.T) {
	t.Parallel()
	q := quota.NewQuota(3, 2)
	for i, c := range []struct {
		org  string
		n    int
		want error
	}{
		{"bakery", 3, quota.ErrShareTaken},
		{"bakery", 2, nil},
		{"bakery", 1, quota.ErrShareTaken},
		{"airline", 2, quota.ErrAllTaken},
		{"airline", 1, nil},
	} {
		if err := q.TakeUnits(c.org, c.n); !errors.Is(err, c.want) {
			t.Errorf("taking %d: %v, want %v", i, err, c.want)
		}
	}
	q.ReleaseUnits("bakery", 2)
	if err := q.TakeUnits("airline", 1); err != nil || q.CountUnits() != 2 {
		t.Errorf("after a release: %v, %d are held", err, q.CountUnits())
	}
}

// TestSemaphoreServesOrganizationsInTurn checks that waiting organizations are served in turn, regardless of their
// number of waiters.
func TestSemaphoreServesOrganizationsInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quota.NewSemaphore(1, 1)
		if !s.TryAcquire("bakery") || s.TryAcquire("airline") {
			t.Fatal("there is one slot")
		}
		var mu sync.Mutex
		var order []string
		for _, org := range []string{"bakery", "bakery", "bakery", "airline", "airline", "clinic"} {
			go func() {
				if err := s.AcquireSlot(t.Context(), org); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, org)
				mu.Unlock()
				s.ReleaseSlot(org)
			}()
			synctest.Wait()
		}
		s.ReleaseSlot("bakery")
		synctest.Wait()
		want := []string{"bakery", "airline", "clinic", "bakery", "airline", "bakery"}
		if !slices.Equal(order, want) {
			t.Errorf("%v, want %v", order, want)
		}
	})
}

// TestSemaphoreLeavesRoom checks that an organization with its full share waits without using capacity that is free for
// others, and that a cancelled waiter leaves nothing behind.
func TestSemaphoreLeavesRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := quota.NewSemaphore(3, 2)
		for range 2 {
			if !s.TryAcquire("bakery") {
				t.Fatal("no slot")
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := make(chan error)
		go func() { gaveUp <- s.AcquireSlot(ctx, "bakery") }()
		synctest.Wait()
		if !s.TryAcquire("airline") {
			t.Error("a waiting organization takes what is free for another")
		}
		cancel()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		s.ReleaseSlot("bakery")
		if !s.TryAcquire("bakery") {
			t.Error("who gave up holds a slot")
		}
	})
}
