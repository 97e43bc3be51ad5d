package vad

// StreamSegmenter is Segments for a recording that is still going on. Each segment comes out as soon
// as nothing that follows can change it: its last word may have to wait until it is certain that
// the next speech, if near, is long enough to share the gap between them. Its memory is constant.
type StreamSegmenter struct {
	detector speechDetector
	padding  int
	raw      [2]SpeechSegment

	waiting bool          // last has ended, but how far it is padded isn't known
	last    SpeechSegment // its start is padded already

	shared bool // the open segment has been padded at its start, to opened
	opened int
}

// NewSegmenter returns a Segmenter for one recording.
func NewSegmenter(p SpeechParams) *StreamSegmenter {
	return &StreamSegmenter{detector: newDetector(p), padding: p.PadMS * ms}
}

// Push takes the probability of the next 512 samples and returns the segments that became final.
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

// FinishRecording ends the recording, whose length is known only now: it lies within the last window.
// It returns the rest of the segments. The Segmenter must not be used afterwards.
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

// EarliestSample returns the first sample that a segment not yet returned can hold: what lies before it
// may be forgotten.
func (s *StreamSegmenter) EarliestSample() int {
	switch {
	case s.waiting:
		return s.last.Start
	case s.shared:
		return s.opened
	}
	return max(0, s.detector.nextStart()-s.padding)
}

// closeSegment takes a bare segment that has ended. The one before it, if it still waits, is final now.
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

// padNeighbours pads the waiting segment and its neighbour, and lets the former go.
func (s *StreamSegmenter) padNeighbours(final []SpeechSegment, next *SpeechSegment) []SpeechSegment {
	padBetween(&s.last, next, s.padding)
	s.waiting = false
	return append(final, s.last)
}

// hasFullPadding reports whether the waiting segment has room for its whole padding: no segment can begin within twice
// of it, and the recording is known to last longer.
func (s *StreamSegmenter) hasFullPadding() bool {
	end := s.last.End
	return s.detector.nextStart()-end >= 2*s.padding && s.detector.heardSamples() >= end+s.padding
}
