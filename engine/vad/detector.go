package vad

// speechDetector is the state machine of get_speech_timestamps, window by window, in constant memory. Its segments are
// unpadded.
type speechDetector struct {
	enter, exit float64
	minSpeech   int
	maxSpeech   int // a segment is cut at the first window that begins later than this after its start
	minSilence  int
	endless     bool // no maxSpeech

	pos     int           // start of the next window
	open    bool          // within speech
	start   int           // of the open segment
	quiet   int           // start of the current silence; 0: none (no silence begins at 0)
	longest SpeechSegment // its longest silence that allows a cut; empty: none
}

func newDetector(p SpeechParams) speechDetector {
	return speechDetector{
		enter:      p.Threshold,
		exit:       max(p.Threshold-exitMargin, minExit),
		minSpeech:  p.MinSpeechMS * ms,
		maxSpeech:  p.MaxSpeechS*rate - window - 2*p.PadMS*ms,
		minSilence: p.MinSilenceMS * ms,
		endless:    p.MaxSpeechS <= 0,
	}
}

// pushProbability processes the next window's probability and appends the ended segments: at most two.
func (d *speechDetector) pushProbability(found []SpeechSegment, prob float64) []SpeechSegment {
	c := d.pos
	d.pos += window
	if prob >= d.enter && d.quiet > 0 {
		d.endSilence(c)
	}
	if prob >= d.enter && !d.open {
		d.open, d.start = true, c
		return found
	}
	if !d.open {
		return found
	}
	if !d.endless && c-d.start > d.maxSpeech {
		found = append(found, d.cutLongSegment(c))
		if !d.open {
			return found
		}
	}
	if prob < d.exit {
		return d.onSilence(found, c)
	}
	return found
}

// endSilence ends a silence within speech at sample c. longest keeps the first of the longest ones.
func (d *speechDetector) endSilence(c int) {
	length := c - d.quiet
	if length > minCutSilence && length > d.longest.End-d.longest.Start {
		d.longest = SpeechSegment{d.quiet, c}
	}
	d.quiet = 0
}

// cutLongSegment ends a segment that is too long. If it has a long enough silence, the segment ends at its start and
// the next one begins at its end; otherwise it is cut at the current window, which is then outside speech whatever its
// probability.
func (d *speechDetector) cutLongSegment(c int) SpeechSegment {
	s := SpeechSegment{d.start, c}
	d.open = d.longest.End > 0
	if d.open {
		s.End, d.start = d.longest.Start, d.longest.End
	}
	d.quiet, d.longest = 0, SpeechSegment{}
	return s
}

// onSilence processes a silent window at c: it ends the segment once the silence lasts long enough (hangover).
func (d *speechDetector) onSilence(found []SpeechSegment, c int) []SpeechSegment {
	if d.quiet == 0 {
		d.quiet = c
	}
	if c-d.quiet < d.minSilence {
		return found
	}
	if d.quiet-d.start > d.minSpeech {
		found = append(found, SpeechSegment{d.start, d.quiet})
	}
	d.open, d.quiet, d.longest = false, 0, SpeechSegment{}
	return found
}

// finishRecording appends the segment that is open at the end of the recording.
func (d *speechDetector) finishRecording(found []SpeechSegment, samples int) []SpeechSegment {
	if d.open && samples-d.start > d.minSpeech {
		found = append(found, SpeechSegment{d.start, samples})
	}
	d.open = false
	return found
}

// heardSamples returns the known minimum length of the recording: the last window had at least one sample.
func (d *speechDetector) heardSamples() int { return d.pos - window + 1 }

// isCertain reports whether the open segment is long enough to be kept, even if it ended with its current silence or
// the recording ended here.
func (d *speechDetector) isCertain() bool {
	end := d.heardSamples()
	if d.quiet > 0 {
		end = d.quiet
	}
	return d.open && end-d.start > d.minSpeech
}

// nextStart returns the earliest sample at which a segment not yet ended can begin.
func (d *speechDetector) nextStart() int {
	if d.open {
		return d.start
	}
	return d.pos
}
