package media

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/appliance/carrier"
)

// linear decodes a byte as 100 times itself: silence is told from sound.
var linear = table(func(b byte) int16 { return 100 * int16(b) })

// sound is what the other side plays at a time stamp; never silence, and no two frames are alike.
func sound(stamp uint32) byte { return byte(stamp*2654435761>>24) | 1 }

func payload(stamp uint32, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = sound(stamp + uint32(i))
	}
	return b
}

// playedAt is the time stamp that a frame begins with, if it is the other side's sound without a fault.
func playedAt(frame []int16, near uint32) (uint32, bool) {
	for stamp := near - window; stamp != near+window; stamp++ {
		if frame[0] == linear[sound(stamp)] && slices.EqualFunc(frame, payload(stamp, len(frame)), func(v int16, b byte) bool {
			return v == linear[b]
		}) {
			return stamp, true
		}
	}
	return 0, false
}

func pull(j *jitter) []int16 {
	frame := make([]int16, carrier.Samples)
	j.pull(frame)
	return frame
}

func TestSoundIsPlayedAfterTheDelay(t *testing.T) {
	t.Parallel()
	for _, n := range []int{80, 160, 200, 240, 320, 480, 1600} {
		var j jitter
		const first = 1<<32 - 1000 // the time stamps wrap
		stamp := uint32(first)
		for tick := range uint32(100) {
			for int32(stamp-first) < int32((tick+1)*carrier.Samples) { // by the end of the tick, as much as was spoken
				j.push(stamp, false, false, payload(stamp, n), linear)
				stamp += uint32(n)
			}
			frame := pull(&j)
			if tick < beginning/carrier.Samples {
				if !slices.Equal(frame, make([]int16, len(frame))) {
					t.Fatalf("%d samples a packet: sound at tick %d", n, tick)
				}
			} else if at := first + tick*carrier.Samples - beginning; !slices.Equal(frame, decoded(at)) && j.adapted == 0 {
				t.Fatalf("%d samples a packet: frame %d is not what was sent", n, tick)
			}
		}
		if j.late > 0 || j.adapted > 1 {
			t.Errorf("%d samples a packet: %d late, %d times adapted", n, j.late, j.adapted)
		}
	}
}

// decoded is the frame at a time stamp.
func decoded(stamp uint32) []int16 {
	out := make([]int16, carrier.Samples)
	for i, b := range payload(stamp, len(out)) {
		out[i] = linear[b]
	}
	return out
}

// line is a network between a clock that goes wrong by some ppm and a jitter buffer.
type line struct {
	n      int            // samples a packet
	ppm    float64        // by which the other side's clock is too fast
	delay  func() float64 // of a packet, in ms
	lost   func(int) bool // whether a packet gets lost
	frames func(tick int, f []int16)
}

// run sends for some seconds.
func (l line) run(j *jitter, seconds int) {
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
			j.push(under[0].stamp, false, false, payload(under[0].stamp, l.n), linear)
			under = under[1:]
		}
		f := pull(j)
		if l.frames != nil {
			l.frames(tick, f)
		}
	}
}

