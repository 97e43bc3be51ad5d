package dialer_test

import (
	"testing"
	"testing/synctest"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// TestOutageBeforeTheDial checks that a call that was released before the database became unreachable is dialled when
// it is back, unless another appliance has ended the call meanwhile.
func TestOutageBeforeTheDial(t *testing.T) {
	t.Parallel()
	for name, ended := range map[string]bool{"back": false, "ended meanwhile": true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, listenFrames(10, done))
			b.failsReads = true
			back := time.Now().Add(50 * time.Second)
			b.fail = func(string) error {
				if time.Now().Before(back) {
					return store.Errorf(store.CodeUnavailable, "the database does not answer")
				}
				if ended && b.call.Status == call.Dialing {
					b.call, _ = b.call.RescueInterrupted(time.Now())
				}
				return nil
			}
			got := b.runCall(t.Context(), t)
			if ended {
				checkOutcome(t, got, call.Failed, call.Interrupted)
			} else {
				checkOutcome(t, got, call.Completed, "")
			}
			if dialled := b.net.got.CallID != ""; dialled == ended {
				t.Errorf("%s: dialled: %v", name, dialled)
			}
		})
	}
}

// TestEndedBeforeTheDial checks that a call that another appliance ended while this machine stalled, with a reachable
// database, is not dialled and keeps its outcome.
func TestEndedBeforeTheDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(10, done))
		b.call, _ = b.call.RescueInterrupted(time.Now())
		checkOutcome(t, b.runCall(t.Context(), t), call.Failed, call.Interrupted)
		if b.net.got.CallID != "" {
			t.Error("it was dialled")
		}
	})
}
