package sip

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

const (
	sourcesEvery   = time.Minute     // between two lookups of the trunk's addresses
	sourcesTimeout = 3 * time.Second // of a lookup
)

// trunkSources are the addresses of the trunk's servers, from which it may call in. The zero value is ready.
type trunkSources struct {
	mu    sync.Mutex
	until time.Time
	known []netip.Addr
}

// isTrunk reports whether an address is one of the trunk's; while it cannot be looked up, the last ones count.
func (s *trunkSources) isTrunk(c *Carrier, from netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) {
		ctx, cancel := context.WithTimeout(c.life, sourcesTimeout)
		defer cancel()
		found, err := c.trunk.resolveAddresses(ctx, c.names)
		if err == nil {
			s.known = nil
		}
		for _, a := range found {
			s.known = append(s.known, a.Addr())
		}
		s.until = now.Add(sourcesEvery)
	}
	for _, a := range s.known {
		if a == from {
			c.guard.addKnownAddress(from)
			return true
		}
	}
	return false
}

const (
	arrivalRate  = 20 // new calls per second from one address, in the long run,
	arrivalBurst = 40 // and at once
)

// arrivalLimiter limits the new calls from each address of the trunk (token bucket). The zero value is ready.
type arrivalLimiter struct {
	mu sync.Mutex
	by map[netip.Addr]*arrivalBucket
}

// arrivalBucket is what an address has left.
type arrivalBucket struct {
	left float64
	at   time.Time
}

// admit takes a token of an address; false without one.
func (l *arrivalLimiter) admit(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	b := l.by[from]
	if b == nil {
		if l.by == nil || len(l.by) >= mostKnown {
			l.by = map[netip.Addr]*arrivalBucket{}
		}
		b = &arrivalBucket{left: arrivalBurst, at: now}
		l.by[from] = b
	}
	b.left = min(arrivalBurst, b.left+now.Sub(b.at).Seconds()*arrivalRate)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
