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

	// group is the number of frames that are computed in parallel.
	group = 4

	// longClip is the number of frames (4 s) from which several goroutines are faster than one.
	longClip = 400
)

// MelExtractor computes log-mel spectrograms. It may be used by several goroutines at once.
type MelExtractor struct {
	// Workers is the number of goroutines that share the frames of a clip of 4 s or more.
	// 0 and 1 mean one. It must not be changed while the extractor is in use.
	Workers int

	fft     *kernel.FFT512
	bank    []kernel.WeightedBand
	options ExtractorOptions
	window  []float64 // halved, since the FFT doubles
	lead    int       // samples of the window before a frame's centre
	scratch sync.Pool // of *frameScratch
}

// frameScratch holds the buffers with which one goroutine computes a group of frames.
type frameScratch struct {
	points [fftSize / 2]kernel.Complex4
	power  [bins]kernel.Quad
	sound  []float64 // pre-emphasized, as far as the windows of a group reach
	mel    []float32 // [F, group]
}

// NewExtractor returns an extractor with the given number of mel filters, usually 80; none if mels is negative. The
// error names an option that is out of range.
func NewExtractor(mels int, o ExtractorOptions) (*MelExtractor, error) {
	if err := o.checkBounds(mels); err != nil {
		return nil, err
	}
	e := &MelExtractor{
		fft: kernel.NewFFT512(), options: o, window: o.halvedWindow(),
		bank: roundFilters(melFilters(max(mels, 0)), roundings[o.Precision]),
		lead: fftSize/2 - (fftSize-o.Length)/2,
	}
	reach := (group-1)*hop + len(e.window)
	e.scratch.New = func() any {
		return &frameScratch{sound: make([]float64, reach), mel: make([]float32, group*len(e.bank))}
	}
	return e, nil
}

// FrameCount returns L, the number of valid frames of samples: one every 10 ms.
func FrameCount(samples int) int { return samples / hop }

// ExtractMel returns the log-mel spectrogram [F, L+1] of samples (16 kHz, [-1,1]), F rows of L+1
// frames, and L. By default each row has mean 0 and deviation 1 over its L valid frames; the last
// frame, which NeMo's centred transform yields and its length excludes, is zero.
// dst is used for the result if it has the capacity. The result is finite whatever the samples are.
func (e *MelExtractor) ExtractMel(dst, samples []float32) (mel []float32, valid int) {
	valid = FrameCount(len(samples))
	size := len(e.bank) * (valid + 1)
	if cap(dst) < size {
		dst = make([]float32, size)
	}
	mel = dst[:size]
	e.computeSpectrogram(mel, samples, valid)
	e.normalizeMel(mel, valid)
	return mel, valid
}

// computeSpectrogram writes the L valid frames of all rows, not yet normalized.
func (e *MelExtractor) computeSpectrogram(mel, samples []float32, valid int) {
	parts := max(1, e.Workers)
	if valid < longClip {
		parts = 1
	}
	var others sync.WaitGroup
	for p := 1; p < parts; p++ {
		others.Go(func() { e.computeFrames(mel, samples, valid, p*valid/parts, (p+1)*valid/parts) })
	}
	e.computeFrames(mel, samples, valid, 0, valid/parts)
	others.Wait()
}

// computeFrames computes frames from … to-1. Each frame of a group has its own SIMD lane, so that
// its values do not depend on where the group begins; those beyond the last are dropped.
func (e *MelExtractor) computeFrames(mel, samples []float32, valid, from, to int) {
	s := e.scratch.Get().(*frameScratch)
	defer e.scratch.Put(s)
	for t := from; t < to; t += group {
		preEmphasize(s.sound, samples, t*hop-e.lead, e.options.Emphasis)
		kernel.WindowFrames(s.points[:], s.sound, e.window, hop)
		e.fft.PowerSpectrum(&s.power, &s.points)
		kernel.SumBands(s.mel, s.power[:], e.bank, logGuard)
		kernel.Log(s.mel)
		spreadLanes(mel[t:], s.mel, valid+1, min(group, to-t))
	}
}

// spreadLanes copies n columns of a group [F, group] into n columns of dst, whose rows are stride apart.
func spreadLanes(dst, lanes []float32, stride, n int) {
	for f := range len(lanes) / group {
		from := (*[group]float32)(lanes[f*group:])
		if n == group {
			*(*[group]float32)(dst[f*stride:]) = *from
		} else {
			copy(dst[f*stride:][:n], from[:])
		}
	}
}

// preEmphasize writes the pre-emphasized samples from start on, zeros outside the clip. A window
// begins at 0 rather than in the middle, since the power spectrum does not depend on the phase.
func preEmphasize(dst []float64, samples []float32, start int, emphasis float64) {
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
	kernel.PreEmphasize4(dst, samples[first-1:end], emphasis)
}
