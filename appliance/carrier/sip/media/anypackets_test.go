package media

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/appliance/carrier"
)

// After any packets, three seconds of faultless audio are in the end played without faults and on time.
func TestAnyPacketsThenGoodOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var j jitterBuffer
		stamp := rapid.Uint32().Draw(t, "first")
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				pullFrames(&j)
			case 1:
				stamp += uint32(rapid.Int32Range(-20000, 20000).Draw(t, "leap"))
			case 2:
				stamp = rapid.Uint32().Draw(t, "anywhere")
			default:
				n := rapid.SampledFrom([]int{0, 1, 80, 159, 160, 240, 320, 480, 2036}).Draw(t, "samples")
				j.pushPacket(stamp, rapid.Bool().Draw(t, "marker"), false, framePayload(stamp, n), decodeBytewise(linear))
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
				j.pushPacket(stamp, false, false, framePayload(stamp, n), decodeBytewise(linear))
				stamp += uint32(n)
			}
			frame := pullFrames(&j)
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

// With loss, duplicates and reordering within the delay, what is played is what was sent, at its position.
func TestLossAndDisorder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var j jitterBuffer
		first := rapid.Uint32().Draw(t, "first")
		j.pushPacket(first, false, false, framePayload(first, 160), decodeBytewise(linear))
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
					j.pushPacket(p.stamp, false, false, framePayload(p.stamp, 160), decodeBytewise(linear))
					came[p.stamp] = true
				}
				return p.due <= tick
			})
			frame := pullFrames(&j)
			at := first + tick*160 - beginning
			if came[at] && !slices.Equal(frame, decodedFrame(at)) {
				t.Fatalf("frame %d is not what was sent", tick)
			}
		}
		if j.late > 0 {
			t.Fatalf("%d packets are late", j.late)
		}
	})
}