// Ten minutes with a clock that is 200 ppm too fast or slow: 120 ms, of which nothing is lost but some frames that are
// blended with their neighbours.
func TestClocksThatDoNotGoAlike(t *testing.T) {
	t.Parallel()
	for _, n := range []int{80, 160, 240, 480} {
		for _, ppm := range []float64{-200, -50, 50, 200} {
			t.Run(fmt.Sprintf("%d samples, %v ppm", n, ppm), func(t *testing.T) {
				t.Parallel()
				var j jitter
				chance := rand.New(rand.NewPCG(1, 2))
				silent, most := 0, int32(0)
				line{
					n: n, ppm: ppm, delay: func() float64 { return 5 * chance.Float64() },
					frames: func(tick int, f []int16) {
						if tick > 10 && slices.Contains(f, 0) {
							silent++
						}
						most = max(most, int32(j.newest-j.head))
					},
				}.run(&j, 600)
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
		var j jitter
		chance, n := rand.New(rand.NewPCG(3, 4)), 0
		held, learning := int32(0), uint64(0)
		line{
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
		}.run(&j, 60)
		late := j.late - learning
		t.Logf("%v ms of jitter: %d + %d late, %d ms held at most, %d times adapted", c.jitter, learning, late, held, j.adapted)
		if late > c.late || held > c.held {
			t.Errorf("%v ms of jitter: %d packets late, %d ms held", c.jitter, late, held)
		}
	}
}

func TestLostSoundFades(t *testing.T) {
	t.Parallel()
	var j jitter
	lost := func(n int) bool { return n >= 50 && n < 60 }
	var levels []int
	line{
		n: 160, delay: func() float64 { return 0 }, lost: lost,
		frames: func(_ int, f []int16) {
			sum := 0
			for _, v := range f {
				sum += int(v)
			}
			levels = append(levels, sum/len(f))
		},
	}.run(&j, 2)
	before, gap := levels[:len(levels)-1], slices.Index(levels[10:], 0)+10
	if gap < 50 {
		t.Fatalf("silence at frame %d: %v", gap, before)
	}
	if l := levels[gap-4 : gap+1]; l[1] >= l[0] || l[2] >= l[1] || l[3] >= l[2] || l[3] == 0 {
		t.Errorf("the levels before silence are %v, want them to fall for three frames", l)
	}
	if back := levels[gap+7:]; back[0] == 0 || slices.Contains(back, 0) {
		t.Errorf("the sound does not come back after 200 ms: %v", back)
	}
	if j.late > 0 {
		t.Errorf("%d packets are late", j.late)
	}
}

// A frame that is left out or repeated makes no click.
func TestAdaptingIsSmooth(t *testing.T) {
	t.Parallel()
	sine := table(func(b byte) int16 { return int16(8000 * math.Sin(2*math.Pi*float64(b)/256)) })
	for name, change := range map[string]func(j *jitter, frame []int16){"skip": (*jitter).skip, "stretch": (*jitter).stretch} {
		for _, hz := range []int{220, 310, 440, 530} {
			var j jitter
			tone := make([]byte, 2000)
			for i := range tone {
				tone[i] = byte(i * 256 * hz / carrier.Rate)
			}
			j.push(0, false, false, tone, sine)
			var out []int16
			for range 5 {
				out = append(out, pull(&j)...)
			}
			frame := make([]int16, carrier.Samples)
			change(&j, frame)
			out = append(append(out, frame...), pull(&j)...)
			steepest := 0
			for i := beginning; i < len(out)-1; i++ {
				steepest = max(steepest, int(out[i+1])-int(out[i]), int(out[i])-int(out[i+1]))
			}
			limit := int(8000*2*math.Pi*float64(hz)/carrier.Rate) + 300 // the bytes are coarse
			if steepest > limit {
				t.Errorf("%s: %d Hz moves by %d in a sample, want %d at most", name, hz, steepest, limit)
			}
		}
	}
}

// What lies outside the window is not taken for something in it.
func TestTheWindowHoldsNothingElse(t *testing.T) {
	t.Parallel()
	var j jitter
	held := func() (n int) {
		for _, have := range j.have {
			if have {
				n++
			}
		}
		return n
	}
	j.push(0, false, false, payload(0, 160), linear)
	edge := window - beginning - 80 // half of the packet lies beyond
	j.push(uint32(edge), false, false, payload(uint32(edge), 160), linear)
	if held() != 160+80 {
		t.Errorf("%d samples are held, want 240", held())
	}
	for pushed := uint32(0); pushed < window; pushed += 160 {
		j.push(j.head+pushed, false, false, payload(j.head+pushed, 160), linear)
	}
	if j.leap(800); held() != window-800 {
		t.Errorf("%d samples are held after a leap ahead", held())
	}
	head := j.head
	if j.leap(-800); held() != window-800 || j.head != head-800 {
		t.Errorf("%d samples are held after a leap back", held())
	}
	if j.leap(-800); held() != window-1600 {
		t.Errorf("%d samples are held after another leap back", held())
	}
	if j.restart(1 << 30); held() != 0 {
		t.Errorf("%d samples are held after a new beginning", held())
	}
}

// Whatever came before, three seconds of sound without a fault are played without one in the end, and in time.
func TestAnyPacketsThenGoodOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var j jitter
		stamp := rapid.Uint32().Draw(t, "first")
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				pull(&j)
			case 1:
				stamp += uint32(rapid.Int32Range(-20000, 20000).Draw(t, "leap"))
			case 2:
				stamp = rapid.Uint32().Draw(t, "anywhere")
			default:
				n := rapid.SampledFrom([]int{0, 1, 80, 159, 160, 240, 320, 480, 2036}).Draw(t, "samples")
				j.push(stamp, rapid.Bool().Draw(t, "marker"), false, payload(stamp, n), linear)
				stamp += uint32(n)
			}
			if held := int32(j.newest - j.head); j.running && held > window+2036 {
				t.Fatalf("%d samples are held", held)
			}
		}
		n := rapid.SampledFrom([]int{80, 160, 240, 320, 480}).Draw(t, "samples of good packets")
		first := rapid.Uint32().Draw(t, "good")
		stamp = first
		last, faults := uint32(0), 0
		for tick := range uint32(200) {
			for int32(stamp-first) < int32((tick+1)*carrier.Samples) {
				j.push(stamp, false, false, payload(stamp, n), linear)
				stamp += uint32(n)
			}
			frame := pull(&j)
			if tick < 150 {
				continue
			}
			at, ok := playedAt(frame, stamp)
			if !ok || tick > 150 && at != last+carrier.Samples {
				faults++
			}
			last = at
			if delay := int32(first + (tick+1)*carrier.Samples - at - carrier.Samples); ok && (delay < 0 || delay > longest+2*carrier.Samples+480) {
				t.Fatalf("the delay is %d ms", delay/ms)
			}
		}
		if faults > 4 { // the delay may still be set right once
			t.Fatalf("%d of 50 frames have faults", faults)
		}
	})
}

