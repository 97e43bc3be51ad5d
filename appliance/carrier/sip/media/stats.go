package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// MediaStats is what was measured.
type MediaStats struct {
	Codec     string // the last one that was agreed on; empty before
	Encrypted bool

	Sent, Received, Lost, Late uint64        // packets; Late ones came, but after their time
	Jitter                     time.Duration // of packets that came (RFC 3550 §6.4.1)
	Adapted                    uint64        // times that the jitter buffer left out or repeated a frame

	Unsent  uint64 // packets that the network refused
	Foreign uint64 // packets of addresses that were not agreed on
	// Stranger is the last of those addresses; zero without one.
	Stranger netip.Addr
	Forged   uint64 // packets that do not authenticate, or came a second time (SRTP)
	Ignored  uint64 // datagrams that are no RTP, or of a payload type or sender that nobody expects

	PeerLost   uint64        // packets of ours that did not come to the other side, as it says
	PeerJitter time.Duration // of ours, as it says
	RoundTrip  time.Duration // 0: the other side does not say
}

// Stats is what was measured so far.
func (s *MediaSession) Stats() MediaStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return MediaStats{
		Codec: s.codecName(), Encrypted: s.stream.Key != nil,
		Sent: s.out.sent, Received: s.in.received, Lost: s.in.source.lostPackets(), Late: s.in.jitter.late,
		Jitter: samplesDuration(s.in.source.jitter / 16), Adapted: s.in.jitter.adapted,
		Unsent: s.unsent, Foreign: s.foreign, Stranger: s.stranger, Forged: s.forged, Ignored: s.ignored,
		PeerLost: s.reports.lost, PeerJitter: samplesDuration(s.reports.jitter), RoundTrip: s.reports.trip,
	}
}

func samplesDuration(n uint32) time.Duration { return time.Duration(n) * time.Millisecond / ms }

// codecName is the name of what was agreed on.
func (s *MediaSession) codecName() string {
	if !s.started {
		return ""
	}
	return s.stream.Codec.String()
}

// Lasted is how long the sound has been up since the answer, by the clock, whether or not somebody took the frames.
func (s *MediaSession) Lasted() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.made) * carrier.Tick
}
