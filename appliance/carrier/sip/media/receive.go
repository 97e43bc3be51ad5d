package media

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// takeRTP takes one datagram of RTP.
func (s *Session) takeRTP(b []byte, from netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started && s.err == nil {
		s.receive(b, from)
	}
}

// read reads datagrams until the end. One that is too long for the buffer is cut.
func (s *Session) read(c *net.UDPConn, take func(b []byte, from netip.AddrPort)) {
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
		select { // ICMP says that nobody listens there: that may be over soon
		case <-s.ended:
			return
		case <-time.After(carrier.Tick):
		}
	}
}

// receive sorts one datagram of RTP.
func (s *Session) receive(b []byte, from netip.AddrPort) {
	at := time.Since(s.begun)
	switch p := &s.packet; {
	case !s.local.Receiving:
	case !s.latch.may(from):
		s.strange(from)
	case p.Unmarshal(b) != nil || p.Version != 2:
		s.ignored++
	case !s.open(b):
		s.forged++
	case !s.in.expects(p.PayloadType):
		s.ignored++
		if plain(from).Addr() == s.latch.peer() { // it lives
			s.silent = 0
		}
	case !s.latch.takes(from):
		s.strange(from)
	case !s.in.take(p, at, s.late(at)):
		s.ignored++
	default:
		s.silent = 0
	}
}

// strange counts a packet of an address that was not agreed on.
func (s *Session) strange(from netip.AddrPort) {
	s.foreign++
	s.stranger = plain(from).Addr()
}

// open opens a packet if it is protected, and says whether it may be believed.
func (s *Session) open(b []byte) bool {
	if s.in.opener == nil {
		return true
	}
	opened, err := s.in.opener.rtp(b, s.packet.SSRC)
	return err == nil && s.packet.Unmarshal(opened) == nil
}

// late says whether more than one tick is due and not made yet.
func (s *Session) late(at time.Duration) bool { return s.turning && int(at/carrier.Tick)-s.made > 1 }
