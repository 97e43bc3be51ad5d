// Package quota shares bounded resources among organizations (tenants): each may hold a share, all together a maximum,
// so that one organization at its limit leaves room for the others. A [Quota] refuses requests beyond the limit; a
// [Semaphore] makes them wait.
package quota

import (
	"errors"
	"sync"
)

// The refusals of [Quota.TakeUnits].
var (
	ErrShareTaken = errors.New("the organization has reached its limit")
	ErrAllTaken   = errors.New("all organizations together have reached the limit")
)

// Quota counts the units that organizations hold. It is safe for concurrent use.
type Quota struct {
	most, share int

	mu    sync.Mutex
	all   int
	taken map[string]int // by organization
}

// NewQuota returns a quota of most units, of which one organization may hold share.
func NewQuota(most, share int) *Quota {
	return &Quota{most: most, share: min(most, share), taken: map[string]int{}}
}

// TakeUnits takes n units for an organization, or none: [ErrShareTaken], [ErrAllTaken].
func (q *Quota) TakeUnits(orgID string, n int) error {
	return q.TakeUnitsWithin(orgID, n, q.most, q.share)
}

// TakeUnitsWithin is [Quota.TakeUnits] with other limits than the quota's, for limits that change.
func (q *Quota) TakeUnitsWithin(orgID string, n, most, share int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.taken[orgID]+n > min(most, share):
		return ErrShareTaken
	case q.all+n > most:
		return ErrAllTaken
	}
	q.changeUnits(orgID, n)
	return nil
}

// ReleaseUnits gives n units back. A negative n takes units without looking at the limits.
func (q *Quota) ReleaseUnits(orgID string, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changeUnits(orgID, -n)
}

// changeUnits adds to an organization's units; q.mu is held.
func (q *Quota) changeUnits(orgID string, by int) {
	q.all += by
	if q.taken[orgID] += by; q.taken[orgID] == 0 {
		delete(q.taken, orgID)
	}
}

// CountUnits returns how many units are held.
func (q *Quota) CountUnits() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.all
}
