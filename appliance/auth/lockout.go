package auth

import (
	"fmt"
	"sync"
	"time"
)

// The back-off of sign-ins. A few failures are free; then each makes the next attempt wait, from half a minute to a
// quarter of an hour: for the account and for the address they come from, or, in a browser that has signed in to the
// account before, for that browser alone (see [AccountService.DeviceToken]).
const (
	freeByAccount = 5
	freeByAddress = 20
	lockFirst     = 30 * time.Second
	lockMost      = 15 * time.Minute
	lockForget    = time.Hour // after the last failure
	lockEntries   = 20_000    // remembered at most
)

// LockedError is the error for a sign-in that must wait.
type LockedError struct{ Until time.Time }

func (l *LockedError) Error() string {
	return fmt.Sprintf("too many failed sign-ins; try again after %s", l.Until.UTC().Format(time.RFC3339))
}

// signInLockout counts failures in memory: after a restart everybody begins anew.
type signInLockout struct {
	mu      sync.Mutex
	strikes map[string]failureCount
}

type failureCount struct {
	n           int
	last, until time.Time
}

func newLockout() *signInLockout { return &signInLockout{strikes: map[string]failureCount{}} }

// lockoutSubject is what an attempt is counted under, and how many failures are free.
type lockoutSubject struct {
	key  string
	free int
}

// beginAttempt counts an attempt as a failure before its password is looked at, so that many at once gain nothing. It is
// refused with a [*LockedError] while one of those it counts under is locked, and is then not counted.
func (l *signInLockout) beginAttempt(now time.Time, all ...lockoutSubject) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range all {
		if s := l.strikes[w.key]; now.Before(s.until) {
			return &LockedError{s.until}
		}
	}
	for _, w := range all {
		l.countFailure(now, w)
	}
	return nil
}

func (l *signInLockout) countFailure(now time.Time, w lockoutSubject) {
	s := l.strikes[w.key]
	if now.Sub(s.last) > lockForget {
		s = failureCount{}
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
func (l *signInLockout) makeRoom(now time.Time) {
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

// forgiveFailures takes all failures of the account, browser or session back, and one of those of an address: the password was
// right.
func (l *signInLockout) forgiveFailures(own lockoutSubject, address ...lockoutSubject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.strikes, own.key)
	for _, w := range address {
		l.uncountFailure(w.key, true)
	}
}

// takeBack is for an attempt that begin has counted, and whose password nobody looked at. A lock stays that the other
// failures suffice for: giving attempts up must not open it.
func (l *signInLockout) takeBack(all ...lockoutSubject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range all {
		l.uncountFailure(w.key, l.strikes[w.key].n <= w.free)
	}
}

// uncountFailure takes one failure back, and with opens the lock; the caller holds mu.
func (l *signInLockout) uncountFailure(key string, opens bool) {
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
