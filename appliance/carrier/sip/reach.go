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

// serverHealth records which servers of the trunk did not respond last (circuit breaker), so that a call need not wait
// for them before failover.
type serverHealth struct {
	log     *slog.Logger
	mu      sync.Mutex
	servers map[netip.AddrPort]serverRecord
}

// serverRecord is the health of a server.
type serverRecord struct {
	pingable bool // it has answered OPTIONS before: some servers never do, and still take calls
	silent   bool
	until    time.Time // end of its Retry-After time
}

// orderServers puts unresponsive servers last, after them those in their Retry-After time. Servers that the trunk no
// longer has are forgotten.
func (r *serverHealth) orderServers(all []trunkServer) []trunkServer {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[netip.AddrPort]serverRecord{}
	for _, s := range all {
		known[s.remote] = r.servers[s.remote]
	}
	r.servers = known
	now := time.Now()
	slices.SortStableFunc(
		all, func(a, b trunkServer) int { return known[a.remote].rank(now) - known[b.remote].rank(now) },
	)
	return all
}

// asksForRest records a server's Retry-After (RFC 3261 §21.5.4).
func (r *serverHealth) asksForRest(at netip.AddrPort, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.servers[at]
	if !ok {
		return
	}
	m.until = until
	r.servers[at] = m
	r.log.Warn("a server of the SIP trunk asked for a pause (Retry-After)", "server", at.String(), "until", until)
}

// silentServers returns the unresponsive servers; none if all are unresponsive.
func (r *serverHealth) silentServers() (out []netip.AddrPort) {
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

func (m serverRecord) rank(now time.Time) int {
	switch {
	case m.until.After(now):
		return 2
	case m.silent:
		return 1
	default:
		return 0
	}
}

// recordPing records the result of an OPTIONS probe.
func (r *serverHealth) recordPing(at netip.AddrPort, err error) {
	r.updateRecord(at, func(m serverRecord) serverRecord {
		switch {
		case err == nil:
			return serverRecord{pingable: true, until: m.until}
		case m.pingable && !errors.Is(err, context.Canceled):
			m.silent = true
		}
		return m
	})
}

// recordCall records whether a server responded to an INVITE.
func (r *serverHealth) recordCall(at netip.AddrPort, heard bool) {
	r.updateRecord(at, func(m serverRecord) serverRecord {
		m.silent = !heard
		return m
	})
}

// updateRecord changes the record of a known server. A single server has none: the trunk's own state covers it.
func (r *serverHealth) updateRecord(at netip.AddrPort, change func(serverRecord) serverRecord) {
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
