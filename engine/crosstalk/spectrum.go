package crosstalk

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"munadi/engine/audio"
)

const (
	frame   = 16384            // samples of a spectrum: 2 s
	longest = rate / 2         // delay, samples
	chance  = 10               // standard deviations of the correlation at delays that no echo has
	before  = 16 * rate / 1000 // samples of the filter before the peak
	after   = 64 * rate / 1000 // and behind it

	// sameDelay is the number of samples by which the peak may differ between the halves of a recording: a line can answer
	// with several almost equal ones.
	sameDelay = 4 * rate / 1000

	// leastPower is added to each frequency's, as a share of the strongest one's: weak ones say nothing of the line.
	leastPower = 1e-3
)

// crossSpectrum is the sum of the spectra of frames of two channels.
type crossSpectrum struct {
	fft       *fourier.FFT
	cross     []complex128 // near with far's conjugate
	near, far []float64    // power
}

func newCrossSpectrum() *crossSpectrum {
	return &crossSpectrum{
		fft: fourier.NewFFT(frame), cross: make([]complex128, frame/2+1),
		near: make([]float64, frame/2+1), far: make([]float64, frame/2+1),
	}
}

// addFrames adds frames that overlap by half.
func (s *crossSpectrum) addFrames(near, far []float32) {
	taper, sound := hannWindow(frame), make([]float64, frame)
	n, f := make([]complex128, frame/2+1), make([]complex128, frame/2+1)
	transform := func(bins []complex128, from []float32) {
		clear(sound)
		for i := range min(frame, len(from)) {
			sound[i] = float64(from[i]) * taper[i]
		}
		s.fft.Coefficients(bins, sound)
	}
	for at := 0; at < min(len(near), len(far)); at += frame / 2 {
		transform(n, near[at:])
		transform(f, far[at:])
		for k := range s.cross {
			s.cross[k] += n[k] * cmplx.Conj(f[k])
			s.near[k] += squaredMagnitude(n[k])
			s.far[k] += squaredMagnitude(f[k])
		}
	}
}

// addSpectrum adds another one's frames.
func (s *crossSpectrum) addSpectrum(o *crossSpectrum) {
	for k := range s.cross {
		s.cross[k] += o.cross[k]
		s.near[k] += o.near[k]
		s.far[k] += o.far[k]
	}
}

// findDelay returns the delay in samples at which near resembles far most; false if that is no more than chance.
func (s *crossSpectrum) findDelay() (delay int, found bool) {
	coherence := make([]complex128, len(s.cross))
	for k, c := range s.cross {
		if power := s.near[k] * s.far[k]; power > 0 && s.bandAt(k) >= 0 {
			coherence[k] = c / complex(math.Sqrt(power), 0)
		}
	}
	correlation := s.fft.Sequence(nil, coherence)
	var height float64
	for i, v := range correlation[:longest] {
		if math.Abs(v) > height {
			delay, height = i, math.Abs(v)
		}
	}
	return delay, height > chance*audio.MeasureRMS(correlation[longest:frame-longest])
}

// measureGain returns the gain of power of the least-squares filter around a delay, in each band and in the whole.
func (s *crossSpectrum) measureGain(delay int) (gain [bands]float64, whole float64) {
	filter, least := make([]complex128, len(s.cross)), leastPower*slices.Max(s.far)
	for k, c := range s.cross {
		if s.bandAt(k) >= 0 {
			filter[k] = c / complex((s.far[k]+least)*frame, 0)
		}
	}
	taps := s.fft.Sequence(nil, filter)
	clear(taps[:max(0, delay-before)])
	clear(taps[delay+after:])
	whole = audio.SumSquares(taps)
	s.fft.Coefficients(filter, taps)
	var bins [bands]float64
	for k, c := range filter {
		if b := s.bandAt(k); b >= 0 {
			gain[b] += squaredMagnitude(c)
			bins[b]++
		}
	}
	for b := range gain {
		gain[b] /= bins[b]
	}
	return gain, whole
}

func (s *crossSpectrum) bandAt(k int) int { return bandOf(s.fft.Freq(k) * rate) }
