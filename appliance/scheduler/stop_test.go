package scheduler_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"

	"munadi/store/call"
)

func TestRescue(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(1)
		var mended []string
		w.deps.Mend = func(_ context.Context, name string) error { mended = append(mended, name); return fs.ErrNotExist }
		for id, status := range map[string]call.CallStatus{"ringing": call.Dialing, "talking": call.InProgress} {
			w.bookCall("a", id, time.Now())
			c := w.calls[id]
			c.Status = status
			if status == call.InProgress {
				c.Recording = "a/talking.wav"
			}
			w.calls[id] = c
		}
		w.bookCall("a", "next", time.Now())
		w.beginFixture(t)
		for _, id := range []string{"ringing", "talking"} {
			if c := w.findCall(id); c.Status != call.Failed || call.ReasonOf(c.Failure) != call.Interrupted {
				t.Errorf("%s is %s %q", id, c.Status, call.ReasonOf(c.Failure))
			}
		}
		if !slices.Equal(mended, []string{"a/talking.wav"}) {
			t.Errorf("mended %v", mended)
		}
		if got := w.phones.releasedCalls(); !slices.Equal(got, []string{"next"}) {
			t.Errorf("released %v", got)
		}
		w.end()
	})
}

// TestStopDuringRescue checks that a stop lets the repair of a recording end.
func TestStopDuringRescue(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(1)
		mended := errors.New("the recording was not repaired")
		w.deps.Mend = func(ctx context.Context, _ string) error {
			time.Sleep(time.Second)
			mended = ctx.Err()
			return mended
		}
		w.bookCall("a", "talking", time.Now())
		c := w.calls["talking"]
		c.Status, c.Recording = call.InProgress, "a/talking.wav"
		w.calls["talking"] = c
		w.beginFixture(t)
		w.end()
		if mended != nil {
			t.Error(mended)
		}
	})
}

// TestStop checks that nothing is released during a stop, that running calls may end, and that those that do not are
// ended.
func TestStop(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		for _, c := range []struct {
			lasts, takes time.Duration
			status       call.CallStatus
		}{
			{20 * time.Second, 20 * time.Second, call.NoAnswer},
			{60 * time.Second, 25 * time.Second, call.Failed},
		} {
			w := newWorld(1)
			w.phones.lasts = c.lasts
			w.bookCall("a", "runs", time.Now())
			w.bookCall("a", "waits", time.Now())
			w.beginFixture(t)
			began := time.Now()
			w.end()
			if took := time.Since(began); took != c.takes {
				t.Errorf("it took %s, want %s", took, c.takes)
			}
			if got := w.findCall("runs").Status; got != c.status {
				t.Errorf("the running one is %s", got)
			}
			if got := w.findCall("waits").Status; got != call.Scheduled {
				t.Errorf("the waiting one is %s", got)
			}
		}
	})
}
