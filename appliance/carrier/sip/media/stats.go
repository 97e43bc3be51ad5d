package media

import (
	"net/netip"
	"time"

	"munadi/appliance/carrier"
)

// MediaStats are the media measurements of a call.
type MediaStats struct {
	Codec     string // last negotiated codec; empty before
	Encrypted bool

	Sent, Received, Lost, Late uint64        // packets; Late ones arrived after their playout time
	Jitter                     time.Duration // interarrival jitter (RFC 3550 §6.4.1)

	Foreign uint64 // packets from addresses that were not negotiated
	// Stranger is the last of those addresses; zero without one.
	Stranger netip.Addr
	Forged   uint64 // packets that failed SRTP authentication or were replayed
	Ignored  uint64 // datagrams that are not RTP, or have an unexpected payload type or SSRC

	PeerLost   uint64        // our packets lost, as reported by the remote side
	PeerJitter time.Duration // of our packets, as reported by the remote side
	RoundTrip  time.Duration // 0: not reported
}

// Stats returns the measurements so far.
func (s *MediaSession) Stats() MediaStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return MediaStats{
		Codec: s.codecName(), Encrypted: s.stream.Key != nil,
		Sent: s.out.sent, Received: s.in.received, Lost: s.in.source.lostPackets(), Late: s.in.jitter.late,
		Jitter:  samplesDuration(s.in.source.jitter / 16),
		Foreign: s.foreign, Stranger: s.stranger, Forged: s.forged, Ignored: s.ignored,
		PeerLost: s.reports.lost, PeerJitter: samplesDuration(s.reports.jitter), RoundTrip: s.reports.trip,
	}
}

func samplesDuration(n uint32) time.Duration { return time.Duration(n) * time.Millisecond / ms }

// codecName returns the name of the negotiated codec.
func (s *MediaSession) codecName() string {
	if !s.started {
		return ""
	}
	return s.stream.Codec.String()
}

// Lasted returns how long the media has been up since the answer, whether or not frames were read.
func (s *MediaSession) Lasted() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.made) * carrier.Tick
}
