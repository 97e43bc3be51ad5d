package media

import (
	"time"

	"munadi/appliance/carrier"
)

const (
	// grace is how late a packet may leave: other sides have a jitter buffer of at least that much.
	grace = 60 * time.Millisecond
	// settle is left to the reader after a delay, to take what has come meanwhile.
	settle = 2 * time.Millisecond
)

// tickClock turns ticks: the first is over one tick after the answer.
type tickClock struct {
	start time.Time
	n     int // ticks so far
}

// lateness is how long ago the next tick was due; negative: it is still to come.
func (c *tickClock) lateness() time.Duration {
	return time.Since(c.start) - time.Duration(c.n+1)*carrier.Tick
}

// runTicks calls tick when each is due, or as soon as can be, with how late it is, until the end.
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
