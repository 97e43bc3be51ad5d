package sip

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// reach knows which of the trunk's servers stayed silent when they were last asked, so that a call need not wait for
// them before it tries the others.
type reach struct {
	log     *slog.Logger
	mu      sync.Mutex
	servers map[netip.AddrPort]manners
}

// manners are how a server behaved.
type manners struct {
	pingable bool // it has answered OPTIONS before: some never do, and take calls
	silent   bool
	until    time.Time // it asked to be left alone until then (Retry-After)
}

// order puts the silent servers last, else as they are, and leaves out those that rest. Those that the trunk no longer
// has are forgotten.
func (r *reach) order(all []server) []server {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[netip.AddrPort]manners{}
	for _, s := range all {
		known[s.remote] = r.servers[s.remote]
	}
	r.servers = known
	now := time.Now()
	all = slices.DeleteFunc(all, func(s server) bool { return known[s.remote].until.After(now) })
	slices.SortStableFunc(all, func(a, b server) int { return rank(known[a.remote]) - rank(known[b.remote]) })
	return all
}

// asksForRest notes that a server is to be asked nothing until a time (RFC 3261 §21.5.4).
func (r *reach) asksForRest(at netip.AddrPort, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.servers[at]
	if !ok {
		return
	}
	m.until = until
	r.servers[at] = m
	r.log.Warn("a server of the SIP trunk takes no calls for now", "server", at.String(), "until", until)
}

// rest is how long all servers of the trunk still rest; 0 where one does not.
func (r *reach) rest(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	least := longestRest
	for _, m := range r.servers {
		least = min(least, max(m.until.Sub(now), 0))
	}
	if len(r.servers) == 0 {
		return 0
	}
	return least
}

// silent are the servers that come last; none where all are.
func (r *reach) silent() (out []netip.AddrPort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at, m := range r.servers {
		if m.silent {
			out = append(out, at)
		}
	}
	if len(out) == len(r.servers) {
		return nil
	}
	slices.SortFunc(out, netip.AddrPort.Compare)
	return out
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
			return manners{pingable: true, until: m.until}
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

// note changes what is known of a server that the trunk has. One that is the only one is the trunk, which says itself
// how it is.
func (r *reach) note(at netip.AddrPort, change func(manners) manners) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, ok := r.servers[at]
	if !ok {
		return
	}
	after := change(before)
	r.servers[at] = after
	switch {
	case after.silent == before.silent || len(r.servers) == 1:
	case after.silent:
		r.log.Warn("a server of the SIP trunk does not answer: the others come first", "server", at.String())
	default:
		r.log.Info("a server of the SIP trunk answers again", "server", at.String())
	}
}
