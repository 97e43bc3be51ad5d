// Package loudness measures and normalizes the loudness of speech, so that prompts of different voices and microphones
// have the same level.
//
// Loudness is the gated integrated loudness of ITU-R BS.1770-4 of one channel, in LUFS; the peak is the true peak of
// its annex 2, by fourfold oversampling.
//
// Where the recommendation is silent: its filters are given at 48 kHz, other rates get the same analogue filters by the
// bilinear transform (at 8 kHz a tone of 1 kHz reads 0.2 LU low); audio shorter than one 400 ms block is one block of
// its own length.
package loudness

import "math"

// offset normalizes the K-weighting gain at 1 kHz to 0 dB (BS.1770-4 §2.1).
const offset = -0.691

// Gates of BS.1770-4 §2.2: blocks below the absolute gate, then those below the relative gate, are excluded.
const (
	absoluteGate = -70.0 // LUFS
	relativeGate = -10.0 // LU
)

// IntegratedLoudness returns the loudness of mono samples in [-1, 1] in LUFS; minus infinity for silence.
func IntegratedLoudness(samples []float32, rate int) float64 {
	squares := weightedSquares(samples, rate)
	block, hop := rate*2/5, rate/10 // 400 ms, three quarters overlapping
	if len(squares) < block {
		block = len(squares)
	}
	if block == 0 {
		return math.Inf(-1)
	}
	sums := make([]float64, len(squares)+1) // sums[i] of squares[:i]
	for i, s := range squares {
		sums[i+1] = sums[i] + s
	}
	var powers []float64
	for i := 0; i+block <= len(squares); i += hop {
		powers = append(powers, (sums[i+block]-sums[i])/float64(block))
	}
	mean := meanAbove(powers, absoluteGate)
	return powerToLUFS(meanAbove(powers, max(absoluteGate, powerToLUFS(mean)+relativeGate)))
}

// powerToLUFS converts a mean square to LUFS.
func powerToLUFS(power float64) float64 {
	if power <= 0 {
		return math.Inf(-1)
	}
	return offset + 10*math.Log10(power)
}

// meanAbove returns the mean of the powers above the gate.
func meanAbove(powers []float64, gate float64) float64 {
	sum, n := 0.0, 0
	for _, p := range powers {
		if powerToLUFS(p) > gate {
			sum += p
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// weightedSquares returns the squares of the K-weighted samples.
func weightedSquares(samples []float32, rate int) []float64 {
	shelf, highPass := kWeighting(float64(rate))
	out := make([]float64, len(samples))
	for i, s := range samples {
		v := highPass.FilterSample(shelf.FilterSample(float64(s)))
		out[i] = v * v
	}
	return out
}
