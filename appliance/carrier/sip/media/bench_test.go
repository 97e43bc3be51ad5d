package media_test

import (
	"io"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// processorTime returns the CPU time of this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTick measures 20 ms of a call in both directions, without socket reads and wake-ups.
func BenchmarkTick(b *testing.B) {
	for name, start := range map[string]func(testing.TB) (*media.MediaSession, *mediaPeer){"RTP": beginSession, "SRTP": beginSecure} {
		b.Run(name, func(b *testing.B) {
			s, p := start(b)
			_ = p.conn.Close()
			pcm, silence := rampSamples(-3000, 8000), make([]byte, carrier.Samples)
			var packets [][]byte
			b.ReportAllocs()
			for b.Loop() {
				if len(packets) == 0 {
					b.StopTimer()
					for range 1 << 12 {
						packets = append(packets, p.seal(p.marshalPacket(p.head, silence)))
						p.head.SequenceNumber++
						p.head.Timestamp += carrier.Samples
					}
					b.StartTimer()
				}
				if s.Queued() == 0 {
					s.Say(pcm, nil)
				}
				s.ReceiveRTP(packets[0], p.from)
				packets = packets[1:]
				s.TurnTick(0)
				if _, err := s.Next(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			if got := s.Stats(); got.Lost > 0 || got.Forged > 0 {
				b.Errorf("%+v", got)
			}
		})
	}
}

// BenchmarkLegs runs a hundred legs for two seconds of real time, which speak to each other in pairs: the share of a
// CPU core per leg, and how many packets are late on this machine.
func BenchmarkLegs(b *testing.B) {
	const legs, ticks = 100, 100
	for b.Loop() {
		var all []*media.MediaSession
		for range legs / 2 {
			x, y := openSession(b), openSession(b)
			for _, s := range [][2]*media.MediaSession{{x, y}, {y, x}} {
				r := newPeer(b, s[0]).agreedStream()
				r.Remote = withPort(r.Remote, s[1].Port())
				if err := s[0].Start(localStream(), r); err != nil {
					b.Fatal(err)
				}
			}
			all = append(all, x, y)
		}
		before := processorTime(b)
		for range ticks {
			for _, s := range all {
				takeFrames(b, s, 1)
			}
		}
		b.ReportMetric(100*float64(processorTime(b)-before)/float64(legs*ticks)/float64(carrier.Tick), "%core/leg")
		var late, received uint64
		for _, s := range all {
			late, received = late+s.Stats().Late, received+s.Stats().Received
			s.End(io.EOF)
		}
		b.ReportMetric(100*float64(late)/float64(received), "%late")
	}
}

func withPort(a netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr(), port)
}
