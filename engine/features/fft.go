package features

import "math"

const (
	fftSize = 512           // points of the real transform
	half    = fftSize / 2   // points of the complex transform that does its work
	bins    = fftSize/2 + 1 // frequencies from 0 to half the sampling rate
	mask    = half - 1      // index & mask needs no bounds check
	quarter = half / 4      // butterflies a stage
)

// fft holds the tables of a real 512-point transform. It isn't changed after newFFT.
type fft struct {
	wr, wi [half]float64       // exp(-2πik/256)
	ur, ui [half/2 + 1]float64 // exp(-2πik/512)
}

// planes is a complex vector as two real ones.
type planes struct{ re, im [half]float64 }

func newFFT() *fft {
	f := new(fft)
	for k := range half {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / half)
		f.wr[k], f.wi[k] = float64(c), float64(s)
	}
	for k := range f.ur {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / fftSize)
		f.ur[k], f.ui[k] = float64(c), float64(s)
	}
	return f
}

// power writes |X[k]|², k = 0 … 256, of the real signal whose even samples are a.re and whose odd
// samples are a.im. a and b are overwritten.
//
// The signal is transformed as 256 complex points; the even and odd parts of the result are the
// transforms of the even and odd samples, from which X[k] and X[256-k] follow together.
func (f *fft) power(dst *[bins]float64, a, b *planes) {
	f.stage(a, b, 1)
	f.stage(b, a, 4)
	f.stage(a, b, 16)
	f.last(b, a)
	dst[0] = (a.re[0] + a.im[0]) * (a.re[0] + a.im[0])
	dst[half] = (a.re[0] - a.im[0]) * (a.re[0] - a.im[0])
	for k := 1; k <= half/2; k++ {
		l := (half - k) & mask
		er, ei := (a.re[k]+a.re[l])/2, (a.im[k]-a.im[l])/2
		or, oi := (a.im[k]+a.im[l])/2, (a.re[l]-a.re[k])/2
		tr := or*f.ur[k] - oi*f.ui[k]
		ti := or*f.ui[k] + oi*f.ur[k]
		dst[k] = (er+tr)*(er+tr) + (ei+ti)*(ei+ti)
		dst[half-k] = (er-tr)*(er-tr) + (ei-ti)*(ei-ti)
	}
}

// stage is one radix-4 step of Stockham's transform, decimation in frequency: it leaves its
// results in the order in which the next stage, of four times the stride, reads them.
func (f *fft) stage(x, y *planes, stride int) {
	for p := 0; p < quarter; p += stride {
		w1r, w1i := f.wr[p&mask], f.wi[p&mask]
		w2r, w2i := f.wr[2*p&mask], f.wi[2*p&mask]
		w3r, w3i := f.wr[3*p&mask], f.wi[3*p&mask]
		for q := p; q < p+stride; q++ {
			ar, ai := x.re[q&mask], x.im[q&mask]
			br, bi := x.re[(q+quarter)&mask], x.im[(q+quarter)&mask]
			cr, ci := x.re[(q+2*quarter)&mask], x.im[(q+2*quarter)&mask]
			dr, di := x.re[(q+3*quarter)&mask], x.im[(q+3*quarter)&mask]
			sr, si, tr, ti := ar+cr, ai+ci, ar-cr, ai-ci
			ur, ui, vr, vi := br+dr, bi+di, br-dr, bi-di
			o := q + 3*p
			y.re[o&mask], y.im[o&mask] = sr+ur, si+ui
			er, ei := tr+vi, ti-vr // (a-c) - i(b-d)
			y.re[(o+stride)&mask], y.im[(o+stride)&mask] = er*w1r-ei*w1i, er*w1i+ei*w1r
			er, ei = sr-ur, si-ui
			y.re[(o+2*stride)&mask], y.im[(o+2*stride)&mask] = er*w2r-ei*w2i, er*w2i+ei*w2r
			er, ei = tr-vi, ti+vr
			y.re[(o+3*stride)&mask], y.im[(o+3*stride)&mask] = er*w3r-ei*w3i, er*w3i+ei*w3r
		}
	}
}

// last is the stage of stride 64, whose factors are all one.
func (f *fft) last(x, y *planes) {
	for q := range quarter {
		ar, ai := x.re[q], x.im[q]
		br, bi := x.re[q+quarter], x.im[q+quarter]
		cr, ci := x.re[q+2*quarter], x.im[q+2*quarter]
		dr, di := x.re[q+3*quarter], x.im[q+3*quarter]
		sr, si, tr, ti := ar+cr, ai+ci, ar-cr, ai-ci
		ur, ui, vr, vi := br+dr, bi+di, br-dr, bi-di
		y.re[q], y.im[q] = sr+ur, si+ui
		y.re[q+quarter], y.im[q+quarter] = tr+vi, ti-vr
		y.re[q+2*quarter], y.im[q+2*quarter] = sr-ur, si-ui
		y.re[q+3*quarter], y.im[q+3*quarter] = tr-vi, ti+vr
	}
}
