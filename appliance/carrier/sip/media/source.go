package media

import "time"

// senderStats counts the packets of one sender, as RFC 3550 §A does.
type senderStats struct {
	ssrc     uint32
	known    bool
	base     uint32       // sequence number of the first packet, with the rounds before it
	highest  uint32       // sequence number of the latest, with its rounds
	seen     uint64       // bit k: the packet k before the highest came
	received uint32       // since base
	restart  uint16       // the sequence number after one that did not fit
	before   uint64       // packets that were lost before base
	told     remoteReport // in the last report
	transit  uint32       // of the last packet, in samples
	jitter   uint32       // in 1/16 sample
}

// remoteReport is what a report said.
type remoteReport struct{ expected, received uint32 }

const (
	dropout = 3000 // packets that may be lost in a row before it counts as a leap
	stale   = 64   // packets that one may come too late by
)

// beginSender counts a sender from a packet on, which is still to be counted. What the one before it lost stays.
func (s *senderStats) beginSender(ssrc uint32, seq uint16) {
	lost := s.lostPackets()
	*s = senderStats{ssrc: ssrc, known: true, before: lost, jitter: s.jitter, transit: s.transit}
	s.base, s.highest = uint32(seq), uint32(seq)
}

// countPacket counts a packet, and says whether it came for the first time.
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
		if s.highest-s.base < uint32(-ahead) { // it was sent before the first that came
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

// measureJitter measures the jitter: how much the time between packets differs from the time between their time stamps.
func (s *senderStats) measureJitter(stamp uint32, at time.Duration) {
	transit := uint32(at*ms/time.Millisecond) - stamp
	d := int32(transit - s.transit)
	s.transit = transit
	if d < 0 {
		d = -d
	}
	if s.received < 2 || d < 0 || d > window { // the first packet, or the time stamps leapt
		return
	}
	s.jitter += uint32(d) - (s.jitter+8)/16
}

// expectedPackets is how many packets were sent since base.
func (s *senderStats) expectedPackets() uint32 {
	if !s.known {
		return 0
	}
	return s.highest - s.base + 1
}

// lostPackets is how many packets did not come, of all senders.
func (s *senderStats) lostPackets() uint64 {
	if expected := s.expectedPackets(); expected > s.received {
		return s.before + uint64(expected-s.received)
	}
	return s.before
}

// lostFraction is the part of the packets since the last report that did not come, in 1/256.
func (s *senderStats) lostFraction() uint8 {
	now := remoteReport{s.expectedPackets(), s.received}
	expected, received := now.expected-s.told.expected, now.received-s.told.received
	s.told = now
	if expected == 0 || received >= expected {
		return 0
	}
	return uint8(min((expected-received)*256/expected, 255))
}
