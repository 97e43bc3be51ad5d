package loudness

import (
	"math"

	"munadi/engine/audio"
)

// Analogue filters behind the coefficients that BS.1770-4 gives at 48 kHz: a head shelf, then a high pass.
const (
	shelfHz, shelfQ, shelfGain = 1681.974450955533, 0.7071752369554196, 3.999843853973347 // dB
	shelfMiddle                = 0.4996667741545416                                       // of the gain, at shelfHz
	passHz, passQ              = 38.13547087602444, 0.5003270373238773
	passGain                   = 1.0049949 // far above passHz: the numerator is 1, -2, 1 at 48 kHz, not normalized
)

// kWeighting returns both stages of the K-weighting at a sample rate.
func kWeighting(rate float64) (shelf, highPass audio.BiquadFilter) {
	k := math.Tan(math.Pi * shelfHz / rate)
	high := math.Pow(10, shelfGain/20)
	middle := math.Pow(high, shelfMiddle)
	a0 := 1 + k/shelfQ + k*k
	shelf = audio.BiquadFilter{
		B0: (high + middle*k/shelfQ + k*k) / a0,
		B1: 2 * (k*k - high) / a0,
		B2: (high - middle*k/shelfQ + k*k) / a0,
		A1: 2 * (k*k - 1) / a0,
		A2: (1 - k/shelfQ + k*k) / a0,
	}
	k = math.Tan(math.Pi * passHz / rate)
	a0 = 1 + k/passQ + k*k
	b := passGain / a0
	highPass = audio.BiquadFilter{B0: b, B1: -2 * b, B2: b, A1: 2 * (k*k - 1) / a0, A2: (1 - k/passQ + k*k) / a0}
	return shelf, highPass
}
