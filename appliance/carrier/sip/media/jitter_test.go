package media

import (
	"math"
	"slices"
	"testing"

	"munadi/appliance/carrier"
)

// linear decodes a byte as 100 times its value, so that silence differs from audio.
var linear = decodeTable(func(b byte) int16 { return 100 * int16(b) })

// frameAt returns the peer's audio at a time stamp; it is never silence, and no two frames are equal.
func frameAt(stamp uint32) byte { return byte(stamp*2654435761>>24) | 1 }

func framePayload(stamp uint32, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = frameAt(stamp + uint32(i))
	}
	return b
}

// playedAt returns the time stamp that a frame begins with, if it is the peer's audio without a fault.
func playedAt(frame []int16, near uint32) (uint32, bool) {
	for stamp := near - window; stamp != near+window; stamp++ {
		if frame[0] == linear[frameAt(stamp)] && slices.EqualFunc(frame, framePayload(stamp, len(frame)), func(v int16, b byte) bool {
			return v == linear[b]
		}) {
			return stamp, true
		}
	}
	return 0, false
}

// decodeBytewise decodes by a table.
func decodeBytewise(table *[256]int16) soundDecoder { return &lawDecoder{table: table} }

func pullFrames(j *jitterBuffer) []int16 { return fillFrame(j.pullFrame) }

// fillFrame returns a frame of a constant level.
func fillFrame(fill func(frame []soundSlot)) []int16 {
	var slots [carrier.Samples]soundSlot
	fill(slots[:])
	frame := make([]int16, len(slots))
	for k, s := range slots {
		frame[k] = s[0]
	}
	return frame
}

func TestSoundIsPlayedAfterTheDelay(t *testing.T) {
	t.Parallel()
	for _, n := range []int{80, 160, 200, 240, 320, 480, 1600} {
		var j jitterBuffer
		const first = 1<<32 - 1000 // the time stamps wrap
		stamp := uint32(first)
		for tick := range uint32(100) {
			for int32(stamp-first) < int32((tick+1)*carrier.Samples) { // by the end of the tick, as much as was spoken
				j.pushPacket(stamp, false, false, framePayload(stamp, n), decodeBytewise(linear))
				stamp += uint32(n)
			}
			frame := pullFrames(&j)
			if tick < beginning/carrier.Samples {
				if !slices.Equal(frame, make([]int16, len(frame))) {
					t.Fatalf("%d samples a packet: sound at tick %d", n, tick)
				}
			} else if at := first + tick*carrier.Samples - beginning; !slices.Equal(frame, decodedFrame(at)) && j.adapted == 0 {
				t.Fatalf("%d samples a packet: frame %d is not what was sent", n, tick)
			}
		}
		if j.late > 0 || j.adapted > 1 {
			t.Errorf("%d samples a packet: %d late, %d times adapted", n, j.late, j.adapted)
		}
	}
}

// decodedFrame returns the decoded frame at a time stamp.
func decodedFrame(stamp uint32) []int16 {
	out := make([]int16, carrier.Samples)
	for i, b := range framePayload(stamp, len(out)) {
		out[i] = linear[b]
	}
	return out
}

func TestLostSoundFades(t *testing.T) {
	t.Parallel()
	var j jitterBuffer
	lost := func(n int) bool { return n >= 50 && n < 60 }
	var levels []int
	driftingLine{
		n: 160, delay: func() float64 { return 0 }, lost: lost,
		frames: func(_ int, f []int16) {
			sum := 0
			for _, v := range f {
				sum += int(v)
			}
			levels = append(levels, sum/len(f))
		},
	}.sendSeconds(&j, 2)
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

// A dropped or repeated frame makes no click.
func TestAdaptingIsSmooth(t *testing.T) {
	t.Parallel()
	sine := decodeTable(func(b byte) int16 { return int16(8000 * math.Sin(2*math.Pi*float64(b)/256)) })
	for name, change := range map[string]func(j *jitterBuffer, frame []soundSlot){"skip": (*jitterBuffer).skipFrame, "stretch": (*jitterBuffer).stretchFrame} {
		for _, hz := range []int{220, 310, 440, 530} {
			var j jitterBuffer
			tone := make([]byte, 2000)
			for i := range tone {
				tone[i] = byte(i * 256 * hz / carrier.Rate)
			}
			j.pushPacket(0, false, false, tone, decodeBytewise(sine))
			var out []int16
			for range 5 {
				out = append(out, pullFrames(&j)...)
			}
			frame := fillFrame(func(frame []soundSlot) { change(&j, frame) })
			out = append(append(out, frame...), pullFrames(&j)...)
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

// Packets outside the window are not mixed up with those in it.
func TestWindowHasNoOtherPackets(t *testing.T) {
	t.Parallel()
	var j jitterBuffer
	held := func() (n int) {
		for _, have := range j.have {
			if have {
				n++
			}
		}
		return n
	}
	j.pushPacket(0, false, false, framePayload(0, 160), decodeBytewise(linear))
	edge := window - beginning - 80 // half of the packet lies beyond
	j.pushPacket(uint32(edge), false, false, framePayload(uint32(edge), 160), decodeBytewise(linear))
	if held() != 160+80 {
		t.Errorf("%d samples are held, want 240", held())
	}
	for pushed := uint32(0); pushed < window; pushed += 160 {
		j.pushPacket(j.head+pushed, false, false, framePayload(j.head+pushed, 160), decodeBytewise(linear))
	}
	if j.changeDelay(800); held() != window-800 {
		t.Errorf("%d samples are held after a leap ahead", held())
	}
	head := j.head
	if j.changeDelay(-800); held() != window-800 || j.head != head-800 {
		t.Errorf("%d samples are held after a leap back", held())
	}
	if j.changeDelay(-800); held() != window-1600 {
		t.Errorf("%d samples are held after another leap back", held())
	}
	if j.restartAt(1 << 30); held() != 0 {
		t.Errorf("%d samples are held after a new beginning", held())
	}
}

func TestTimeStampsLeap(t *testing.T) {
	t.Parallel()
	for _, by := range []uint32{100000, 1<<32 - 100000, 1 << 31, 4000, 1<<32 - 4000} {
		var j jitterBuffer
		stamp, good := uint32(5000), 0
		for tick := range 150 {
			if tick == 50 {
				stamp += by
			}
			j.pushPacket(stamp, false, false, framePayload(stamp, 160), decodeBytewise(linear))
			stamp += 160
			frame := pullFrames(&j)
			if _, ok := playedAt(frame, stamp); ok && tick > 50 {
				good++
			}
		}
		if good < 70 { // 30 ticks are two decisions about the delay
			t.Errorf("after a leap by %d, %d of 100 frames are good", int32(by), good)
		}
	}
}

// A peer that is silent for a while without advancing its time stamps is heard from its first word on.
func TestTheMarkerBeginsAnew(t *testing.T) {
	t.Parallel()
	var j jitterBuffer
	j.pushPacket(0, true, false, framePayload(0, 160), decodeBytewise(linear))
	for range 100 {
		pullFrames(&j)
	}
	j.pushPacket(160, true, false, framePayload(160, 160), decodeBytewise(linear))
	for range beginning/carrier.Samples + 1 {
		if slices.Equal(pullFrames(&j), decodedFrame(160)) {
			return
		}
	}
	t.Error("the first word is lost")
}
