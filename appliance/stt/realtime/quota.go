package realtime

import (
	"fmt"
	"sync"
)

// sessionQuota are what sessions are counted by, so that one organization leaves room for the others.
type sessionQuota struct {
	most, share int

	mu    sync.Mutex
	all   int
	taken map[string]int // by organization
}

// takeSeat takes one, or says why there is none and what to do.
func (s *sessionQuota) takeSeat(orgID string) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.taken[orgID] >= s.share:
		return fmt.Sprintf("Your organization has %d realtime sessions open, as many as it may; close one first", s.share)
	case s.all >= s.most:
		return "Too many realtime sessions are open; try again later"
	}
	s.all++
	s.taken[orgID]++
	return ""
}

// countSeats is how many are taken.
func (s *sessionQuota) countSeats() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

func (s *sessionQuota) releaseSeat(orgID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.taken[orgID]--; s.taken[orgID] == 0 {
		delete(s.taken, orgID)
	}
}
