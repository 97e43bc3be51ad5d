package dtmf

import "math"

// Limits of a window that holds a tone. Powers are mean squares of samples.
const (
	leastPower = 250 * 250 / 2 // of either frequency: -39 dBm0
	// mostForward and mostReverse are how much stronger the lower frequency may be than the higher one (forward twist),
	// and the higher one than the lower one (reverse twist): 8 and 4 dB, with a margin for noise and a deviation.
	mostForward = 16
	mostReverse = 5
	leastLead   = 4 // over the other frequencies of a group: 6 dB
	// mostHarmonic is the part of the higher frequency's power that its second harmonic may have: voices have strong
	// harmonics. The lower frequency's are too near to the columns.
	mostHarmonic = 0.1
	// nearShare is the least share of the window's power that the two frequencies have, before their deviation is known.
	nearShare = 0.6
)

// hann is the window function, so that neither of the two frequencies leaks into the bin of the other.
var hann = func() (w [window]float64) {
	for i := range w {
		w[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/window)
	}
	return w
}()

// sums of the window function and of its square.
const hannSum, hannSquares = window / 2.0, window * 3 / 8.0

// waveTable is a windowed complex exponential: its product with a window's samples is the Fourier coefficient at one
// frequency, as the Goertzel algorithm computes it.
type waveTable struct{ re, im [window]float64 }

func newWaveTable(hz float64) *waveTable {
	t := &waveTable{}
	for i, w := range hann {
		sin, cos := math.Sincos(2 * math.Pi * hz * float64(i) / rate)
		t.re[i], t.im[i] = w*cos, -w*sin
	}
	return t
}

// measureWave returns a frequency's coefficient, scaled so that its absolute square is the power of a sine wave.
func (t *waveTable) measureWave(sound *[window]float64) complex128 {
	var re, im float64
	for i, s := range sound {
		re += s * t.re[i]
		im += s * t.im[i]
	}
	return complex(re*math.Sqrt2/hannSum, im*math.Sqrt2/hannSum)
}

// The tables of the keypad's frequencies, and of the columns' second harmonics.
var (
	rowWaves    = tablesOf(rows, 1)
	columnWaves = tablesOf(columns, 1)
	overtones   = tablesOf(columns, 2)
)

func tablesOf(hz [4]float64, times float64) (tables [4]*waveTable) {
	for i, f := range hz {
		tables[i] = newWaveTable(times * f)
	}
	return tables
}

// groupTone is the strongest frequency of a group, the rows or the columns, in a window.
type groupTone struct {
	at   int        // place in the group
	wave complex128 // its coefficient
}

func (g groupTone) power() float64 { return powerOf(g.wave) }

func powerOf(c complex128) float64 { return real(c)*real(c) + imag(c)*imag(c) }

// toneWindow is a window that may hold the tone of a key.
type toneWindow struct {
	row, column groupTone
	total       float64 // power of the window
}

func (w toneWindow) key() byte { return pad[4*w.row.at+w.column.at] }

// measureWindow measures a window, and reports whether it may hold a tone.
func measureWindow(sound *[window]float64) (w toneWindow, ok bool) {
	for i, s := range sound {
		s *= hann[i]
		w.total += s * s
	}
	if w.total /= hannSquares; w.total < 2*leastPower {
		return w, false
	}
	if w.row, ok = strongestWave(&rowWaves, sound); !ok {
		return w, false
	}
	if w.column, ok = strongestWave(&columnWaves, sound); !ok {
		return w, false
	}
	low, high := w.row.power(), w.column.power()
	if low+high < nearShare*w.total || low > mostForward*high || high > mostReverse*low {
		return w, false
	}
	return w, powerOf(overtones[w.column.at].measureWave(sound)) < mostHarmonic*high
}

// strongestWave returns the strongest frequency of a group; false if it is weak, or if others are nearly as strong.
func strongestWave(waves *[4]*waveTable, sound *[window]float64) (best groupTone, ok bool) {
	second := 0.0
	for i, t := range waves {
		wave := t.measureWave(sound)
		switch p := powerOf(wave); {
		case p > best.power():
			second, best = best.power(), groupTone{i, wave}
		case p > second:
			second = p
		}
	}
	return best, best.power() > leastPower/2 && best.power() > leastLead*second
}
