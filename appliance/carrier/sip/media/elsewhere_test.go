package media_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// elsewhere is a public address that was not agreed on.
var elsewhere = netip.MustParseAddrPort("203.0.113.9:4000")

// TestRTPFromAnotherAddress checks that packets from another address are by default counted and dropped; with First
// they are accepted and answered, however late they begin.
func TestRTPFromAnotherAddress(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]media.LatchMode{"strict": media.Strict, "first": media.First} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := media.OpenSession(loopback, ports, mode)
			if err != nil {
				t.Fatal(err)
			}
			defer s.End(nil)
			p := newPeer(t, s)
			if err := s.BeginStill(localStream(), p.agreedStream()); err != nil {
				t.Fatal(err)
			}
			turnTicks(s, int(4*time.Second/carrier.Tick))
			p.from = elsewhere
			for range 20 {
				p.sendAudio(rampSamples(1000, carrier.Samples))
				turnTicks(s, 1)
			}
			turnTicks(s, 10)
			in, _ := heardFrames(takeFrames(t, s, int(4*time.Second/carrier.Tick)+30))
			loud := slices.ContainsFunc(in, func(v int16) bool { return v > 900 })
			stats := s.Stats()
			switch mode {
			case media.Strict:
				if loud || stats.Foreign != 20 || stats.Stranger != elsewhere.Addr() || stats.Received != 0 {
					t.Errorf("heard: %v, %+v", loud, stats)
				}
			case media.First:
				if !loud || stats.Foreign != 2 || stats.Received != 18 {
					t.Errorf("heard: %v, %+v", loud, stats)
				}
			}
		})
	}
}

// TestComfortNoise checks that comfort noise packets (RFC 3389) keep the line, also before any audio, and do not count
// as lost.
func TestComfortNoise(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	noise := func() {
		head := p.head
		head.PayloadType = 13
		p.sendRaw(head, []byte{60})
		p.head.SequenceNumber++
		p.head.Timestamp += carrier.Samples
	}
	for range 50 { // 50 s
		noise()
		turnTicks(s, int(time.Second/carrier.Tick))
	}
	for range 10 {
		p.sendAudio(rampSamples(1000, carrier.Samples))
		noise()
		turnTicks(s, 1)
	}
	turnTicks(s, 10)
	in, _ := heardFrames(takeFrames(t, s, 50*50+20))
	if !slices.ContainsFunc(in, func(v int16) bool { return v > 900 }) {
		t.Error("the sound after it is not heard")
	}
	if stats := s.Stats(); stats.Received != 70 || stats.Lost != 0 || stats.Ignored != 0 {
		t.Errorf("%+v", stats)
	}
}
