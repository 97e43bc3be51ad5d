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

// waveTable is the windowed complex exponentials of a group's four frequencies: their products with a window's samples
// are the Fourier coefficients, as the Goertzel algorithm computes them one by one. Four at once are eight sums that do
// not wait for each other.
type waveTable [window]struct{ re, im [4]float64 }

func newWaveTable(hz [4]float64, times float64) *waveTable {
	t := &waveTable{}
	for i, w := range hann {
		for k, f := range hz {
			sin, cos := math.Sincos(2 * math.Pi * times * f * float64(i) / rate)
			t[i].re[k], t[i].im[k] = w*cos, -w*sin
		}
	}
	return t
}

// measureWaves returns the frequencies' coefficients, scaled so that their absolute squares are the powers of sine
// waves.
func (t *waveTable) measureWaves(sound *[window]float64) [4]complex128 {
	var re0, re1, re2, re3, im0, im1, im2, im3 float64
	for i, s := range sound {
		w := &t[i]
		re0, re1, re2, re3 = re0+s*w.re[0], re1+s*w.re[1], re2+s*w.re[2], re3+s*w.re[3]
		im0, im1, im2, im3 = im0+s*w.im[0], im1+s*w.im[1], im2+s*w.im[2], im3+s*w.im[3]
	}
	return [4]complex128{scaleWave(re0, im0), scaleWave(re1, im1), scaleWave(re2, im2), scaleWave(re3, im3)}
}

func scaleWave(re, im float64) complex128 {
	return complex(re*math.Sqrt2/hannSum, im*math.Sqrt2/hannSum)
}

// The tables of the keypad's frequencies, and of the columns' second harmonics.
var (
	rowWaves    = newWaveTable(rows, 1)
	columnWaves = newWaveTable(columns, 1)
	overtones   = newWaveTable(columns, 2)
)

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
	if w.total = windowedEnergy(sound) / hannSquares; w.total < 2*leastPower {
		return w, false
	}
	if w.row, ok = strongestWave(rowWaves, sound); !ok {
		return w, false
	}
	if w.column, ok = strongestWave(columnWaves, sound); !ok {
		return w, false
	}
	low, high := w.row.power(), w.column.power()
	if low+high < nearShare*w.total || low > mostForward*high || high > mostReverse*low {
		return w, false
	}
	return w, powerOf(overtones.measureWaves(sound)[w.column.at]) < mostHarmonic*high
}

// windowedEnergy returns the sum of squares of the windowed sound, as four sums that do not wait for each other.
func windowedEnergy(sound *[window]float64) float64 {
	var s0, s1, s2, s3 float64
	for i := 0; i < window; i += 4 {
		a, b, c, d := sound[i]*hann[i], sound[i+1]*hann[i+1], sound[i+2]*hann[i+2], sound[i+3]*hann[i+3]
		s0, s1, s2, s3 = s0+a*a, s1+b*b, s2+c*c, s3+d*d
	}
	return s0 + s1 + s2 + s3
}

// strongestWave returns the strongest frequency of a group; false if it is weak, or if others are nearly as strong.
func strongestWave(t *waveTable, sound *[window]float64) (best groupTone, ok bool) {
	second := 0.0
	for i, wave := range t.measureWaves(sound) {
		switch p := powerOf(wave); {
		case p > best.power():
			second, best = best.power(), groupTone{i, wave}
		case p > second:
			second = p
		}
	}
	return best, best.power() > leastPower/2 && best.power() > leastLead*second
}
