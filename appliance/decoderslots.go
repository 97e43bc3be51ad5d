package appliance

import (
	"context"
	"sync"

	"munadi/engine"
)

// decoderSlots bounds the decoder processes that run at once, by organization and in all: one organization's long
// recordings, which hold their process as long as they are decoded, leave room for others.
type decoderSlots struct {
	all chan struct{}

	mu   sync.Mutex
	orgs map[string]chan struct{}
}

// slotsOf are the slots of the request's organization.
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
