package vad

// detector is the state machine of get_speech_timestamps, window by window, in constant memory.
// The segments that it finds are bare: padding is another's work.
type detector struct {
	enter, exit float64
	minSpeech   int
	maxSpeech   int // a segment is cut at the first window that begins more than this after it
	minSilence  int
	endless     bool // no maxSpeech

	pos     int     // where the next window begins
	open    bool    // within speech
	start   int     // of the open segment
	quiet   int     // where its present silence began; 0: none (no silence begins at 0)
	longest Segment // its longest silence worth a cut; empty: none
}

func newDetector(p Params) detector {
	return detector{
		enter:      p.Threshold,
		exit:       max(p.Threshold-exitMargin, minExit),
		minSpeech:  p.MinSpeechMS * ms,
		maxSpeech:  p.MaxSpeechS*rate - window - 2*p.PadMS*ms,
		minSilence: p.MinSilenceMS * ms,
		endless:    p.MaxSpeechS <= 0,
	}
}

// push takes the next window's probability and appends the segments that ended: at most two.
func (d *detector) push(found []Segment, prob float64) []Segment {
	c := d.pos
	d.pos += window
	if prob >= d.enter && d.quiet > 0 {
		d.resume(c)
	}
	if prob >= d.enter && !d.open {
		d.open, d.start = true, c
		return found
	}
	if !d.open {
		return found
	}
	if !d.endless && c-d.start > d.maxSpeech {
		found = append(found, d.cut(c))
		if !d.open {
			return found
		}
	}
	if prob < d.exit {
		return d.silence(found, c)
	}
	return found
}

// resume ends a silence within speech at sample c. Of equally long ones the first is remembered.
func (d *detector) resume(c int) {
	length := c - d.quiet
	if length > minCutSilence && length > d.longest.End-d.longest.Start {
		d.longest = Segment{d.quiet, c}
	}
	d.quiet = 0
}

// cut ends a segment that is too long. If it held a silence, the segment ends where that began
// and the next one opens where that ended; otherwise the cut is hard, at the present window,
// which is then outside speech whatever its probability.
func (d *detector) cut(c int) Segment {
	s := Segment{d.start, c}
	d.open = d.longest.End > 0
	if d.open {
		s.End, d.start = d.longest.Start, d.longest.End
	}
	d.quiet, d.longest = 0, Segment{}
	return s
}

// silence takes a quiet window at c: it ends the segment once the silence lasts long enough.
func (d *detector) silence(found []Segment, c int) []Segment {
	if d.quiet == 0 {
		d.quiet = c
	}
	if c-d.quiet < d.minSilence {
		return found
	}
	if d.quiet-d.start > d.minSpeech {
		found = append(found, Segment{d.start, d.quiet})
	}
	d.open, d.quiet, d.longest = false, 0, Segment{}
	return found
}

// finish appends the segment that is open where the recording ends.
func (d *detector) finish(found []Segment, samples int) []Segment {
	if d.open && samples-d.start > d.minSpeech {
		found = append(found, Segment{d.start, samples})
	}
	d.open = false
	return found
}

// heard is what is known of the recording's length: the last window held a sample at least.
func (d *detector) heard() int { return d.pos - window + 1 }

// certain tells whether the open segment can no longer be dropped for being short: it would be
// kept even if its present silence were its end, or the recording's end were here.
func (d *detector) certain() bool {
	end := d.heard()
	if d.quiet > 0 {
		end = d.quiet
	}
	return d.open && end-d.start > d.minSpeech
}

// nextStart is the earliest sample at which a segment not yet ended can begin.
func (d *detector) nextStart() int {
	if d.open {
		return d.start
	}
	return d.pos
}
