package sip

import (
	"net/netip"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
)

// strangers is the rate limit, in messages per second, for addresses that we have not written to: a signalling port on
// the Internet is always scanned.
const strangers = 20

// strangerFilter is the rate limiter for unknown addresses. The zero value is ready.
type strangerFilter struct {
	mu    sync.Mutex
	known map[netip.Addr]time.Time // time of our last message to an address
	began time.Time                // start of the current second
	count int
}

// acquaintance is how long an address stays known, mostKnown how many addresses are remembered.
const (
	acquaintance = time.Hour
	mostKnown    = 1000
)

// addKnownAddress records an address that we write to.
func (g *strangerFilter) addKnownAddress(a netip.Addr) {
	signalling.addKnownAddress(a)
	g.rememberAddress(a)
}

// rememberAddress stores when an address was written to; a known one is renewed even while the list is full.
func (g *strangerFilter) rememberAddress(a netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		g.known = map[netip.Addr]time.Time{}
	}
	if len(g.known) >= mostKnown {
		for old, at := range g.known {
			if time.Since(at) > acquaintance {
				delete(g.known, old)
			}
		}
	}
	if _, again := g.known[a.Unmap()]; again || len(g.known) < mostKnown {
		g.known[a.Unmap()] = time.Now()
	}
}

// isKnownAddress reports whether we have written to an address.
func (g *strangerFilter) isKnownAddress(a netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.known[a.Unmap()]
	return ok
}

// filterPacket is sipgo's hook before parsing; an empty result drops the message.
func (g *strangerFilter) filterPacket(props sip.TransportReadProps, data []byte) ([]byte, error) {
	from := addrPort(props.RemoteAddr).Addr()
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.known[from]; ok {
		return data, nil
	}
	if now := time.Now(); now.Sub(g.began) >= time.Second {
		g.began, g.count = now, 0
	}
	g.count++
	if g.count > strangers {
		return nil, nil
	}
	return data, nil
}
