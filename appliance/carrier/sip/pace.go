package sip

import (
	"context"
	"sync"
	"time"
)

// DefaultRate is how many calls a second begin where nothing else is said: most trunks take a few and refuse the rest.
const DefaultRate = 5

// inviteSpacer spaces what would begin at once.
type inviteSpacer struct {
	spacing time.Duration // between the beginnings of two calls

	mu   sync.Mutex
	next time.Time
}

// waitTurn is for the turn of one more. A turn that is given up stays taken.
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
