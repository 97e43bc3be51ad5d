package appliance

import (
	"context"
	"sync"

	"munadi/engine"
)

// decoderSlots limits the concurrent decoder processes, by organization and in total: one organization's long
// recordings, which hold their process as long as they are decoded, leave slots for others.
type decoderSlots struct {
	all chan struct{}

	mu   sync.Mutex
	orgs map[string]chan struct{}
}

// slotsOf returns the slots of the request's organization.
func (s *decoderSlots) slotsOf(ctx context.Context) []chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	org := engine.ClientOf(ctx).Organization
	if s.orgs[org] == nil {
		if s.orgs == nil {
			s.orgs = map[string]chan struct{}{}
		}
		s.orgs[org] = make(chan struct{}, children)
	}
	return []chan struct{}{s.orgs[org], s.all}
}
