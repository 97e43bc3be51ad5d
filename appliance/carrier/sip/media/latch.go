package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// LatchMode is the policy for RTP from an address other than the negotiated one.
type LatchMode int

const (
	// Strict accepts the negotiated address only, and another one only if the negotiated one is not publicly reachable.
	Strict LatchMode = iota
	// First accepts the first sender, for trunks that send from undeclared addresses.
	First
)

// symmetricLatch implements symmetric RTP latching (RFC 4961) for NAT traversal: which source address is accepted, and
// where our packets are sent.
//
// Only the negotiated address may send, from any of its ports; our packets go to its source port. It may switch to
// another port after a second of silence.
//
// A negotiated address that is private or missing may belong to a remote side behind NAT; with [First] any source may.
// To prevent RTP injection by a third party, another address (the candidate) is latched to only if
//   - no packet came from the negotiated address yet,
//   - three packets of the candidate arrived within a second, and none from a second candidate: spraying all ports to
//     hijack a call mutes it instead.
//
// The latch is only released for the negotiated address. Our packets go to the candidate only while the negotiated
// address is silent, for a second at least: if that answers, by RTP or by RTCP, they stay with it, also where the audio
// comes from elsewhere. So packets sprayed before its first one do not redirect the call. With SRTP only authenticated
// packets count.
type symmetricLatch struct {
	mode     LatchMode
	agreed   netip.AddrPort
	from     netip.AddrPort // current source; invalid until the first packet
	idle     int            // ticks without a packet from it
	quiet    int            // ticks without an answer of the negotiated address
	stranger netip.AddrPort
	packets  int  // packets of the candidate within a second
	since    int  // ticks since the first of them
	shut     bool // there were two candidates: neither is accepted
}

const (
	moving = int(time.Second / carrier.Tick) // silence of a port, or of an address, before another one replaces it
	enough = 3                               // packets of a candidate
)

// setRemote restarts latching for a new remote address. A remote side without an address (hold) keeps the previous one.
func (l *symmetricLatch) setRemote(remote netip.AddrPort) {
	if remote = unmapAddress(remote); remote != l.agreed && (isSendable(remote) || !l.agreed.IsValid()) {
		*l = symmetricLatch{mode: l.mode, agreed: remote}
	}
}

func isSendable(a netip.AddrPort) bool {
	return a.IsValid() && !a.Addr().IsUnspecified() && a.Port() != 0
}

// sendAddress counts a tick and returns the address to send to; invalid: none.
func (l *symmetricLatch) sendAddress() netip.AddrPort {
	l.idle++
	l.since++
	l.quiet++
	switch {
	case !isSendable(l.agreed):
		return l.from
	case l.from.Addr() == l.agreed.Addr(), l.from.IsValid() && l.quiet > moving:
		return l.from
	}
	return l.agreed
}

// peerAddress returns the address that audio is expected from; the zero address without one.
func (l *symmetricLatch) peerAddress() netip.Addr {
	if l.from.IsValid() {
		return l.from.Addr()
	}
	return l.agreed.Addr()
}

// isPeer reports whether an address is the negotiated one, or the one that audio comes from.
func (l *symmetricLatch) isPeer(a netip.Addr) bool {
	return a == l.agreed.Addr() || a == l.peerAddress()
}

// noteAnswer records a valid packet, of RTP or RTCP, from an address.
func (l *symmetricLatch) noteAnswer(from netip.Addr) {
	if from == l.agreed.Addr() {
		l.quiet = 0
	}
}

// mayTake reports whether packets from an address may be accepted.
func (l *symmetricLatch) mayTake(from netip.AddrPort) bool {
	from = unmapAddress(from)
	return from == l.from || l.mayMovePort(from) || l.isOpen()
}

// acceptPacket reports whether a valid packet from an address is accepted.
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
	l.noteAnswer(from.Addr())
	return true
}

// mayMovePort reports whether the remote side may switch to another of its ports.
func (l *symmetricLatch) mayMovePort(to netip.AddrPort) bool {
	return to.Addr() == l.agreed.Addr() && (l.from.Addr() != l.agreed.Addr() || l.idle > moving)
}

// isOpen reports whether other addresses may be latched to.
func (l *symmetricLatch) isOpen() bool {
	a := l.agreed.Addr()
	hidden := !isSendable(l.agreed) || a.IsPrivate() || a.IsLinkLocalUnicast() || shared.Contains(a)
	return (hidden || l.mode == First) && !l.from.IsValid() && !l.shut
}

// shared is the carrier-grade NAT range (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// countStranger counts a packet of a candidate address.
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

// unmapAddress converts an IPv4-mapped IPv6 address to IPv4.
func unmapAddress(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}
