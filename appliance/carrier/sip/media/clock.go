package media

import (
	"time"

	"munadi/appliance/carrier"
)

const (
	// grace is how late a packet may still be sent: remote jitter buffers hold at least that much.
	grace = 60 * time.Millisecond
	// settle is the time for the reader after a delay, to receive the packets that arrived meanwhile.
	settle = 2 * time.Millisecond
)

// tickClock generates ticks; the first one is due one tick after the answer.
type tickClock struct {
	start time.Time
	n     int // ticks so far
}

// lateness returns how long ago the next tick was due; negative: in the future.
func (c *tickClock) lateness() time.Duration {
	return time.Since(c.start) - time.Duration(c.n+1)*carrier.Tick
}

// runTicks calls tick when each is due, or as soon as possible, with its lateness, until the end.
func (c *tickClock) runTicks(ended <-chan struct{}, tick func(late time.Duration)) {
	timer := time.NewTimer(-c.lateness())
	defer timer.Stop()
	for {
		select {
		case <-ended:
			return
		case <-timer.C:
		}
		if c.lateness() > carrier.Tick {
			timer.Reset(settle)
			<-timer.C
		}
		for late := c.lateness(); late >= 0; late = c.lateness() {
			tick(late)
			c.n++
		}
		timer.Reset(-c.lateness())
	}
}
