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

// clock says when ticks are due: the first is over one tick after the answer.
type clock struct {
	start time.Time
	n     int // ticks so far
}

// late is how long ago the next tick was due; negative: it is still to come.
func (c *clock) late(now time.Time) time.Duration {
	return now.Sub(c.start) - time.Duration(c.n+1)*carrier.Tick
}

// turn makes the ticks until the end.
func (s *Session) turn() {
	c := clock{start: time.Now()}
	timer := time.NewTimer(carrier.Tick)
	defer timer.Stop()
	for {
		select {
		case <-s.ended:
			return
		case <-timer.C:
		}
		if c.late(time.Now()) > carrier.Tick {
			timer.Reset(settle)
			<-timer.C
		}
		for late := c.late(time.Now()); late >= 0; late = c.late(time.Now()) {
			s.tick(late)
			c.n++
		}
		timer.Reset(-c.late(time.Now()))
	}
}