// Loss, repetition and disorder within the delay: what is played is what was sent, at its place.
func TestLossAndDisorder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var j jitter
		first := rapid.Uint32().Draw(t, "first")
		j.push(first, false, false, payload(first, 160), linear)
		came := map[uint32]bool{first: true}
		type packet struct{ stamp, due uint32 }
		var under []packet
		for tick := range uint32(24) { // before the first decision about the delay
			stamp := first + (tick+1)*160
			for range rapid.SampledFrom([]int{0, 1, 1, 1, 2}).Draw(t, "times") {
				under = append(under, packet{stamp, tick + uint32(rapid.IntRange(0, 2).Draw(t, "ticks late"))})
			}
			under = slices.DeleteFunc(under, func(p packet) bool {
				if p.due <= tick {
					j.push(p.stamp, false, false, payload(p.stamp, 160), linear)
					came[p.stamp] = true
				}
				return p.due <= tick
			})
			frame := pull(&j)
			at := first + tick*160 - beginning
			if came[at] && !slices.Equal(frame, decoded(at)) {
				t.Fatalf("frame %d is not what was sent", tick)
			}
		}
		if j.late > 0 {
			t.Fatalf("%d packets are late", j.late)
		}
	})
}

func TestTimeStampsLeap(t *testing.T) {
	t.Parallel()
	for _, by := range []uint32{100000, 1<<32 - 100000, 1 << 31, 4000, 1<<32 - 4000} {
		var j jitter
		stamp, good := uint32(5000), 0
		for tick := range 150 {
			if tick == 50 {
				stamp += by
			}
			j.push(stamp, false, false, payload(stamp, 160), linear)
			stamp += 160
			frame := pull(&j)
			if _, ok := playedAt(frame, stamp); ok && tick > 50 {
				good++
			}
		}
		if good < 70 { // 30 ticks are two decisions about the delay
			t.Errorf("after a leap by %d, %d of 100 frames are good", int32(by), good)
		}
	}
}

// A side that is silent for a while and counts no time meanwhile is heard from its first word on.
func TestTheMarkerBeginsAnew(t *testing.T) {
	t.Parallel()
	var j jitter
	j.push(0, true, false, payload(0, 160), linear)
	for range 100 {
		pull(&j)
	}
	j.push(160, true, false, payload(160, 160), linear)
	for range beginning/carrier.Samples + 1 {
		if slices.Equal(pull(&j), decoded(160)) {
			return
		}
	}
	t.Error("the first word is lost")
}

// A network that holds packets up and then delivers them all at once costs what is too late, and some delay for a while.
func TestABurstLeavesNoDelay(t *testing.T) {
	t.Parallel()
	var j jitter
	stamp := uint32(0)
	send := func() {
		j.push(stamp, false, false, payload(stamp, 160), linear)
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
		if pull(&j); tick > 100 {
			held(tick, 140)
		}
	}
	held(1000, 80)
}

// When this process was late, packets and ticks come in bursts; nothing of that is the network's.
func TestADelayOfOursChangesNothing(t *testing.T) {
	t.Parallel()
	var j jitter
	stamp := uint32(0)
	send := func(late bool) {
		j.push(stamp, false, late, payload(stamp, 160), linear)
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
		frame := pull(&j)
		if at := tick*160 - beginning; tick > 3 && !slices.Equal(frame, decoded(at)) {
			t.Fatalf("frame %d is not what was sent", tick)
		}
	}
	if held := int32(j.newest-j.head) / ms; j.late > 0 || j.adapted > 0 || held > 80 {
		t.Errorf("%d late, %d times adapted, %d ms held", j.late, j.adapted, held)
	}
}
