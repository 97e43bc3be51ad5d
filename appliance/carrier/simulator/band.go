package simulator

import (
	"math"

	"munadi/appliance/carrier"
)

// bandPassFilter is a telephone band-pass filter, 300 to 3400 Hz: fourth-order Butterworth at both edges.
type bandPassFilter [4]biquadSection

// biquadSection is a second-order filter, transposed direct form II (RBJ's cookbook).
type biquadSection struct {
	b0, b1, b2, a1, a2 float64
	z1, z2             float64
}

// Q factors of the two sections of a fourth-order Butterworth filter.
var butterworth = [2]float64{0.54119610, 1.3065630}

func newBand() *bandPassFilter {
	const low, high = 300, 3400
	f := &bandPassFilter{}
	for i, q := range butterworth {
		f[i] = highPass(low, q)
		f[2+i] = lowPass(high, q)
	}
	return f
}

func (f *bandPassFilter) filterSample(x float64) float64 {
	for i := range f {
		s := &f[i]
		y := s.b0*x + s.z1
		s.z1 = s.b1*x - s.a1*y + s.z2
		s.z2 = s.b2*x - s.a2*y
		x = y
	}
	return x
}

// filterTelephoneBand returns audio limited to the telephone band.
func filterTelephoneBand(pcm []int16) []int16 {
	f := newBand()
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		out[i] = int16(max(-32768, min(32767, math.Round(f.filterSample(float64(s))))))
	}
	return out
}

func lowPass(hz, q float64) biquadSection {
	cos, alpha := prewarpFrequency(hz, q)
	return normalizeSection((1-cos)/2, 1-cos, (1-cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func highPass(hz, q float64) biquadSection {
	cos, alpha := prewarpFrequency(hz, q)
	return normalizeSection((1+cos)/2, -(1 + cos), (1+cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func prewarpFrequency(hz, q float64) (cos, alpha float64) {
	w := 2 * math.Pi * hz / carrier.Rate
	return math.Cos(w), math.Sin(w) / (2 * q)
}

func normalizeSection(b0, b1, b2, a0, a1, a2 float64) biquadSection {
	return biquadSection{b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0}
}
