package media

import "time"

// senderStats are the reception statistics of one SSRC, as in RFC 3550 appendix A.
type senderStats struct {
	ssrc     uint32
	known    bool
	base     uint32       // sequence number of the first packet, extended by wraps
	highest  uint32       // highest sequence number, extended by wraps
	seen     uint64       // bit k: packet highest-k was received
	received uint32       // since base
	restart  uint16       // the sequence number after one that did not fit
	before   uint64       // packets lost before base
	told     remoteReport // in the last report
	transit  uint32       // transit time of the last packet, in samples
	jitter   uint32       // in 1/16 sample
}

// remoteReport is the state at the last report.
type remoteReport struct{ expected, received uint32 }

const (
	dropout = 3000 // largest gap in sequence numbers that is not a restart
	stale   = 64   // reordering tolerance in packets
)

// beginSender starts counting an SSRC from a packet on, which is still to be counted. Losses of the previous one are
// kept.
func (s *senderStats) beginSender(ssrc uint32, seq uint16) {
	lost := s.lostPackets()
	*s = senderStats{ssrc: ssrc, known: true, before: lost, jitter: s.jitter, transit: s.transit}
	s.base, s.highest = uint32(seq), uint32(seq)
}

// countPacket counts a packet, and reports whether it is not a duplicate.
func (s *senderStats) countPacket(seq uint16) bool {
	ahead := int(int16(seq - uint16(s.highest)))
	switch {
	case ahead > 0 && ahead < dropout:
		s.highest += uint32(ahead)
		s.seen = s.seen<<ahead | 1
	case ahead <= 0 && ahead > -stale:
		bit := uint64(1) << -ahead
		if s.seen&bit != 0 {
			return false
		}
		s.seen |= bit
		if s.highest-s.base < uint32(-ahead) { // sent before the first packet received
			s.base = s.highest - uint32(-ahead)
		}
	case seq == s.restart:
		s.beginSender(s.ssrc, seq)
		s.seen = 1
	default:
		s.restart = seq + 1
		return true
	}
	s.received++
	return true
}

// isBehind reports whether a sequence number is before the last ones, beyond reordering.
func (s *senderStats) isBehind(seq uint16) bool { return int16(seq-uint16(s.highest)) <= -stale }

// measureJitter updates the interarrival jitter (RFC 3550 §6.4.1).
func (s *senderStats) measureJitter(stamp uint32, at time.Duration) {
	transit := uint32(at*ms/time.Millisecond) - stamp
	d := int32(transit - s.transit)
	s.transit = transit
	if d < 0 {
		d = -d
	}
	if s.received < 2 || d < 0 || d > window { // first packet, or a jump of the time stamps
		return
	}
	s.jitter += uint32(d) - (s.jitter+8)/16
}

// expectedPackets returns the number of packets sent since base.
func (s *senderStats) expectedPackets() uint32 {
	if !s.known {
		return 0
	}
	return s.highest - s.base + 1
}

// lostPackets returns the number of lost packets, over all SSRCs.
func (s *senderStats) lostPackets() uint64 {
	if expected := s.expectedPackets(); expected > s.received {
		return s.before + uint64(expected-s.received)
	}
	return s.before
}

// lostFraction returns the share of packets lost since the last report, in 1/256.
func (s *senderStats) lostFraction() uint8 {
	now := remoteReport{s.expectedPackets(), s.received}
	expected, received := now.expected-s.told.expected, now.received-s.told.received
	s.told = now
	if expected == 0 || received >= expected {
		return 0
	}
	return uint8(min((expected-received)*256/expected, 255))
}
