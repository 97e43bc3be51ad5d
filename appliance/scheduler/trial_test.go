package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTrialOfAPausedTrunk checks that the call that tries a paused trunk is a random one of its due calls, not one of
// the bad numbers at the queue's head, that one of another trunk does not, and that requeued ones come last.
func TestTrialOfAPausedTrunk(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(1)
		w.phones.lasts = time.Second
		w.deps.Trials = func() []func(string) bool { // the numbers that the trunk serves end in an even digit
			return []func(string) bool{func(n string) bool { return strings.ContainsAny(n[len(n)-1:], "02468") }}
		}
		for i := range 200 {
			w.bookCall("a", fmt.Sprint(i), time.Now().Add(-time.Hour))
		}
		for i := range 100 { // refused before
			id := fmt.Sprint(i)
			c := w.calls[id]
			c.Returns = 1
			w.calls[id] = c
		}
		w.beginFixture(t)
		advanceTime(15 * time.Second)
		w.end()
		got := w.phones.releasedCalls()
		if len(got) < 10 || slices.IsSorted(got) {
			t.Errorf("released %v, in order of the queue", got)
		}
		for _, id := range got {
			if len(id) < 3 || !strings.ContainsAny(id[2:], "02468") {
				t.Errorf("call %s tried the trunk: %v", id, got)
			}
		}
	})
}
