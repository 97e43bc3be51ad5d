package features

import "slices"

// MelStream computes the log-mel frames of a clip as it arrives; they equal those of the whole clip. Not safe
// for concurrent use.
type MelStream struct {
	extractor *MelExtractor
	samples   []float32 // from base on
	base      int       // a multiple of hop
	length    int       // samples so far
	frames    int       // returned so far
}

// margin is the number of frames before the next one whose samples are kept: a frame needs the samples of half a
// transform before its centre, and pre-emphasis one more.
const margin = 2

// IsStreamable reports whether frames are independent of later audio. Features normalized over the clip are not.
func (e *MelExtractor) IsStreamable() bool {
	return e.options.Normalize == None || e.options.Normalize == Fixed
}

// NewStream begins a clip. The extractor must be streamable.
func (e *MelExtractor) NewStream() *MelStream { return &MelStream{extractor: e} }

// PushSamples adds samples and returns the frames [n, F] that later samples cannot change.
func (s *MelStream) PushSamples(samples []float32) []float32 {
	s.samples = append(s.samples, samples...)
	s.length += len(samples)
	mel := s.framesUntil(max(s.frames, (s.length-fftSize/2)/hop))
	s.frames += len(mel) / max(1, len(s.extractor.bank))
	if keep := max(0, s.frames-margin) * hop; keep > s.base {
		s.samples = slices.Delete(s.samples, 0, keep-s.base)
		s.base = keep
	}
	return mel
}

// LastFrames returns the remaining frames [n, F] as if the clip ended here. The stream may continue.
func (s *MelStream) LastFrames() []float32 { return s.framesUntil(FrameCount(s.length)) }

// framesUntil returns the frames [n, F] after those returned so far, up to frame to (exclusive).
func (s *MelStream) framesUntil(to int) []float32 {
	first, n := s.frames-s.base/hop, to-s.frames
	if n <= 0 {
		return nil
	}
	e, width := s.extractor, first+n+1
	mel := make([]float32, len(e.bank)*width)
	e.computeFrames(mel, s.samples, width-1, first, first+n)
	e.normalizeMel(mel, width-1)
	out := make([]float32, 0, n*len(e.bank))
	for t := first; t < first+n; t++ {
		for f := range e.bank {
			out = append(out, mel[f*width+t])
		}
	}
	return out
}
