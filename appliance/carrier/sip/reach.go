package sip

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
)

// reach knows which of the trunk's servers stayed silent when they were last asked, so that a call need not wait for
// them before it tries the others.
type reach struct {
	mu      sync.Mutex
	servers map[netip.AddrPort]manners
}

// manners are how a server behaved.
type manners struct {
	pingable bool // it has answered OPTIONS before: some never do, and take calls
	silent   bool
}

// order puts the silent servers last, else as they are. Those that the trunk no longer has are forgotten.
func (r *reach) order(all []server) []server {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[netip.AddrPort]manners{}
	for _, s := range all {
		known[s.remote] = r.servers[s.remote]
	}
	r.servers = known
	slices.SortStableFunc(all, func(a, b server) int { return rank(known[a.remote]) - rank(known[b.remote]) })
	return all
}

func rank(m manners) int {
	if m.silent {
		return 1
	}
	return 0
}

// pinged takes the outcome of an OPTIONS.
func (r *reach) pinged(at netip.AddrPort, err error) {
	r.note(at, func(m manners) manners {
		switch {
		case err == nil:
			return manners{pingable: true}
		case m.pingable && !errors.Is(err, context.Canceled):
			m.silent = true
		}
		return m
	})
}

// called takes whether a server said anything to an INVITE.
func (r *reach) called(at netip.AddrPort, heard bool) {
	r.note(at, func(m manners) manners {
		m.silent = !heard
		return m
	})
}

// note changes what is known of a server that the trunk has.
func (r *reach) note(at netip.AddrPort, change func(manners) manners) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m, ok := r.servers[at]; ok {
		r.servers[at] = change(m)
	}
}
