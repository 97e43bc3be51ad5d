package media

import (
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier/sip/sdp"
)

// NewSocketless is a session without sockets.
func NewSocketless() *MediaSession { return newSession(&net.UDPConn{}, &net.UDPConn{}) }

// BeginStill is Start with a stopped clock that tests advance.
func (s *MediaSession) BeginStill(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startMedia(local, stream)
}

// TurnTick turns the clock by a tick that was due some time ago.
func (s *MediaSession) TurnTick(late time.Duration) { s.makeTick(late) }

// ReceiveRTP takes a datagram of RTP as if it came from an address.
func (s *MediaSession) ReceiveRTP(b []byte, from netip.AddrPort) { s.takeRTP(b, from) }

// ReceiveRTCP takes a datagram of RTCP as if it came from an address.
func (s *MediaSession) ReceiveRTCP(b []byte, from netip.AddrPort) { s.takeRTCP(b, from) }

// RunAside does work beside the session.
func (s *MediaSession) RunAside(work func()) { s.runAside(work) }
