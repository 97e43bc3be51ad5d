package vad

// Segmenter is Segments for a recording that is still going on. Each segment comes out as soon
// as nothing that follows can change it: its last word may have to wait until it is certain that
// the next speech, if near, is long enough to share the gap between them. Its memory is constant.
type Segmenter struct {
	detector detector
	padding  int
	raw      [2]Segment

	waiting bool    // last has ended, but how far it is padded isn't known
	last    Segment // its start is padded already

	shared bool // the open segment has been padded at its start, to opened
	opened int
}

// NewSegmenter returns a Segmenter for one recording.
func NewSegmenter(p Params) *Segmenter {
	return &Segmenter{detector: newDetector(p), padding: p.PadMS * ms}
}

// Push takes the probability of the next 512 samples and returns the segments that became final.
func (s *Segmenter) Push(prob float32) []Segment {
	var final []Segment
	for _, raw := range s.detector.push(s.raw[:0], float64(prob)) {
		final = s.close(final, raw)
	}
	switch {
	case !s.waiting:
	case s.detector.certain():
		next := Segment{Start: s.detector.start}
		final = s.meet(final, &next)
		s.shared, s.opened = true, next.Start
	case s.alone():
		s.last.End += s.padding
		final = append(final, s.last)
		s.waiting = false
	}
	return final
}

// Finish ends the recording, whose length is known only now: it lies within the last window.
// It returns the rest of the segments. The Segmenter must not be used afterwards.
func (s *Segmenter) Finish(samples int) []Segment {
	var final []Segment
	for _, raw := range s.detector.finish(s.raw[:0], samples) {
		final = s.close(final, raw)
	}
	if s.waiting {
		s.last.End = min(samples, s.last.End+s.padding)
		final = append(final, s.last)
		s.waiting = false
	}
	return final
}

// Earliest returns the first sample that a segment not yet returned can hold: what lies before it
// may be forgotten.
func (s *Segmenter) Earliest() int {
	switch {
	case s.waiting:
		return s.last.Start
	case s.shared:
		return s.opened
	}
	return max(0, s.detector.nextStart()-s.padding)
}

// close takes a bare segment that has ended. The one before it, if it still waits, is final now.
func (s *Segmenter) close(final []Segment, raw Segment) []Segment {
	switch {
	case s.shared:
		raw.Start = s.opened
	case s.waiting:
		final = s.meet(final, &raw)
	default:
		raw.Start = max(0, raw.Start-s.padding)
	}
	s.waiting, s.last, s.shared = true, raw, false
	return final
}

// meet pads the waiting segment and its neighbour, and lets the former go.
func (s *Segmenter) meet(final []Segment, next *Segment) []Segment {
	pad(&s.last, next, s.padding)
	s.waiting = false
	return append(final, s.last)
}

// alone tells whether the waiting segment has room for its whole padding: no segment can begin
// within twice of it, and the recording is known to last longer.
func (s *Segmenter) alone() bool {
	end := s.last.End
	return s.detector.nextStart()-end >= 2*s.padding && s.detector.heard() >= end+s.padding
}
