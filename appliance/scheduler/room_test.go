package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestLinesByNumber: calls whose number no free line serves wait, and hold up neither their neighbours nor, once a line
// is there, themselves.
func TestLinesByNumber(t *testing.T) {
	within(t, func(t *testing.T) {
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
			w.book("a", fmt.Sprint(i), time.Now().Add(-time.Hour))
		}
		w.begin(t)
		if got := w.phones.released(); !slices.Equal(sorted(got), []string{"0", "2"}) {
			t.Errorf("released %v", got)
		}
		sleep(50 * time.Second)
		open.Store(true)
		sleep(3 * time.Second)
		if now, _ := w.phones.lines("a"); now != 10 {
			t.Errorf("%d calls of 10 lines", now)
		}
		w.end()
	})
}

func sorted(all []string) []string {
	slices.Sort(all)
	return all
}
