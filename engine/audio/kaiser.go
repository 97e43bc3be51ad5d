package audio

import "math"

const (
	zeroCrossings = 32   // of the sinc, on each side
	kaiserBeta    = 10   // about 100 dB of stop band
	rolloff       = 0.92 // of the lower Nyquist frequency: the -6 dB point
	maxPhases     = 512  // rows of the table; for more phases neighbouring rows are interpolated
)

// kaiserRows returns the low-pass filter by phase, [phases][2*half]: row p for an output at p/phases after the window's
// sample half-1. Each row sums to one, so that a constant signal is unchanged.
func kaiserRows(up, down int) (rows [][]float32, half int, blend bool) {
	cut := min(1, float64(up)/float64(down)) // of the input's Nyquist frequency
	width := zeroCrossings / cut
	half = int(math.Ceil(width))
	phases, count := up, up
	if blend = up > maxPhases; blend {
		phases, count = maxPhases, maxPhases+1
	}
	rows = make([][]float32, count)
	for p := range rows {
		rows[p] = kaiserRow(float64(p)/float64(phases), cut*rolloff, width, half)
	}
	return rows, half, blend
}

// kaiserRow returns the windowed sinc sampled around an output at offset samples after the window's sample half-1.
func kaiserRow(offset, cut, width float64, half int) []float32 {
	taps := make([]float64, 2*half)
	sum := 0.0
	for k := range taps {
		d := float64(k-half+1) - offset
		if u := d / width; u > -1 && u < 1 {
			taps[k] = sinc(cut*d) * bessel0(kaiserBeta*math.Sqrt(1-u*u))
			sum += taps[k]
		}
	}
	row := make([]float32, len(taps))
	for k, v := range taps {
		row[k] = float32(v / sum)
	}
	return row
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	x *= math.Pi
	return math.Sin(x) / x
}

// bessel0 returns the modified Bessel function I0 (Abramowitz and Stegun 9.6.12), by its series.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-12; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
