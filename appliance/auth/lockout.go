package auth

import (
	"fmt"
	"sync"
	"time"
)

// The back-off of sign-ins. A few failures are free; then each makes the next attempt wait, from half a minute to a
// quarter of an hour: for the account and for the address they come from, or, in a browser that has signed in to the
// account before, for that browser alone (see [Accounts.DeviceToken]).
const (
	freeByAccount = 5
	freeByAddress = 20
	lockFirst     = 30 * time.Second
	lockMost      = 15 * time.Minute
	lockForget    = time.Hour // after the last failure
	lockEntries   = 20_000    // remembered at most
)

// Locked is the error for a sign-in that must wait.
type Locked struct{ Until time.Time }

func (l *Locked) Error() string {
	return fmt.Sprintf("too many failed sign-ins; try again after %s", l.Until.UTC().Format(time.RFC3339))
}

// lockout counts failures in memory: after a restart everybody begins anew.
type lockout struct {
	mu      sync.Mutex
	strikes map[string]strikes
}

type strikes struct {
	n           int
	last, until time.Time
}

func newLockout() *lockout { return &lockout{strikes: map[string]strikes{}} }

// who is what an attempt is counted under, and how many failures are free.
type who struct {
	key  string
	free int
}

// begin counts an attempt as a failure before its password is looked at, so that many at once gain nothing. It is
// refused with a [*Locked] while one of those it counts under is locked, and is then not counted.
func (l *lockout) begin(now time.Time, all ...who) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range all {
		if s := l.strikes[w.key]; now.Before(s.until) {
			return &Locked{s.until}
		}
	}
	for _, w := range all {
		l.count(now, w)
	}
	return nil
}

func (l *lockout) count(now time.Time, w who) {
	s := l.strikes[w.key]
	if now.Sub(s.last) > lockForget {
		s = strikes{}
	}
	s.n, s.last = s.n+1, now
	if over := s.n - w.free; over >= 0 {
		s.until = now.Add(min(lockFirst<<min(over, 10), lockMost))
	}
	if _, known := l.strikes[w.key]; !known {
		l.makeRoom(now)
	}
	l.strikes[w.key] = s
}

// makeRoom forgets what no longer counts, and if that is not enough the first that comes: a flood of addresses must
// not take the memory.
func (l *lockout) makeRoom(now time.Time) {
	if len(l.strikes) < lockEntries {
		return
	}
	for key, s := range l.strikes {
		if now.Sub(s.last) > lockForget {
			delete(l.strikes, key)
		}
	}
	for key := range l.strikes {
		if len(l.strikes) < lockEntries {
			return
		}
		delete(l.strikes, key)
	}
}

// forgive takes all failures of the account, browser or session back, and one of those of an address: the password was
// right.
func (l *lockout) forgive(own who, address ...who) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.strikes, own.key)
	for _, w := range address {
		l.uncount(w.key, true)
	}
}

// takeBack is for an attempt that begin has counted, and whose password nobody looked at. A lock stays that the other
// failures suffice for: giving attempts up must not open it.
func (l *lockout) takeBack(all ...who) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range all {
		l.uncount(w.key, l.strikes[w.key].n <= w.free)
	}
}

// uncount takes one failure back, and with opens the lock; the caller holds mu.
func (l *lockout) uncount(key string, opens bool) {
	s, known := l.strikes[key]
	if !known {
		return
	}
	if s.n--; s.n <= 0 {
		delete(l.strikes, key)
		return
	}
	if opens {
		s.until = time.Time{}
	}
	l.strikes[key] = s
}
