package features

import (
	"sync"

	"munadi/engine/kernel"
)

const (
	sampleRate = 16000
	fftSize    = 512             // samples of a frame
	bins       = fftSize/2 + 1   // frequencies from 0 to half the sampling rate
	hop        = 160             // samples from frame to frame
	logGuard   = 1.0 / (1 << 24) // added to a filter's power before its logarithm

	// group is the number of frames that are computed side by side.
	group = 4

	// longClip is the number of frames from which sharing pays: 4 s.
	longClip = 400
)

// Extractor computes log-mel spectrograms. It may be used by several goroutines at once.
type Extractor struct {
	// Workers is the number of goroutines that share the frames of a clip of 4 s or more.
	// 0 and 1 mean one. It must not be changed while the Extractor is in use.
	Workers int

	fft     *kernel.FFT512
	bank    []kernel.Band
	options Options
	window  []float64 // halved, since the FFT doubles
	lead    int       // samples of the window before a frame's centre
	scratch sync.Pool // of *scratch
}

// scratch is what one goroutine needs to compute a group of frames.
type scratch struct {
	points [fftSize / 2]kernel.Complex4
	power  [bins]kernel.Quad
	sound  []float64 // pre-emphasised, as far as the windows of a group reach
	mel    []float32 // [F, group]
}

// New returns an Extractor for so many mel filters, usually 80; none if mels is negative.
func New(mels int) *Extractor {
	e, err := NewExtractor(mels, DefaultOptions())
	if err != nil { // the defaults are in range
		panic(err)
	}
	return e
}

// NewExtractor is New with other options than NeMo's usual ones. The error names an option that is out of range.
func NewExtractor(mels int, o Options) (*Extractor, error) {
	if err := o.check(mels); err != nil {
		return nil, err
	}
	e := &Extractor{
		fft: kernel.NewFFT512(), bank: melFilters(max(mels, 0)), options: o, window: o.halvedWindow(),
		lead: fftSize/2 - (fftSize-o.Length)/2,
	}
	reach := (group-1)*hop + len(e.window)
	e.scratch.New = func() any {
		return &scratch{sound: make([]float64, reach), mel: make([]float32, group*len(e.bank))}
	}
	return e, nil
}

// Mels returns the number of mel filters.
func (e *Extractor) Mels() int { return len(e.bank) }

// Frames returns L, the number of valid frames of so many samples: one every 10 ms.
func Frames(samples int) int { return samples / hop }

// Extract returns the log-mel spectrogram [F, L+1] of samples (16 kHz, [-1,1]), F rows of L+1
// frames, and L. By default each row has mean 0 and deviation 1 over its L valid frames; the last
// frame, which NeMo's centred transform yields and its length excludes, is zero.
// dst is used for the result if it has the capacity. The result is finite whatever the samples are.
func (e *Extractor) Extract(dst, samples []float32) (mel []float32, valid int) {
	valid = Frames(len(samples))
	size := len(e.bank) * (valid + 1)
	if cap(dst) < size {
		dst = make([]float32, size)
	}
	mel = dst[:size]
	e.spectrogram(mel, samples, valid)
	e.normalise(mel, valid)
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

// frames computes frames from … to-1. Each of a group has a lane of its own, so that it comes out
// the same wherever the group begins; those beyond the last are dropped.
func (e *Extractor) frames(mel, samples []float32, valid, from, to int) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	for t := from; t < to; t += group {
		emphasise(s.sound, samples, t*hop-e.lead, e.options.Emphasis)
		kernel.Deal(s.points[:], s.sound, e.window, hop)
		e.fft.Power(&s.power, &s.points)
		kernel.Bands(s.mel, s.power[:], e.bank, logGuard)
		kernel.Log(s.mel)
		spread(mel[t:], s.mel, valid+1, min(group, to-t))
	}
}

// spread copies n columns of a group [F, group] into as many of dst, whose rows are stride apart.
func spread(dst, lanes []float32, stride, n int) {
	for f := range len(lanes) / group {
		from := (*[group]float32)(lanes[f*group:])
		if n == group {
			*(*[group]float32)(dst[f*stride:]) = *from
		} else {
			copy(dst[f*stride:][:n], from[:])
		}
	}
}

// emphasise writes the pre-emphasised samples from start on, zeros outside the clip. The transform's
// phase doesn't matter for its power, so that a window begins at 0 rather than in the middle.
func emphasise(dst []float64, samples []float32, start int, emphasis float64) {
	first, end := max(start, 0), min(start+len(dst), len(samples))
	if first >= end {
		clear(dst)
		return
	}
	clear(dst[:first-start])
	clear(dst[end-start:])
	dst = dst[first-start : end-start]
	if first == 0 {
		dst[0] = float64(samples[0])
		dst, first = dst[1:], 1
	}
	kernel.Slope(dst, samples[first-1:end], emphasis)
}
