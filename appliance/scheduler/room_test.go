package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestLinesByNumber checks that calls whose number no free line serves wait, and delay neither other calls nor, once a
// line is free, themselves.
func TestLinesByNumber(t *testing.T) {
	isWithin(t, func(t *testing.T) {
		w := newWorld(10)
		var open atomic.Bool
		w.deps.Room = func(held []string) func(string) bool {
			left := 2 // lines of numbers that end in an even digit; the others have none while it is closed
			take := func(number string) bool {
				if !strings.ContainsAny(number[len(number)-1:], "02468") {
					return open.Load()
				}
				left--
				return left >= 0
			}
			for _, number := range held {
				take(number)
			}
			return take
		}
		for i := range 40 {
			w.bookCall("a", fmt.Sprint(i), time.Now().Add(-time.Hour))
		}
		w.beginFixture(t)
		if got := w.phones.releasedCalls(); !slices.Equal(sortedIDs(got), []string{"0", "2"}) {
			t.Errorf("released %v", got)
		}
		advanceTime(50 * time.Second)
		open.Store(true)
		advanceTime(3 * time.Second)
		if now, _ := w.phones.countLines("a"); now != 10 {
			t.Errorf("%d calls of 10 lines", now)
		}
		w.end()
	})
}

func sortedIDs(all []string) []string {
	slices.Sort(all)
	return all
}
