package media

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// takeRTP handles one RTP datagram.
func (s *MediaSession) takeRTP(b []byte, from netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
	case s.started:
		s.receiveRTP(b, from)
	case s.early != nil:
		s.early.takePacket(b, from)
	}
}

// readDatagrams reads datagrams until the end of the session. Longer ones than the buffer are truncated.
func (s *MediaSession) readDatagrams(c *net.UDPConn, take func(b []byte, from netip.AddrPort)) {
	buffer := make([]byte, 2048)
	for {
		n, from, err := c.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil:
			take(buffer[:n], from)
			continue
		}
		select { // ICMP port unreachable: may be temporary
		case <-s.ended:
			return
		case <-time.After(carrier.Tick):
		}
	}
}

// receiveRTP validates and dispatches one RTP datagram.
func (s *MediaSession) receiveRTP(b []byte, from netip.AddrPort) {
	at := time.Since(s.begun)
	switch p := &s.packet; {
	case !s.local.Receiving:
	case !s.latch.mayTake(from):
		s.countStranger(from)
	case p.Unmarshal(b) != nil || p.Version != 2:
		s.ignored++
	case !s.openPacket(b):
		s.forged++
	case !s.in.isExpectedType(p.PayloadType):
		s.ignored++
		if a := unmapAddress(from).Addr(); s.latch.isPeer(a) { // the remote side is alive
			s.latch.noteAnswer(a)
			s.noteAlive()
		}
	case !s.latch.acceptPacket(from):
		s.countStranger(from)
	case !s.in.takePacket(p, at, s.isLate(at)):
		s.ignored++
	default:
		s.noteAlive()
	}
}

// countStranger counts a packet from an address that was not negotiated.
func (s *MediaSession) countStranger(from netip.AddrPort) {
	s.foreign++
	s.stranger = unmapAddress(from).Addr()
}

// openPacket decrypts a packet if SRTP is used, and reports whether it is authentic.
func (s *MediaSession) openPacket(b []byte) bool {
	if s.in.opener == nil {
		return true
	}
	opened, err := s.in.opener.openRTP(b, s.packet.SSRC)
	return err == nil && s.packet.Unmarshal(opened) == nil
}

// isLate reports whether more than one tick is overdue.
func (s *MediaSession) isLate(at time.Duration) bool {
	return s.turning && int(at/carrier.Tick)-s.made > 1
}
