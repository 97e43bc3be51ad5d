package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// Latch is whose sound is believed where it comes from another address than the agreed one.
type Latch int

const (
	// Strict believes the agreed address alone; a stranger only where that cannot be reached from outside.
	Strict Latch = iota
	// First believes whoever sends first, for trunks that send from other addresses than they tell.
	First
)

// latch says whose packets are taken, and where ours go: symmetric RTP (RFC 4961), for the sake of address translation.
//
// Only the address that was agreed on may send, from any of its ports; ours go to the port that it sends from. It may
// go over to another port after a second of silence.
//
// An agreed address that is private, or none at all, may be what a side behind address translation takes for its own;
// with [First] any address may be. Anybody else could then pretend to be that side, so a stranger is believed only if
//   - nothing came from the agreed address yet, however late the stranger begins,
//   - three of its packets came within a second, and until then none of another stranger: who sprays all ports in the
//     hope to get hold of a call makes the sound stay away instead.
//
// It is left again only for the agreed address. With SRTP only packets that authenticate come so far.
type latch struct {
	mode     Latch
	agreed   netip.AddrPort
	from     netip.AddrPort // who sends; invalid until somebody did
	idle     int            // ticks without a packet of from
	stranger netip.AddrPort
	packets  int  // of the stranger, within a second
	since    int  // ticks since the first of them
	shut     bool // there were two strangers: neither is believed
}

const (
	moving = int(time.Second / carrier.Tick) // silence of a port before another one is believed
	enough = 3                               // packets of a stranger
)

// agree begins anew with another address. The one of a side that names none (it holds) stays what it was.
func (l *latch) agree(remote netip.AddrPort) {
	if remote = plain(remote); remote != l.agreed && (nameable(remote) || !l.agreed.IsValid()) {
		*l = latch{mode: l.mode, agreed: remote}
	}
}

func nameable(a netip.AddrPort) bool {
	return a.IsValid() && !a.Addr().IsUnspecified() && a.Port() != 0
}

// tick counts the time, and says where to send to; nowhere if that is invalid.
func (l *latch) tick() netip.AddrPort {
	l.idle++
	l.since++
	switch {
	case l.from.IsValid():
		return l.from
	case nameable(l.agreed):
		return l.agreed
	}
	return netip.AddrPort{}
}

// peer is the address that is sent to; the zero address while there is none.
func (l *latch) peer() netip.Addr {
	if l.from.IsValid() {
		return l.from.Addr()
	}
	return l.agreed.Addr()
}

// may says whether a packet of an address can be taken at all.
func (l *latch) may(from netip.AddrPort) bool {
	from = plain(from)
	return from == l.from || l.moves(from) || l.open()
}

// takes says whether a valid packet of an address is taken.
func (l *latch) takes(from netip.AddrPort) bool {
	from = plain(from)
	switch {
	case from == l.from:
	case l.moves(from):
		l.from = from
	case l.open() && l.trusts(from):
		l.from = from
	default:
		return false
	}
	l.idle = 0
	return true
}

// moves says whether the agreed side may go over to a port of its own.
func (l *latch) moves(to netip.AddrPort) bool {
	return to.Addr() == l.agreed.Addr() && (l.from.Addr() != l.agreed.Addr() || l.idle > moving)
}

// open says whether strangers are listened to.
func (l *latch) open() bool {
	a := l.agreed.Addr()
	hidden := !nameable(l.agreed) || a.IsPrivate() || a.IsLinkLocalUnicast() || shared.Contains(a)
	return (hidden || l.mode == First) && !l.from.IsValid() && !l.shut
}

// shared are addresses behind the translation of a network's operator (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// trusts counts a stranger's packet.
func (l *latch) trusts(from netip.AddrPort) bool {
	if !l.stranger.IsValid() {
		l.stranger = from
	}
	if from != l.stranger {
		l.shut = true
		return false
	}
	if l.packets == 0 || l.since > moving {
		l.packets, l.since = 0, 0
	}
	l.packets++
	return l.packets >= enough
}

// plain writes an IPv4 address as one, whatever socket it comes from.
func plain(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
