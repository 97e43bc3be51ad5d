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

// PeerReport returns what the remote side's last report says of our packets, and the round-trip time.
func (s *MediaSession) PeerReport() (lost int64, jitter, trip time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quality.peer.lost, samplesDuration(s.quality.peer.jitter), s.reports.trip
}

// RunAside runs work in a goroutine of the session.
func (s *MediaSession) RunAside(work func()) { s.runAside(work) }
