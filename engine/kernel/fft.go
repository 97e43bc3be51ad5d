package kernel

import "math"

const (
	points  = 256        // complex points of a transform
	quarter = points / 4 // butterflies a stage
	samples = 2 * points // real samples in that many points
	bins    = points + 1 // frequencies from 0 to half the sampling rate
)

// Quad is one number of each of four signals that are processed in parallel.
type Quad [4]float64

// Complex4 is one complex number of each of four signals.
type Complex4 struct{ Re, Im Quad }

// FFT512 holds the tables of a real transform of 512 samples, of four signals at once. It is
// immutable.
type FFT512 struct {
	turns [quarter]butterflyFactors
	place [points]uint16              // index of the k-th point after the stages: base-4 digit reversal
	split [points/2 + 1]twiddleFactor // exp(-2πik/512)
}

type twiddleFactor struct{ re, im float64 }

// butterflyFactors are the three factors of a butterfly: exp(-2πik/256) for k = j, 2j, 3j.
type butterflyFactors [3]twiddleFactor

// NewFFT512 returns the tables.
func NewFFT512() *FFT512 {
	f := new(FFT512)
	for j := range f.turns {
		for i := range f.turns[j] {
			f.turns[j][i] = rootOfUnity(j*(i+1), points)
		}
	}
	for k := range f.split {
		f.split[k] = rootOfUnity(k, samples)
	}
	for k := range f.place {
		f.place[k] = uint16(k&3<<6 | k>>2&3<<4 | k>>4&3<<2 | k>>6)
	}
	return f
}

// rootOfUnity returns exp(-2πik/n).
func rootOfUnity(k, n int) twiddleFactor {
	s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
	return twiddleFactor{c, s}
}

// PowerSpectrum writes |2·X[k]|², k = 0 … 256, where X is the transform of a real signal whose even
// samples are x's real parts and whose odd samples are its imaginary parts. x is overwritten.
//
// The signal is transformed as 256 complex points; the even and odd parts of the result are the
// transforms of the even and odd samples, from which X[k] and X[256-k] follow together.
func (f *FFT512) PowerSpectrum(dst *[bins]Quad, x *[points]Complex4) {
	for span := quarter; span > 1; span /= 4 {
		f.runStage(x, span)
	}
	lastStage(x)
	f.powerSpectrum(dst, x)
	for l := range 4 {
		sum, difference := 2*(x[0].Re[l]+x[0].Im[l]), 2*(x[0].Re[l]-x[0].Im[l])
		dst[0][l], dst[points][l] = sum*sum, difference*difference
	}
}

// stageGo computes one radix-4 stage in place, decimation in frequency, of points that are span apart.
//
// Here and below explicit conversions make the compiler round every product before an addition, so
// that all processors and the assembly give the same bits.
func (f *FFT512) stageGo(x *[points]Complex4, span int) {
	for j := range span {
		w := &f.turns[j*(quarter/span)]
		for i := j; i < points; i += 4 * span {
			b, c, d := &x[i+span], &x[i+2*span], &x[i+3*span]
			butterfly4(&x[i], b, c, d)
			b.multiplyBy(w[0])
			c.multiplyBy(w[1])
			d.multiplyBy(w[2])
		}
	}
}

// lastStageGo computes the stage of adjacent points, whose twiddle factors are all one.
func lastStageGo(x *[points]Complex4) {
	for i := 0; i < points; i += 4 {
		butterfly4(&x[i], &x[i+1], &x[i+2], &x[i+3])
	}
}

// butterfly4 computes the transform of four points in place.
func butterfly4(a, b, c, d *Complex4) {
	for l := range 4 {
		sr, si, tr, ti := a.Re[l]+c.Re[l], a.Im[l]+c.Im[l], a.Re[l]-c.Re[l], a.Im[l]-c.Im[l]
		ur, ui, vr, vi := b.Re[l]+d.Re[l], b.Im[l]+d.Im[l], b.Re[l]-d.Re[l], b.Im[l]-d.Im[l]
		a.Re[l], a.Im[l] = sr+ur, si+ui
		b.Re[l], b.Im[l] = tr+vi, ti-vr // (a-c) - i(b-d)
		c.Re[l], c.Im[l] = sr-ur, si-ui
		d.Re[l], d.Im[l] = tr-vi, ti+vr
	}
}

func (x *Complex4) multiplyBy(w twiddleFactor) {
	for l := range 4 {
		re, im := x.Re[l], x.Im[l]
		x.Re[l] = float64(re*w.re) - float64(im*w.im)
		x.Im[l] = float64(re*w.im) + float64(im*w.re)
	}
}

// powerGo writes all of dst except the first and last.
func (f *FFT512) powerGo(dst *[bins]Quad, x *[points]Complex4) {
	for k := 1; k <= points/2; k++ {
		a, b, w := &x[f.place[k]], &x[f.place[points-k]], f.split[k]
		for l := range 4 {
			er, ei := a.Re[l]+b.Re[l], a.Im[l]-b.Im[l]
			or, oi := a.Im[l]+b.Im[l], b.Re[l]-a.Re[l]
			tr := float64(or*w.re) - float64(oi*w.im)
			ti := float64(or*w.im) + float64(oi*w.re)
			dst[k][l] = float64((er+tr)*(er+tr)) + float64((ei+ti)*(ei+ti))
			dst[points-k][l] = float64((er-tr)*(er-tr)) + float64((ei-ti)*(ei-ti))
		}
	}
}
