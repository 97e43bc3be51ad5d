package media_test

import (
	"math"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/rtcp"

	"munadi/appliance/carrier"
)

// TestQualitySamples checks the samples of a call whose every tenth packet is lost on the way to us, and whose remote
// side reports that it lost a fifth of ours.
func TestQualitySamples(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	ssrc := uint32(0)
	report := func(highest, lost uint32) {
		b, err := rtcp.Marshal([]rtcp.Packet{&rtcp.ReceiverReport{SSRC: 7, Reports: []rtcp.ReceptionReport{
			{SSRC: ssrc, LastSequenceNumber: highest, TotalLost: lost, Jitter: 16},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		s.ReceiveRTCP(b, netip.AddrPortFrom(loopback, 9))
	}
	const ticks = int(5 * time.Second / carrier.Tick)
	for i := range 3 * ticks {
		if i%10 == 9 {
			p.head.SequenceNumber++
			p.head.Timestamp += carrier.Samples
		} else {
			p.sendAudio(rampSamples(1000, carrier.Samples))
		}
		turnTicks(s, 1)
		ssrc = p.nextPacket().SSRC
		if i%ticks == ticks/2 {
			n := uint32(i / ticks)
			report(1000+n*250, 3+n*50)
		}
	}
	got := s.Quality()
	if len(got) != 3 {
		t.Fatalf("%d samples: %+v", len(got), got)
	}
	for i, q := range got {
		if q.At != float64(5*i) || q.Seconds != 5 || q.Inbound == nil || math.Abs(q.Inbound.Loss-0.1) > 0.01 {
			t.Errorf("sample %d: %+v, heard %+v", i, q, q.Inbound)
		}
		switch {
		case i == 0 && q.Outbound != nil: // one report says nothing of an interval
			t.Errorf("after the first report the other side hears %+v", q.Outbound)
		case i > 0 && (q.Outbound == nil || math.Abs(q.Outbound.Loss-0.2) > 0.01 || q.Outbound.Jitter != 2):
			t.Errorf("sample %d: the other side hears %+v", i, q.Outbound)
		case i > 0 && (q.Outbound.MOS >= q.Inbound.MOS || q.Inbound.MOS > 3.7 || q.Outbound.MOS < 2):
			t.Errorf("sample %d: MOS %v and %v", i, q.Inbound.MOS, q.Outbound.MOS)
		}
	}
}

// TestQualityOfALongCall checks that the samples of a call of two hours are few, follow each other and reach its end.
func TestQualityOfALongCall(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	const ticks = int(2 * time.Hour / carrier.Tick)
	for range ticks {
		p.sendAudio(make([]int16, carrier.Samples))
		turnTicks(s, 1)
		p.nextPacket()
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Quality()
	at := 0.0
	for _, q := range got {
		if q.At != at || q.Inbound == nil || q.Inbound.MOS < 4.3 {
			t.Fatalf("at %v: %+v", at, q)
		}
		at += q.Seconds
	}
	if len(got) > 240 || at < 7199 {
		t.Errorf("%d samples of %v s", len(got), at)
	}
}
