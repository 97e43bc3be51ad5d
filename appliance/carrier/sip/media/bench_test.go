package media_test

import (
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// BenchmarkTick is a call's 20 ms with both directions, without reading the socket: its share of a core is its time
// over 20 ms.
func BenchmarkTick(b *testing.B) {
	for name, start := range map[string]func(testing.TB) (*media.Session, *peer){"RTP": begin, "SRTP": secure} {
		b.Run(name, func(b *testing.B) {
			s, p := start(b)
			_ = p.conn.Close()
			pcm := ramp(-3000, 8000)
			packets := make([][]byte, 0, 1<<14)
			b.ReportAllocs()
			for b.Loop() {
				if len(packets) == 0 {
					b.StopTimer()
					for range cap(packets) {
						packets = append(packets, p.seal(p.marshal(p.head, make([]byte, carrier.Samples))))
						p.head.SequenceNumber++
						p.head.Timestamp += carrier.Samples
					}
					b.StartTimer()
				}
				if s.Queued() == 0 {
					s.Say(pcm)
				}
				s.Receive(packets[0], p.from)
				packets = packets[1:]
				if len(packets) == 0 {
					packets = make([][]byte, 0, 1<<14)
				}
				s.Tick(0)
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
