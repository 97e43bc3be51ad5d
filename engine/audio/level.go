package audio

import "math"

// outlierShare is the share of samples, as 1/n, that may exceed full scale and are clipped: clicks of a damaged file
// must not make the speech around them inaudible.
const outlierShare = 10_000

// floatLevel finds the gain of a recording in floats. Full scale is 1, but some programs write integer values
// (±32768, ±8388608) or exceed full scale. It is a histogram of binary exponents, so that the gain is
// a power of two, which leaves the mantissa of samples unchanged.
type floatLevel struct {
	count [maxExponent + 2]int64 // samples by the n of 2^(n-1) < |v| ≤ 2^n; 0 holds all up to full scale
	total int64
}

// maxExponent is that of the largest 32-bit float.
const maxExponent = 128

// observeSamples counts samples; NaN and infinities are ignored.
func (l *floatLevel) observeSamples(samples []float32) {
	for _, v := range samples {
		size := math.Abs(float64(v))
		if !(size <= math.MaxFloat32) {
			continue
		}
		l.total++
		if size <= 1 {
			l.count[0]++
			continue
		}
		fraction, exponent := math.Frexp(size) // size = fraction · 2^exponent, fraction in [0.5, 1)
		if fraction == 0.5 {
			exponent--
		}
		l.count[exponent]++
	}
}

// levelGain returns the factor that scales all samples except outliers into full scale; 1 if they fit.
func (l *floatLevel) levelGain() float32 {
	beyond := int64(0)
	for n := len(l.count) - 1; n > 0; n-- {
		if beyond += l.count[n]; beyond*outlierShare > l.total {
			return float32(math.Ldexp(1, -n))
		}
	}
	return 1
}

// applyGain scales samples and clips the outliers.
func (l *floatLevel) applyGain(samples []float32) {
	if gain := l.levelGain(); gain != 1 {
		for i := range samples {
			samples[i] *= gain
		}
	}
	clampSamples(samples)
}
