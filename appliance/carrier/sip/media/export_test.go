package media

import (
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier/sip/sdp"
)

// Deaf is a session without sockets.
func Deaf() *MediaSession { return newSession(&net.UDPConn{}, &net.UDPConn{}) }

// Begin is Start with a clock that stands still: tests turn it.
func (s *MediaSession) Begin(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startMedia(local, stream)
}

// Tick turns the clock by a tick that was due some time ago.
func (s *MediaSession) Tick(late time.Duration) { s.makeTick(late) }

// Receive takes a datagram of RTP as if it came from an address.
func (s *MediaSession) Receive(b []byte, from netip.AddrPort) { s.takeRTP(b, from) }

// Hear takes a datagram of RTCP as if it came from an address.
func (s *MediaSession) Hear(b []byte, from netip.AddrPort) { s.takeRTCP(b, from) }

// Aside does work beside the session.
func (s *MediaSession) Aside(work func()) { s.runAside(work) }
