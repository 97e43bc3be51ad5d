package stt_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/store"
)

// TestJobTakenAway: a job that is queued again while it runs here, as other appliances do with those of one that they
// take for dead, keeps its upload for its next run.
func TestJobTakenAway(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	var runs atomic.Int32
	b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if runs.Add(1) == 1 {
			if again, err := b.deps.Store.RequeueRunning(ctx, b.deps.Now()); err != nil || len(again) != 1 {
				t.Errorf("%d jobs are queued again, %v", len(again), err)
			}
		}
		return speakTexts(o, "اثنين برجر")
	}
	id := b.bookJob(t, formFields{"file": "sound"})
	defer runWorkers(t, b.TranscriptionService)()
	if got := b.pollJob(t, id); !strings.Contains(got, `"done"`) || runs.Load() != 2 {
		t.Errorf("after %d runs the job is %s", runs.Load(), got)
	}
}

// storeAway is a database that goes away when the first job ends, and is back at once.
type storeAway struct {
	stt.ServiceStore
	gone atomic.Bool
}

func (s *storeAway) FinishJob(ctx context.Context, orgID, id string, result json.RawMessage, now time.Time) error {
	if s.gone.CompareAndSwap(false, true) {
		return store.Errorf(store.CodeUnavailable, "the database does not answer")
	}
	return s.ServiceStore.FinishJob(ctx, orgID, id, result, now)
}

// TestJobEndsWhileTheStoreIsAway: a job whose result could not be stored is no failed one: it runs again.
func TestJobEndsWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) { d.Store = &storeAway{ServiceStore: d.Store} })
	b.hears.says = []string{"نعم", "نعم"}
	id := b.bookJob(t, formFields{"file": "sound"})
	var away *store.Error
	if err := b.RunJobs(t.Context()); !errors.As(err, &away) {
		t.Errorf("the workers end by %v", err)
	}
	defer runWorkers(t, b.TranscriptionService)()
	if got := b.pollJob(t, id); !strings.Contains(got, `"done"`) {
		t.Errorf("the job is %s", got)
	}
}
