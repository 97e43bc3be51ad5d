package media

import (
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier/sip/sdp"
)

// Deaf is a session without sockets.
func Deaf() *Session { return newSession(&net.UDPConn{}, &net.UDPConn{}) }

// Begin is Start with a clock that stands still: tests turn it.
func (s *Session) Begin(local sdp.Local, stream sdp.Stream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.start(local, stream)
}

// Tick turns the clock by a tick that was due some time ago.
func (s *Session) Tick(late time.Duration) { s.tick(late) }

// Receive takes a datagram of RTP as if it came from an address.
func (s *Session) Receive(b []byte, from netip.AddrPort) { s.takeRTP(b, from) }

// Hear takes a datagram of RTCP as if it came from an address.
func (s *Session) Hear(b []byte, from netip.AddrPort) { s.takeRTCP(b, from) }

// Aside does work beside the session.
func (s *Session) Aside(work func()) { s.aside(work) }
