package vad

// StreamSegmenter finds the segments of a stream of probabilities. Each segment is returned as soon as later audio
// cannot change it: its padding may depend on whether the next speech is close and long enough. Constant memory.
type StreamSegmenter struct {
	detector speechDetector
	padding  int
	raw      [2]SpeechSegment

	waiting bool          // last has ended, but its padding is not known yet
	last    SpeechSegment // its start is padded already

	shared bool // the open segment has been padded at its start, to opened
	opened int
}

// NewSegmenter returns a StreamSegmenter for one recording.
func NewSegmenter(p SpeechParams) *StreamSegmenter {
	return &StreamSegmenter{detector: newDetector(p), padding: p.PadMS * ms}
}

// Push processes the probability of the next 512 samples and returns final segments.
func (s *StreamSegmenter) Push(prob float32) []SpeechSegment {
	var final []SpeechSegment
	for _, raw := range s.detector.pushProbability(s.raw[:0], float64(prob)) {
		final = s.closeSegment(final, raw)
	}
	switch {
	case !s.waiting:
	case s.detector.isCertain():
		next := SpeechSegment{Start: s.detector.start}
		final = s.padNeighbours(final, &next)
		s.shared, s.opened = true, next.Start
	case s.hasFullPadding():
		s.last.End += s.padding
		final = append(final, s.last)
		s.waiting = false
	}
	return final
}

// FinishRecording ends the recording, whose length is within the last window, and returns the remaining segments. The
// segmenter must not be used afterwards.
func (s *StreamSegmenter) FinishRecording(samples int) []SpeechSegment {
	var final []SpeechSegment
	for _, raw := range s.detector.finishRecording(s.raw[:0], samples) {
		final = s.closeSegment(final, raw)
	}
	if s.waiting {
		s.last.End = min(samples, s.last.End+s.padding)
		final = append(final, s.last)
		s.waiting = false
	}
	return final
}

// EarliestSample returns the first sample that a later segment can contain: earlier audio may be dropped.
func (s *StreamSegmenter) EarliestSample() int {
	switch {
	case s.waiting:
		return s.last.Start
	case s.shared:
		return s.opened
	}
	return max(0, s.detector.nextStart()-s.padding)
}

// closeSegment processes an ended unpadded segment. The one before it, if still waiting, becomes final.
func (s *StreamSegmenter) closeSegment(final []SpeechSegment, raw SpeechSegment) []SpeechSegment {
	switch {
	case s.shared:
		raw.Start = s.opened
	case s.waiting:
		final = s.padNeighbours(final, &raw)
	default:
		raw.Start = max(0, raw.Start-s.padding)
	}
	s.waiting, s.last, s.shared = true, raw, false
	return final
}

// padNeighbours pads the waiting segment and its neighbour, and returns the former.
func (s *StreamSegmenter) padNeighbours(final []SpeechSegment, next *SpeechSegment) []SpeechSegment {
	padBetween(&s.last, next, s.padding)
	s.waiting = false
	return append(final, s.last)
}

// hasFullPadding reports whether the waiting segment has room for its whole padding: no segment can begin within twice
// the padding, and the recording is known to be long enough.
func (s *StreamSegmenter) hasFullPadding() bool {
	end := s.last.End
	return s.detector.nextStart()-end >= 2*s.padding && s.detector.heardSamples() >= end+s.padding
}

// padBetween extends two neighbours towards each other: by the padding, at most to the middle of their gap.
func padBetween(a, b *SpeechSegment, padding int) {
	side := padding
	if gap := b.Start - a.End; gap < 2*padding {
		side = gap / 2
	}
	a.End += side
	b.Start = max(0, b.Start-side)
}
