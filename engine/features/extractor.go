package features

import (
	"math"
	"sync"
)

const (
	sampleRate = 16000
	hop        = 160             // samples from frame to frame
	window     = 400             // samples of a frame that the window lets through
	lead       = window / 2      // of them lie before the frame's centre
	emphasis   = 0.97            // pre-emphasis: y[n] = x[n] - 0.97·x[n-1]
	logGuard   = 1.0 / (1 << 24) // added to a filter's power before its logarithm
	deviation  = 1e-5            // added to a row's standard deviation

	// longClip is the number of frames from which sharing pays: 4 s.
	longClip = 400
)

// Extractor computes log-mel spectrograms. It may be used by several goroutines at once.
type Extractor struct {
	// Workers is the number of goroutines that share the frames of a clip of 4 s or more.
	// 0 and 1 mean one. It must not be changed while the Extractor is in use.
	Workers int

	fft     *fft
	bank    []filter
	window  [window]float64
	scratch sync.Pool // of *scratch
}

// scratch is what one goroutine needs to compute frames.
type scratch struct {
	a, b  planes
	power [bins]float64
}

// New returns an Extractor for so many mel filters, usually 80; none if mels is negative.
func New(mels int) *Extractor {
	e := &Extractor{fft: newFFT(), bank: melFilters(max(mels, 0))}
	for n := range e.window {
		e.window[n] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(n)/(window-1))
	}
	e.scratch.New = func() any { return new(scratch) }
	return e
}

// Mels returns the number of mel filters.
func (e *Extractor) Mels() int { return len(e.bank) }

// Frames returns L, the number of valid frames of so many samples: one every 10 ms.
func Frames(samples int) int { return samples / hop }

// Extract returns the log-mel spectrogram [F, L+1] of samples (16 kHz, [-1,1]), F rows of L+1
// frames, and L. Each row has mean 0 and deviation 1 over its L valid frames; the last frame,
// which NeMo's centred transform yields and its length excludes, is zero.
// dst is used for the result if it has the capacity. The result is finite whatever the samples are.
func (e *Extractor) Extract(dst, samples []float32) (mel []float32, valid int) {
	valid = Frames(len(samples))
	size := len(e.bank) * (valid + 1)
	if cap(dst) < size {
		dst = make([]float32, size)
	}
	mel = dst[:size]
	e.spectrogram(mel, samples, valid)
	for f := range e.bank {
		row := mel[f*(valid+1):][:valid+1]
		normalise(row[:valid])
		row[valid] = 0
	}
	return mel, valid
}

// spectrogram writes the L valid frames of all rows, not yet normalised.
func (e *Extractor) spectrogram(mel, samples []float32, valid int) {
	parts := max(1, e.Workers)
	if valid < longClip {
		parts = 1
	}
	var others sync.WaitGroup
	for p := 1; p < parts; p++ {
		others.Go(func() { e.frames(mel, samples, valid, p*valid/parts, (p+1)*valid/parts) })
	}
	e.frames(mel, samples, valid, 0, valid/parts)
	others.Wait()
}

// frames computes frames from … to-1.
func (e *Extractor) frames(mel, samples []float32, valid, from, to int) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	for t := from; t < to; t++ {
		e.load(s, samples, t*hop-lead)
		e.fft.power(&s.power, &s.a, &s.b)
		for f, b := range e.bank {
			power := s.power[b.first:][:len(b.weights)]
			var sum float64
			for i, w := range b.weights {
				sum += w * power[i]
			}
			mel[f*(valid+1)+t] = ln(float32(sum + logGuard))
		}
	}
}

// load puts the pre-emphasised and windowed samples from start on, zero outside the clip, into
// s.a: even ones into its real plane, odd ones into the imaginary one. The transform's phase
// doesn't matter for its power, so that the window begins at 0 rather than in the middle.
func (e *Extractor) load(s *scratch, samples []float32, start int) {
	clear(s.a.re[window/2:])
	clear(s.a.im[window/2:])
	if start < 1 || start+window > len(samples) {
		e.loadEdge(s, samples, start)
		return
	}
	last := float64(samples[start-1])
	x := samples[start:][:window]
	for n := 0; n < window/2; n++ {
		a, b := float64(x[2*n]), float64(x[2*n+1])
		s.a.re[n] = (a - emphasis*last) * e.window[2*n]
		s.a.im[n] = (b - emphasis*a) * e.window[2*n+1]
		last = b
	}
}

// loadEdge is load where the window reaches over the clip's ends.
func (e *Extractor) loadEdge(s *scratch, samples []float32, start int) {
	at := func(n int) float64 {
		if n < 0 || n >= len(samples) {
			return 0
		}
		return float64(samples[n])
	}
	for n := range window {
		var v float64
		if i := start + n; i < len(samples) { // beyond the end zeros are not emphasised
			v = (at(i) - emphasis*at(i-1)) * e.window[n]
		}
		if n%2 == 0 {
			s.a.re[n/2] = v
		} else {
			s.a.im[n/2] = v
		}
	}
}

// normalise brings a row to mean 0 and standard deviation 1 (unbiased). A single frame becomes 0.
func normalise(row []float32) {
	var sum, squares float64
	for _, v := range row {
		sum += float64(v)
	}
	mean := sum / float64(len(row))
	for _, v := range row {
		d := float64(v) - mean
		squares += d * d
	}
	std := 0.0
	if len(row) > 1 {
		std = math.Sqrt(squares / float64(len(row)-1))
	}
	shift, scale := float32(mean), float32(1/(std+deviation))
	for i, v := range row {
		row[i] = (v - shift) * scale
	}
}
