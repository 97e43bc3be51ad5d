package conversation

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

// lineListener passes the other side's audio to the recognizer and tracks who is speaking.
type lineListener struct {
	hear      StreamRecognizer
	resampler *audio.StreamResampler
	in, out   []float32
	begun     bool
	zero      time.Duration // of the first frame
	failing   bool          // the last push failed: said once, not with every frame

	levels [levelFrames]float64 // RMS of the newest frames, the latest at heard-1
	heard  int                  // frames so far
	ended  time.Duration        // of the latest frame

	likely  bool // a turn has probably begun
	talking bool // a turn is open
	long    bool // for 300 ms and more
	since   time.Duration
}

// pushFrame processes a frame. It returns only the first error of a series.
func (e *lineListener) pushFrame(ctx context.Context, f carrier.Frame) ([]RecognizerReport, error) {
	if !e.begun {
		e.begun, e.zero = true, f.At
	}
	e.fillSound(f)
	e.noteLevel(f.At)
	heard, err := e.hear.Push(ctx, e.out)
	if err != nil && e.failing && ctx.Err() == nil {
		return heard, nil
	}
	e.failing = err != nil
	return heard, err
}

// fillSound sets out to a frame's sound at [audio.Rate]: a wideband line's as it is, a narrowband line's resampled.
func (e *lineListener) fillSound(f carrier.Frame) {
	e.in, e.out = e.in[:0], e.out[:0]
	if f.Wide != nil {
		for _, v := range f.Wide {
			e.out = append(e.out, float32(v)/32768)
		}
		return
	}
	for _, v := range f.In {
		e.in = append(e.in, float32(v)/32768)
	}
	e.out = e.resampler.Push(e.out, e.in)
}

const (
	levelFrames = 128 // 2.56 s: longer than any silence that ends an answer
	// latestTail is how much later than the last voiced sound the recognizer may put the end of speech.
	latestTail = 240 * time.Millisecond
)

// noteLevel keeps the level of a frame that began at a time.
func (e *lineListener) noteLevel(at time.Duration) {
	e.levels[e.heard%levelFrames] = 32768 * audio.MeasureRMS(e.out)
	e.heard++
	e.ended = at + carrier.Tick
}

// voicedEnd returns the end of the last voiced sound at the recognizer's end of a turn, which is up to [latestTail]
// later; where no frame is that quiet or that loud, the recognizer's.
func (e *lineListener) voicedEnd(end time.Duration) time.Duration {
	for back := 0; back < min(e.heard, levelFrames); back++ {
		to := e.ended - time.Duration(back)*carrier.Tick
		if to > end {
			continue
		}
		if end-to >= latestTail {
			break
		}
		if e.levels[(e.heard-1-back)%levelFrames] >= voicedFrom {
			return to
		}
	}
	return end
}

// takeReport follows a report and says whether it is a turn that is over.
func (e *lineListener) takeReport(h RecognizerReport) bool {
	switch h.Kind {
	case Likely:
		e.likely, e.since = true, e.lineTime(h.Start)
	case Started:
		e.likely = true
		e.talking, e.long, e.since = true, false, e.lineTime(h.Start)
	case Continues:
		e.talking, e.long, e.since = true, true, e.lineTime(h.Start)
	case Final:
		e.likely, e.talking, e.long = false, false, false
		return true
	}
	return false
}

// lineTime turns the recognizer's seconds into the line's time.
func (e *lineListener) lineTime(seconds float64) time.Duration {
	return e.zero + time.Duration(max(0, seconds)*float64(time.Second)).Round(time.Millisecond)
}
