package media

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestLossIsCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seqs []uint16
		lost uint64
		dups int
	}{
		"all come":                {[]uint16{65534, 65535, 0, 1, 2}, 0, 0},
		"two are lost":            {[]uint16{65534, 1, 2}, 2, 0},
		"in disorder":             {[]uint16{10, 12, 11, 14, 13}, 0, 0},
		"twice":                   {[]uint16{10, 11, 11, 10, 12}, 0, 2},
		"twice, and one is lost":  {[]uint16{10, 11, 11, 13}, 1, 1},
		"an older one comes last": {[]uint16{10, 11, 8}, 1, 0},
		"one from nowhere":        {[]uint16{10, 11, 30000, 12, 13}, 0, 0},
		"numbers begin anew":      {[]uint16{10, 12, 40000, 40001, 40003}, 2, 0},
	} {
		var s senderStats
		s.beginSender(7, c.seqs[0])
		dups := 0
		for _, seq := range c.seqs {
			if !s.countPacket(seq) {
				dups++
			}
		}
		if s.lostPackets() != c.lost || dups != c.dups {
			t.Errorf("%s: %d lost, %d twice, want %d and %d", name, s.lostPackets(), dups, c.lost, c.dups)
		}
	}
}

// The losses of earlier senders remain counted.
func TestLossOfSeveralSenders(t *testing.T) {
	t.Parallel()
	var s senderStats
	for ssrc := range uint32(3) {
		s.beginSender(ssrc, 100)
		s.countPacket(100)
		s.countPacket(102)
	}
	if s.lostPackets() != 3 {
		t.Errorf("%d lost, want 3", s.lostPackets())
	}
	if s.lostFraction() != 256/3 || s.lostFraction() != 0 {
		t.Error("a third got lost since the last report, and nothing since then")
	}
}

// Packets that are alternately up to 10 ms late have a jitter of a third of that.
func TestJitterIsMeasured(t *testing.T) {
	t.Parallel()
	var s senderStats
	s.beginSender(1, 0)
	chance := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		s.countPacket(uint16(i))
		s.measureJitter(uint32(1<<32-5000+160*i), time.Duration(i)*20*time.Millisecond+time.Duration(chance.IntN(1e7)))
	}
	if got := samplesDuration(s.jitter / 16); got < 2*time.Millisecond || got > 5*time.Millisecond {
		t.Errorf("jitter %v, want some 3.3 ms", got)
	}
}
