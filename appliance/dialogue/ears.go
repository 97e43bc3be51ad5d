package dialogue

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

// ears lead the other side's sound to the recognizer and follow who is speaking.
type ears struct {
	hear      Hear
	resampler *audio.Resampler
	in, out   []float32
	begun     bool
	zero      time.Duration // of the first frame
	failing   bool          // the last push failed: said once, not with every frame

	talking bool // a turn is open
	long    bool // for 300 ms and more
	since   time.Duration
}

// push hears a frame. An error is returned when it is the first of a row.
func (e *ears) push(ctx context.Context, f carrier.Frame) ([]Heard, error) {
	if !e.begun {
		e.begun, e.zero = true, f.At
	}
	e.in = e.in[:0]
	for _, v := range f.In {
		e.in = append(e.in, float32(v)/32768)
	}
	e.out = e.resampler.Push(e.out[:0], e.in)
	heard, err := e.hear.Push(ctx, e.out)
	if err != nil && e.failing && ctx.Err() == nil {
		return heard, nil
	}
	e.failing = err != nil
	return heard, err
}

// take follows a report and says whether it is a turn that is over.
func (e *ears) take(h Heard) bool {
	switch h.Kind {
	case Started:
		e.talking, e.long, e.since = true, false, e.time(h.Start)
	case Continues:
		e.talking, e.long, e.since = true, true, e.time(h.Start)
	case Final:
		e.talking, e.long = false, false
		return true
	}
	return false
}

// time turns the recognizer's seconds into the line's time.
func (e *ears) time(seconds float64) time.Duration {
	return e.zero + time.Duration(max(0, seconds)*float64(time.Second)).Round(time.Millisecond)
}
