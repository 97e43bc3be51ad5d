package media

import (
	"net"
	"net/netip"
	"time"

	"munadi/appliance/carrier/sip/sdp"
)

// NewSocketless returns a session without sockets.
func NewSocketless() *MediaSession { return newSession(&net.UDPConn{}, &net.UDPConn{}) }

// BeginStill is Start with a stopped clock that tests advance.
func (s *MediaSession) BeginStill(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startMedia(local, stream)
}

// TurnTick advances the clock by a tick that should have occurred some time ago.
func (s *MediaSession) TurnTick(late time.Duration) { s.makeTick(late) }

// ReceiveRTP processes an RTP datagram as if it came from an address.
func (s *MediaSession) ReceiveRTP(b []byte, from netip.AddrPort) { s.takeRTP(b, from) }

// ReceiveRTCP processes an RTCP datagram as if it came from an address.
func (s *MediaSession) ReceiveRTCP(b []byte, from netip.AddrPort) { s.takeRTCP(b, from) }

// RunAside runs work in a goroutine of the session.
func (s *MediaSession) RunAside(work func()) { s.runAside(work) }
