package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// LatchMode is whose sound is believed where it comes from another address than the agreed one.
type LatchMode int

const (
	// Strict believes the agreed address alone; a stranger only where that cannot be reached from outside.
	Strict LatchMode = iota
	// First believes whoever sends first, for trunks that send from other addresses than they tell.
	First
)

// symmetricLatch says whose packets are taken, and where ours go: symmetric RTP (RFC 4961), for the sake of address translation.
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
type symmetricLatch struct {
	mode     LatchMode
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

// setRemote begins anew with another address. The one of a side that names none (it holds) stays what it was.
func (l *symmetricLatch) setRemote(remote netip.AddrPort) {
	if remote = unmapAddress(remote); remote != l.agreed && (isSendable(remote) || !l.agreed.IsValid()) {
		*l = symmetricLatch{mode: l.mode, agreed: remote}
	}
}

func isSendable(a netip.AddrPort) bool {
	return a.IsValid() && !a.Addr().IsUnspecified() && a.Port() != 0
}

// sendAddress counts the time, and says where to send to; nowhere if that is invalid.
func (l *symmetricLatch) sendAddress() netip.AddrPort {
	l.idle++
	l.since++
	switch {
	case l.from.IsValid():
		return l.from
	case isSendable(l.agreed):
		return l.agreed
	}
	return netip.AddrPort{}
}

// peerAddress is the address that is sent to; the zero address while there is none.
func (l *symmetricLatch) peerAddress() netip.Addr {
	if l.from.IsValid() {
		return l.from.Addr()
	}
	return l.agreed.Addr()
}

// mayTake says whether a packet of an address can be taken at all.
func (l *symmetricLatch) mayTake(from netip.AddrPort) bool {
	from = unmapAddress(from)
	return from == l.from || l.mayMovePort(from) || l.isOpen()
}

// acceptPacket says whether a valid packet of an address is taken.
func (l *symmetricLatch) acceptPacket(from netip.AddrPort) bool {
	from = unmapAddress(from)
	switch {
	case from == l.from:
	case l.mayMovePort(from):
		l.from = from
	case l.isOpen() && l.countStranger(from):
		l.from = from
	default:
		return false
	}
	l.idle = 0
	return true
}

// mayMovePort says whether the agreed side may go over to a port of its own.
func (l *symmetricLatch) mayMovePort(to netip.AddrPort) bool {
	return to.Addr() == l.agreed.Addr() && (l.from.Addr() != l.agreed.Addr() || l.idle > moving)
}

// isOpen says whether strangers are listened to.
func (l *symmetricLatch) isOpen() bool {
	a := l.agreed.Addr()
	hidden := !isSendable(l.agreed) || a.IsPrivate() || a.IsLinkLocalUnicast() || shared.Contains(a)
	return (hidden || l.mode == First) && !l.from.IsValid() && !l.shut
}

// shared are addresses behind the translation of a network's operator (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// countStranger counts a stranger's packet.
func (l *symmetricLatch) countStranger(from netip.AddrPort) bool {
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

// unmapAddress writes an IPv4 address as one, whatever socket it comes from.
func unmapAddress(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}
