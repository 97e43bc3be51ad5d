package simulator

import (
	"math"

	"munadi/appliance/carrier"
)

// band passes what a telephone does, 300 to 3400 Hz: fourth-order Butterworth filters at both edges.
type band [4]section

// section is a second-order filter, transposed direct form II (RBJ's cookbook).
type section struct {
	b0, b1, b2, a1, a2 float64
	z1, z2             float64
}

// The quality of the two sections of a fourth-order Butterworth filter.
var butterworth = [2]float64{0.54119610, 1.3065630}

func newBand() *band {
	const low, high = 300, 3400
	f := &band{}
	for i, q := range butterworth {
		f[i] = highPass(low, q)
		f[2+i] = lowPass(high, q)
	}
	return f
}

func (f *band) next(x float64) float64 {
	for i := range f {
		s := &f[i]
		y := s.b0*x + s.z1
		s.z1 = s.b1*x - s.a1*y + s.z2
		s.z2 = s.b2*x - s.a2*y
		x = y
	}
	return x
}

// banded returns a sound as it leaves a telephone.
func banded(pcm []int16) []int16 {
	f := newBand()
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		out[i] = int16(max(-32768, min(32767, math.Round(f.next(float64(s))))))
	}
	return out
}

func lowPass(hz, q float64) section {
	cos, alpha := prewarp(hz, q)
	return normal((1-cos)/2, 1-cos, (1-cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func highPass(hz, q float64) section {
	cos, alpha := prewarp(hz, q)
	return normal((1+cos)/2, -(1 + cos), (1+cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func prewarp(hz, q float64) (cos, alpha float64) {
	w := 2 * math.Pi * hz / carrier.Rate
	return math.Cos(w), math.Sin(w) / (2 * q)
}

func normal(b0, b1, b2, a0, a1, a2 float64) section {
	return section{b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0}
}
