package quota

import (
	"context"
	"slices"
	"sync"
)

// Semaphore is a counting semaphore that is fair to organizations: a free slot goes to the waiting organizations in
// turn (round robin), within one in order of arrival. It is safe for concurrent use.
type Semaphore struct {
	slots *Quota

	mu      sync.Mutex
	waiting map[string][]chan struct{} // by organization, in order of arrival; closed when the slot is granted
	turns   []string                   // the organizations that wait; the next one first
}

// NewSemaphore returns a semaphore of most slots, of which one organization may hold share.
func NewSemaphore(most, share int) *Semaphore {
	return &Semaphore{slots: NewQuota(most, share), waiting: map[string][]chan struct{}{}}
}

// TryAcquire takes a slot if one is free for the organization and no caller of the organization waits.
func (s *Semaphore) TryAcquire(orgID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting[orgID]) == 0 && s.slots.TakeUnits(orgID, 1) == nil
}

// AcquireSlot waits for a slot, which must be released unless there is an error: the one of ctx.
func (s *Semaphore) AcquireSlot(ctx context.Context, orgID string) error {
	granted := s.joinQueue(orgID)
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
		s.leaveQueue(orgID, granted)
		return context.Cause(ctx)
	}
}

// ReleaseSlot gives a slot back.
func (s *Semaphore) ReleaseSlot(orgID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots.ReleaseUnits(orgID, 1)
	s.grantSlots()
}

// joinQueue adds a waiter, and grants the free slots.
func (s *Semaphore) joinQueue(orgID string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting[orgID]) == 0 {
		s.turns = append(s.turns, orgID)
	}
	granted := make(chan struct{})
	s.waiting[orgID] = append(s.waiting[orgID], granted)
	s.grantSlots()
	return granted
}

// leaveQueue removes a waiter; a slot granted meanwhile goes to the next.
func (s *Semaphore) leaveQueue(orgID string, granted chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.Index(s.waiting[orgID], granted)
	if at < 0 {
		s.slots.ReleaseUnits(orgID, 1)
	} else if s.removeWaiter(orgID, at); len(s.waiting[orgID]) == 0 {
		s.turns = slices.DeleteFunc(s.turns, func(org string) bool { return org == orgID })
	}
	s.grantSlots()
}

// grantSlots grants free slots to the waiting organizations in turn; s.mu is held.
func (s *Semaphore) grantSlots() {
	for i := 0; i < len(s.turns); {
		orgID := s.turns[i]
		if s.slots.TakeUnits(orgID, 1) != nil {
			i++ // it has its share, or no slot is free
			continue
		}
		close(s.waiting[orgID][0])
		s.removeWaiter(orgID, 0)
		if s.turns = slices.Delete(s.turns, i, i+1); len(s.waiting[orgID]) > 0 {
			s.turns = append(s.turns, orgID)
		}
	}
}

// removeWaiter removes an organization's waiter; s.mu is held.
func (s *Semaphore) removeWaiter(orgID string, at int) {
	if s.waiting[orgID] = slices.Delete(s.waiting[orgID], at, at+1); len(s.waiting[orgID]) == 0 {
		delete(s.waiting, orgID)
	}
}
