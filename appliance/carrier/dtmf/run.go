package dtmf

import (
	"math"
	"math/cmplx"
)

// Limits of the windows in a row in which a press is recognized.
const (
	// offsetShare and offsetHz are the largest deviation of a frequency: 1.5 % and 2 Hz must be accepted, 3.5 % must not.
	offsetShare = 0.0165
	offsetHz    = 3.5
	// leastShare is the part of the sound's power that the two frequencies have. Tones at 15 dB over noise have 0.89 and
	// more.
	leastShare = 0.87
	mostChange = 2 // of a frequency's power: 3 dB
	// Twist of the whole tone: 8 dB forward and 4 dB reverse must be accepted.
	mostForwardTwist = 9.5 // 9.8 dB
	mostReverseTwist = 3.5 // 5.4 dB
)

// toneRun is the latest windows in a row that may hold the tone of one key.
type toneRun struct {
	windows int // of the run; the latest are kept
	kept    [pressWindows]toneWindow
}

// addWindow adds a window; one of another key begins a new run.
func (r *toneRun) addWindow(w toneWindow) {
	if r.windows > 0 && r.key() != w.key() {
		r.windows = 0
	}
	copy(r.kept[:], r.kept[1:])
	r.kept[pressWindows-1] = w
	r.windows++
}

// key returns the key of the run.
func (r *toneRun) key() byte { return r.kept[pressWindows-1].key() }

// isPress reports whether the latest windows are full of one tone: of even strength, with frequencies that deviate
// little from the key's, and with hardly anything beside them.
func (r *toneRun) isPress() bool {
	if r.windows < pressWindows {
		return false
	}
	var low, high, total float64
	var lows, highs [pressWindows]complex128
	for i, w := range r.kept {
		lows[i], highs[i] = w.row.wave, w.column.wave
		low, high, total = low+w.row.power(), high+w.column.power(), total+w.total
	}
	last := r.kept[pressWindows-1]
	lowOffset, highOffset := measureOffset(&lows, rows[last.row.at]), measureOffset(&highs, columns[last.column.at])
	low, high = low*lossOf(lowOffset), high*lossOf(highOffset)
	return isEven(&lows) && isEven(&highs) && low < mostForwardTwist*high && high < mostReverseTwist*low &&
		isNear(lowOffset, rows[last.row.at]) && isNear(highOffset, columns[last.column.at]) &&
		low+high > leastShare*total
}

// isEven reports whether a frequency is equally strong in all windows.
func isEven(waves *[pressWindows]complex128) bool {
	least, most := math.Inf(1), 0.0
	for _, w := range waves {
		least, most = min(least, powerOf(w)), max(most, powerOf(w))
	}
	return most < mostChange*least
}

// isNear reports whether a frequency may deviate by so many Hz.
func isNear(offset, hz float64) bool { return math.Abs(offset) < offsetShare*hz+offsetHz }

// measureOffset returns by how many Hz a wave deviates from a frequency: its phase advances more or less from window to
// window.
func measureOffset(waves *[pressWindows]complex128, hz float64) float64 {
	nominal, turn := cmplx.Rect(1, -2*math.Pi*hz*hop/rate), 0.0
	for i := 1; i < len(waves); i++ {
		turn += cmplx.Phase(waves[i] / waves[i-1] * nominal)
	}
	return turn / (2 * math.Pi) * rate / (hop * (pressWindows - 1))
}

// lossOf is the power by which a coefficient must be multiplied, where the wave is so many Hz beside its frequency
// (scalloping loss of the Hann window).
func lossOf(hz float64) float64 {
	x := hz * window / rate
	if math.Abs(x) < 1e-6 {
		return 1
	}
	gain := math.Sin(math.Pi*x) / (math.Pi * x) / (1 - x*x)
	return 1 / (gain * gain)
}
