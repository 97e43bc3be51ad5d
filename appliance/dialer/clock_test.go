package dialer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialer"
	"munadi/store/call"
)

// realLine is a line that runs in real time, whether or not its frames are read.
type realLine struct {
	*countingLine
	began time.Time
	ended time.Time
}

func (r *realLine) Measure() call.LineFacts { return call.LineFacts{Codec: "PCMA"} }

func (r *realLine) Lasted() time.Duration {
	if r.ended.IsZero() {
		return time.Since(r.began)
	}
	return r.ended.Sub(r.began)
}

func (r *realLine) Hangup() {
	if r.ended.IsZero() {
		r.ended = time.Now()
	}
	r.countingLine.Hangup()
}

// realNetwork answers with a realLine.
type realNetwork struct {
	*fakeNetwork
	line *realLine
}

func (n *realNetwork) Dial(context.Context, carrier.DialRequest) (carrier.Line, error) {
	n.line = &realLine{countingLine: &countingLine{hung: make(chan struct{})}, began: time.Now()}
	return n.line, nil
}

// TestRealTime checks that a conversation that reads only half of the frames in time does not shorten a call on a real
// line, and does not prevent its end at the longest duration.
func TestRealTime(t *testing.T) {
	t.Parallel()
	late := func(frames int) scriptedTalk {
		return func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			for n := 0; frames == 0 || n < frames; n++ {
				if _, err := c.Line.Next(ctx); err != nil {
					return dialer.TalkResult{Outcome: done}, nil //nolint:nilerr // the line is over
				}
				time.Sleep(carrier.Tick)
			}
			return dialer.TalkResult{Outcome: done}, nil
		}
	}
	for name, c := range map[string]struct{ frames, seconds int }{
		"a call of 10 s":       {250, 10},
		"the longest duration": {0, 62},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, late(c.frames))
				b.deps.Carrier = &realNetwork{fakeNetwork: b.net}
				got := b.runCall(t.Context(), t)
				checkOutcome(t, got, call.Completed, "")
				if got.Duration == nil || *got.Duration != c.seconds || got.Line == nil || got.Line.Codec != "PCMA" {
					t.Errorf("it lasted %v, want %d s: %+v", *got.Duration, c.seconds, got.Line)
				}
				if overran := len(got.Errors) > 0 && got.Errors[0].Code == "max_duration"; overran != (c.frames == 0) {
					t.Errorf("errors: %+v", got.Errors)
				}
			})
		})
	}
}
