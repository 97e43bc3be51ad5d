package media

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
)

// Ticks occur at fixed times, however long each takes; after a delay, all missed ones are made up.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		c := tickClock{start: time.Now()}
		var late []time.Duration
		c.runTicks(ended, func(by time.Duration) {
			late = append(late, by)
			switch len(late) {
			case 10:
				time.Sleep(70 * time.Millisecond)
			case 100:
				close(ended)
			default:
				time.Sleep(3 * time.Millisecond)
			}
		})
		if got, want := time.Since(c.start), 100*carrier.Tick; got != want {
			t.Errorf("100 ticks took %v, want %v", got, want)
		}
		want := []time.Duration{0, 50e6, 33e6, 16e6, 0, 0}
		if got := late[9:15]; !slices.Equal(got, want) {
			t.Errorf("ticks 10 to 15 were late by %v, want %v", got, want)
		}
	})
}

// After a delay of more than a tick, the reader gets time to process packets that arrived meanwhile.
func TestClockLetsTheReaderGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := tickClock{start: time.Now().Add(-time.Second)}
		ended := make(chan struct{})
		c.runTicks(ended, func(by time.Duration) {
			if c.n == 0 && by != time.Second-carrier.Tick+settle {
				t.Errorf("the first tick is late by %v", by)
			}
			if c.n == 60 {
				close(ended)
			}
		})
		if got := time.Since(c.start); got != 61*carrier.Tick {
			t.Errorf("61 ticks took %v", got)
		}
	})
}
