package stt_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"munadi/engine"
)

// TestJobTakenAway: a job that is queued again while it runs here, as other appliances do with those of one that they
// take for dead, keeps its upload for its next run.
func TestJobTakenAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var runs atomic.Int32
	b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if runs.Add(1) == 1 {
			if again, err := b.deps.Store.RequeueRunning(ctx, b.deps.Now()); err != nil || len(again) != 1 {
				t.Errorf("%d jobs are queued again, %v", len(again), err)
			}
		}
		return speak(o, "اثنين برجر")
	}
	id := b.book(t, fields{"file": "sound"})
	defer run(t, b.TranscriptionService)()
	if got := b.poll(t, id); !strings.Contains(got, `"done"`) || runs.Load() != 2 {
		t.Errorf("after %d runs the job is %s", runs.Load(), got)
	}
}
