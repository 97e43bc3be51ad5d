package sip

import (
	"context"
	"sync"
	"time"
)

// DefaultRate is the default limit of new calls per second: most trunks accept a few and refuse the rest.
const DefaultRate = 5

// inviteSpacer is the rate limiter of new calls: it spaces their INVITEs evenly.
type inviteSpacer struct {
	spacing time.Duration // between two calls

	mu   sync.Mutex
	next time.Time
}

// waitTurn waits for the next free slot. A slot given up when ctx ends stays used.
func (p *inviteSpacer) waitTurn(ctx context.Context) error {
	p.mu.Lock()
	at := time.Now()
	if p.next.After(at) {
		at = p.next
	}
	p.next = at.Add(p.spacing)
	p.mu.Unlock()
	turn := time.NewTimer(time.Until(at))
	defer turn.Stop()
	select {
	case <-turn.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
