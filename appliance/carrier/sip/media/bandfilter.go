package media

import "math"

// bandTaps is the length of the half-band low-pass filter between 8000 and 16000 samples per second: 3 ms.
const bandTaps = 47

// bandFilterTaps is a windowed sinc (Blackman) that passes up to 3.4 kHz and stops from 4.6 kHz on.
var bandFilterTaps = makeBandTaps()

func makeBandTaps() (taps [bandTaps]float32) {
	const middle = bandTaps / 2
	for i := range taps {
		at, phase := float64(i-middle), 2*math.Pi*float64(i+1)/(bandTaps+1)
		window := 0.42 - 0.5*math.Cos(phase) + 0.08*math.Cos(2*phase)
		sinc := 0.5
		if i != middle {
			sinc = math.Sin(math.Pi*at/2) / (math.Pi * at)
		}
		taps[i] = float32(sinc * window)
	}
	return taps
}

// bandFilter is the state of the filter for one direction of one stream. The zero value is ready.
type bandFilter struct{ past [bandTaps - 1]float32 }

// filterBlock filters a block at 16000 samples per second, and gives every step-th result to output.
func (f *bandFilter) filterBlock(block []float32, step int, output func(i int, v float32)) {
	line := make([]float32, 0, 2*bandTaps+len(block))
	line = append(append(line, f.past[:]...), block...)
	for i := 0; i < len(block); i += step {
		var sum float32
		for k, tap := range bandFilterTaps {
			sum += tap * line[i+k]
		}
		output(i, sum)
	}
	copy(f.past[:], line[len(block):])
}

// narrowSound converts slots to samples at 8000 per second.
func (f *bandFilter) narrowSound(dst []int16, slots []soundSlot) {
	block := make([]float32, 0, 2*len(slots))
	for _, s := range slots {
		block = append(block, float32(s[0]), float32(s[1]))
	}
	f.filterBlock(block, 2, func(i int, v float32) { dst[i/2] = roundSample(v) })
}

// widenSound converts samples at 8000 per second to twice as many at 16000.
func (f *bandFilter) widenSound(dst, pcm []int16) {
	block := make([]float32, 2*len(pcm))
	for i, v := range pcm {
		block[2*i] = 2 * float32(v)
	}
	f.filterBlock(block, 1, func(i int, v float32) { dst[i] = roundSample(v) })
}

func roundSample(v float32) int16 {
	return int16(min(max(math.Round(float64(v)), math.MinInt16), math.MaxInt16))
}
