package sip

import (
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

const (
	// lateTick is how late a packet of sound may leave: the other side's jitter buffer makes up for twice as much at least.
	lateTick = carrier.Tick
	// loadWindow is over how long lateness is measured, and fewTicks of how many packets nothing follows.
	loadWindow = 10 * time.Second
	fewTicks   = 250
	// overloaded and relaxed are shares of late packets: above the one, lines are taken away, below the other given back.
	overloaded = 0.01
	relaxed    = 0.001
)

// load measures how late this machine sends sound, and lowers the number of lines before people hear it.
type load struct {
	log *slog.Logger

	mu    sync.Mutex
	began time.Time // of the window
	ticks int
	late  int
	share float64   // of late packets in the last window
	limit int       // of lines; 0: none
	most  int       // lines that were in use when it began
	since time.Time // of the limit
}

// tick counts a packet that left so much too late.
func (l *load) tick(late time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ticks++
	if late > lateTick {
		l.late++
	}
}

// lines is how many of all lines may be used, when so many are.
func (l *load) lines(all, running int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.began) >= loadWindow {
		l.judge(all, running, now)
	}
	if l.limit > 0 {
		return min(all, l.limit)
	}
	return all
}

// judge ends a window: a tenth of the lines that are in use is taken away, or a tenth of what is left is given back, until
// there are more than when it began to be too many. The lock is held.
func (l *load) judge(all, running int, now time.Time) {
	l.share = 0
	if l.ticks >= fewTicks {
		l.share = float64(l.late) / float64(l.ticks)
	}
	l.began, l.ticks, l.late = now, 0, 0
	switch {
	case l.share > overloaded:
		if l.limit == 0 {
			l.limit, l.most, l.since = all, running, now
		}
		used := min(l.limit, max(running, 1))
		l.limit = max(1, used-max(1, used/10))
		l.log.Warn("sound is late: fewer calls at once", "late", l.share, "lines", l.limit)
	case l.limit > 0 && l.share < relaxed:
		if l.limit += max(1, l.limit/10); l.limit > l.most || l.limit >= all {
			l.limit = 0
			l.log.Info("sound is in time: all lines again", "lines", all)
		}
	}
}

// Load is how late sound is sent.
type Load struct {
	Late  float64   // share of packets that left more than a tick too late, in the last 10 s
	Lines int       // calls at once while that is too much; 0: no limit
	Since time.Time // when the limit began
}

func (l *load) state() Load {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Load{Late: l.share, Lines: l.limit, Since: l.since}
}
