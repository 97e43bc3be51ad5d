package sip

import (
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

const (
	// lateTick is the lateness from which a sent audio packet counts as late; the remote jitter buffer tolerates at
	// least twice as much.
	lateTick = carrier.Tick
	// loadWindow is the measurement window, and fewTicks the minimum number of packets for a decision.
	loadWindow = 10 * time.Second
	fewTicks   = 250
	// overloaded and relaxed are shares of late packets: above the first the line limit is lowered, below the second
	// raised (load shedding with hysteresis).
	overloaded = 0.01
	relaxed    = 0.001
	// lateWindows is the number of late windows in a row from which lines are limited: one may be a pause of the machine.
	lateWindows = 2
)

// loadShedder implements load shedding: it measures how late this machine sends audio, and lowers the number of lines
// before the delay is audible. It halves the calls that were up at most: what is late with fewer is not late by calls.
type loadShedder struct {
	log *slog.Logger

	mu    sync.Mutex
	began time.Time // start of the window
	ticks int
	late  int
	share float64   // late packets in the last window
	tense int       // late windows in a row
	limit int       // line limit; 0: none
	most  int       // lines in use when the limit began
	since time.Time // start of the limit
}

// countPacket counts a packet and its lateness.
func (l *loadShedder) countPacket(late time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ticks++
	if late > lateTick {
		l.late++
	}
}

// usableLines returns the number of usable lines, of all lines, with running in use.
func (l *loadShedder) usableLines(all, running int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.began) >= loadWindow {
		l.judgeWindow(all, running, now)
	}
	if l.limit > 0 {
		return min(all, l.limit)
	}
	return all
}

// judgeWindow ends a window: it lowers the limit by a tenth of the lines in use, to half of those in use when the
// overload began, or raises it by a tenth, until it exceeds those. The lock is held.
func (l *loadShedder) judgeWindow(all, running int, now time.Time) {
	l.share = 0
	if l.ticks >= fewTicks {
		l.share = float64(l.late) / float64(l.ticks)
	}
	l.began, l.ticks, l.late = now, 0, 0
	if l.tense++; l.share <= overloaded {
		l.tense = 0
	}
	switch {
	case l.tense >= lateWindows, l.tense > 0 && l.limit > 0:
		if l.limit == 0 {
			l.limit, l.most, l.since = all, max(running, 1), now
		}
		used := min(l.limit, max(running, 1))
		l.limit = max((l.most+1)/2, used-max(1, used/10))
		l.log.Warn("audio is sent late: fewer concurrent calls (load shedding)", "late", l.share, "lines", l.limit)
	case l.limit > 0 && l.share < relaxed:
		if l.limit += max(1, l.limit/10); l.limit > l.most || l.limit >= all {
			l.limit = 0
			l.log.Info("audio is on time again: all lines are available", "lines", all)
		}
	}
}

// LoadState is the state of load shedding.
type LoadState struct {
	Late  float64   // share of packets sent more than a tick late, in the last 10 s
	Lines int       // concurrent calls allowed meanwhile; 0: no limit
	Since time.Time // start of the limit
}

func (l *loadShedder) currentState() LoadState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LoadState{Late: l.share, Lines: l.limit, Since: l.since}
}
