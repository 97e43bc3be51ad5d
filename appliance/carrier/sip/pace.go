package sip

import (
	"context"
	"sync"
	"time"
)

// spacing is the time between the beginnings of two calls: most trunks take a few a second and refuse the rest.
const spacing = 200 * time.Millisecond

// inviteSpacer spaces what would begin at once. The zero value is ready.
type inviteSpacer struct {
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
	p.next = at.Add(spacing)
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
