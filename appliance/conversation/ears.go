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
