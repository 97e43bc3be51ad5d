package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// latch says whose packets are taken, and where ours go: symmetric RTP (RFC 4961), in spite of address translation.
//
// Only the address that was agreed on may send, from any of its ports; ours go to the port that it sends from. It may
// go over to another port after a second of silence.
type latch struct {
	agreed netip.AddrPort
	from   netip.AddrPort // who sends; invalid until somebody did
	idle   int            // ticks without a packet of from
}

// moving is how long a port must have been silent before another one is believed.
const moving = int(time.Second / carrier.Tick)

func (l *latch) agree(remote netip.AddrPort) {
	if remote = plain(remote); remote != l.agreed {
		*l = latch{agreed: remote}
	}
}

// tick counts the time, and says where to send to; nowhere if that is invalid.
func (l *latch) tick() netip.AddrPort {
	l.idle++
	switch {
	case l.from.IsValid():
		return l.from
	case l.agreed.Addr().IsUnspecified() || l.agreed.Port() == 0:
		return netip.AddrPort{}
	}
	return l.agreed
}

// takes says whether packets of an address are taken.
func (l *latch) takes(from netip.AddrPort) bool {
	from = plain(from)
	switch {
	case from == l.from:
	case from.Addr() == l.agreed.Addr() && (!l.from.IsValid() || l.idle > moving):
		l.from = from
	default:
		return false
	}
	l.idle = 0
	return true
}

// plain writes an IPv4 address as one, whatever socket it comes from.
func plain(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
