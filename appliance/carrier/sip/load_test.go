package sip_test

import (
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier/sip"
)

// TestLoad checks that late packets in two windows lower the number of lines below those in use, to half of them at most,
// and that it rises gradually when packets are on time again.
func TestLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const all = 100
		l := sip.NewLoad()
		window := func(late, ticks, running int) int {
			for i := range ticks {
				by := time.Millisecond
				if i < late {
					by = 30 * time.Millisecond
				}
				l.Tick(by)
			}
			time.Sleep(11 * time.Second)
			return l.Lines(all, running)
		}
		if n := window(0, 1000, 60); n != all {
			t.Errorf("in time: %d lines", n)
		}
		if n := window(5, 1000, 60); n != all {
			t.Errorf("a little late: %d lines", n)
		}
		if n := window(900, 1000, 2); n != all {
			t.Errorf("one late window with two calls: %d lines", n)
		}
		window(0, 1000, 60)
		if n := window(50, 1000, 60); n != all {
			t.Errorf("the first late window: %d lines", n)
		}
		if n := window(50, 1000, 60); n != 54 {
			t.Errorf("late with 60 calls: %d lines, want 54", n)
		}
		if n := window(50, 1000, 58); n != 49 {
			t.Errorf("still late: %d lines, want 49", n)
		}
		if n := window(5, 1000, 49); n != 49 {
			t.Errorf("hardly late: %d lines, want 49", n)
		}
		if n := window(200, 200, 1); n <= 49 {
			t.Errorf("few packets: %d lines", n)
		}
		for range 20 {
			window(0, 1000, 40)
		}
		if n := l.Lines(all, 40); n != all {
			t.Errorf("in time for long: %d lines", n)
		}
		for range 50 {
			window(900, 1000, l.Lines(60, 60))
		}
		if n := l.Lines(all, 30); n != 30 {
			t.Errorf("never in time: %d lines, want 30", n)
		}
	})
}
