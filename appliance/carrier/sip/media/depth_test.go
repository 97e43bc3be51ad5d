package media

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"munadi/appliance/carrier"
)

// driftingLine is a network between a sender whose clock drifts by some ppm and a jitter buffer.
type driftingLine struct {
	n      int            // samples a packet
	ppm    float64        // by which the other side's clock is too fast
	delay  func() float64 // of a packet, in ms
	lost   func(int) bool // whether a packet gets lost
	frames func(tick int, f []int16)
}

// sendSeconds sends for this many seconds.
func (l driftingLine) sendSeconds(j *jitterBuffer, seconds int) {
	type packet struct {
		at    float64
		stamp uint32
	}
	var under []packet // way, in the order of their arrival
	sent, stamp := 0, uint32(0)
	for tick := 1; tick <= seconds*50; tick++ {
		now := float64(tick) * 20
		for spoken := float64(l.n) / ms * (1 - l.ppm/1e6); float64(sent+1)*spoken <= now; sent++ {
			if l.lost == nil || !l.lost(sent) {
				under = append(under, packet{float64(sent+1)*spoken + l.delay(), stamp})
			}
			stamp += uint32(l.n)
		}
		slices.SortStableFunc(under, func(a, b packet) int { return int(math.Copysign(1, a.at-b.at)) })
		for len(under) > 0 && under[0].at <= now {
			j.pushPacket(under[0].stamp, false, false, framePayload(under[0].stamp, l.n), decodeBytewise(linear))
			under = under[1:]
		}
		f := pullFrames(j)
		if l.frames != nil {
			l.frames(tick, f)
		}
	}
}

// Ten minutes with a clock that is 200 ppm fast or slow (120 ms): nothing is lost except some frames that are blended
// with their neighbours.
func TestClocksThatDoNotGoAlike(t *testing.T) {
	t.Parallel()
	for _, n := range []int{80, 160, 240, 480} {
		for _, ppm := range []float64{-200, -50, 50, 200} {
			t.Run(fmt.Sprintf("%d samples, %v ppm", n, ppm), func(t *testing.T) {
				t.Parallel()
				var j jitterBuffer
				chance := rand.New(rand.NewPCG(1, 2))
				silent, most := 0, int32(0)
				driftingLine{
					n: n, ppm: ppm, delay: func() float64 { return 5 * chance.Float64() },
					frames: func(tick int, f []int16) {
						if tick > 10 && slices.Contains(f, 0) {
							silent++
						}
						most = max(most, int32(j.newest-j.head))
					},
				}.sendSeconds(&j, 600)
				t.Logf("%d times adapted, %d late, %d frames with silence, %d ms held at most", j.adapted, j.late, silent, most/ms)
				if j.late > 0 || silent > 0 {
					t.Errorf("%d packets were late, %d frames have silence", j.late, silent)
				}
				if j.adapted > 10 || most > int32(longest+2*carrier.Samples+n) {
					t.Errorf("%d times adapted, %d ms held", j.adapted, most/ms)
				}
			})
		}
	}
}

func TestDelayFollowsTheNetwork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		jitter float64 // ms, from the second second on
		late   uint64  // packets of 2,500 after ten seconds, at most
		held   int32   // ms
	}{{0, 0, 80}, {20, 0, 80}, {60, 0, 100}, {100, 5, 160}, {150, 5, 180}} {
		var j jitterBuffer
		chance, n := rand.New(rand.NewPCG(3, 4)), 0
		held, learning := int32(0), uint64(0)
		driftingLine{
			n: 160, delay: func() float64 {
				if n++; n < 50 {
					return 0
				}
				return c.jitter * chance.Float64()
			},
			frames: func(tick int, _ []int16) {
				if tick <= 500 {
					learning = j.late
				} else {
					held = max(held, int32(j.newest-j.head)/ms)
				}
			},
		}.sendSeconds(&j, 60)
		late := j.late - learning
		t.Logf("%v ms of jitter: %d + %d late, %d ms held at most, %d times adapted", c.jitter, learning, late, held, j.adapted)
		if late > c.late || held > c.held {
			t.Errorf("%v ms of jitter: %d packets late, %d ms held", c.jitter, late, held)
		}
	}
}

// A network that delays packets and then delivers them together costs those that are too late, and a longer delay for a
// while.
func TestABurstLeavesNoDelay(t *testing.T) {
	t.Parallel()
	var j jitterBuffer
	stamp := uint32(0)
	send := func() {
		j.pushPacket(stamp, false, false, framePayload(stamp, 160), decodeBytewise(linear))
		stamp += 160
	}
	held := func(tick int, most int32) {
		t.Helper()
		if got := int32(j.newest-j.head) / ms; got > most {
			t.Errorf("%d ms are held at tick %d", got, tick)
		}
	}
	for tick := range 1000 {
		if tick < 50 || tick >= 65 {
			send()
		}
		if tick == 64 {
			for range 15 {
				send()
			}
		}
		if pullFrames(&j); tick > 100 {
			held(tick, 140)
		}
	}
	held(1000, 80)
}

// If this process was late, packets and ticks come in bursts; that does not count as jitter of the network.
func TestADelayOfOursChangesNothing(t *testing.T) {
	t.Parallel()
	var j jitterBuffer
	stamp := uint32(0)
	send := func(late bool) {
		j.pushPacket(stamp, false, late, framePayload(stamp, 160), decodeBytewise(linear))
		stamp += 160
	}
	const delay = 15 // ticks
	for tick := range uint32(200) {
		switch {
		case tick == 50:
			for range delay {
				send(true)
			}
		case tick < 50 || tick >= 50+delay:
			send(false)
		}
		frame := pullFrames(&j)
		if at := tick*160 - beginning; tick > 3 && !slices.Equal(frame, decodedFrame(at)) {
			t.Fatalf("frame %d is not what was sent", tick)
		}
	}
	if held := int32(j.newest-j.head) / ms; j.late > 0 || j.adapted > 0 || held > 80 {
		t.Errorf("%d late, %d times adapted, %d ms held", j.late, j.adapted, held)
	}
}
