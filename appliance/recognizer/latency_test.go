package recognizer

import (
	"testing"
	"time"

	"munadi/engine"
)

// The service's latency holds for streams with text so far that name none; calls are heard with the model's usual one.
func TestLatencyOfLiveStreams(t *testing.T) {
	t.Parallel()
	r := Recognizer{Latency: func() time.Duration { return 160 * time.Millisecond }}
	for _, c := range []struct{ partial, own, want time.Duration }{
		{time.Second, 0, 160 * time.Millisecond}, {time.Second, 80 * time.Millisecond, 80 * time.Millisecond}, {0, 0, 0},
	} {
		if got := r.withLatency(engine.StreamOptions{Partial: c.partial, Latency: c.own}).Latency; got != c.want {
			t.Errorf("partial %v, own latency %v: %v, want %v", c.partial, c.own, got, c.want)
		}
	}
}
