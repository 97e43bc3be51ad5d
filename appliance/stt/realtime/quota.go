package realtime

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// The refusals of [organizationQuota.takeUnits].
var (
	errShareTaken = errors.New("the organization has as much as it may")
	errAllTaken   = errors.New("all organizations together have as much as there is")
)

// organizationQuota shares a bounded resource: share bounds what one organization may have of it, most what all may
// have together, so that one organization at its limit leaves room for the others.
type organizationQuota struct {
	most, share int

	mu    sync.Mutex
	all   int
	taken map[string]int // by organization
}

func newQuota(most, share int) organizationQuota {
	return organizationQuota{most: most, share: min(most, share), taken: map[string]int{}}
}

// takeUnits takes n units for an organization, or none: errShareTaken, errAllTaken.
func (q *organizationQuota) takeUnits(orgID string, n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.taken[orgID]+n > q.share:
		return errShareTaken
	case q.all+n > q.most:
		return errAllTaken
	}
	q.changeUnits(orgID, n)
	return nil
}

// releaseUnits gives n units back. A negative n takes units without looking at the limits.
func (q *organizationQuota) releaseUnits(orgID string, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changeUnits(orgID, -n)
}

// changeUnits adds to what an organization has; q.mu is held.
func (q *organizationQuota) changeUnits(orgID string, by int) {
	q.all += by
	if q.taken[orgID] += by; q.taken[orgID] == 0 {
		delete(q.taken, orgID)
	}
}

// countUnits is how many are taken.
func (q *organizationQuota) countUnits() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.all
}

// bulkSlots bounds the large events that are in memory at once, by organization and in all.
type bulkSlots struct {
	share int64
	all   *semaphore.Weighted

	mu   sync.Mutex
	orgs map[string]*semaphore.Weighted
}

func newBulkSlots(most, share int64) *bulkSlots {
	return &bulkSlots{
		share: min(most, share), all: semaphore.NewWeighted(most), orgs: map[string]*semaphore.Weighted{},
	}
}

// slotsOf are an organization's slots: one of each must be held, in this order, so that an organization that has its
// share waits without holding any of the others' slots.
func (b *bulkSlots) slotsOf(orgID string) slotPair {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.orgs[orgID] == nil {
		b.orgs[orgID] = semaphore.NewWeighted(b.share)
	}
	return slotPair{b.orgs[orgID], b.all}
}

// slotPair is an organization's semaphore and that of all.
type slotPair [2]*semaphore.Weighted

// tryAcquire takes a slot if it is free now.
func (p slotPair) tryAcquire() bool {
	if !p[0].TryAcquire(1) {
		return false
	}
	if p[1].TryAcquire(1) {
		return true
	}
	p[0].Release(1)
	return false
}

// acquireSlot waits for a slot.
func (p slotPair) acquireSlot(ctx context.Context) error {
	if err := p[0].Acquire(ctx, 1); err != nil {
		return err
	}
	err := p[1].Acquire(ctx, 1)
	if err != nil {
		p[0].Release(1)
	}
	return err
}

func (p slotPair) releaseSlot() {
	p[1].Release(1)
	p[0].Release(1)
}
