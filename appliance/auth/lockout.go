package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// Sign-in lockout with back-off. A few failures are free; then each locks the next attempt out, from half a minute to
// a quarter of an hour: for the account and for the address, or, in a browser that has signed in to the account
// before, for that browser alone (see [AccountService.DeviceToken]).
const (
	freeByAccount = 5
	freeByAddress = 20
	lockFirst     = 30 * time.Second
	lockMost      = 15 * time.Minute
	lockForget    = time.Hour // after the last failure
	lockEntries   = 20_000    // most counters kept

	// A person of the directory, and where there is one every name, is locked at once for lockMost: companies lock
	// accounts after five or ten failures within some minutes, and nobody must reach that from here.
	freeByDirectory = 3
	directoryKey    = "directory/"
)

// LockedError refuses a sign-in during a lockout, which ends at Until.
type LockedError struct{ Until time.Time }

func (l *LockedError) Error() string {
	return fmt.Sprintf("too many failed sign-ins; try again after %s", l.Until.UTC().Format(time.RFC3339))
}

// signInLockout counts failed sign-ins in memory; a restart resets all counters. Appliances that share a database
// exchange their changes.
type signInLockout struct {
	mu      sync.Mutex
	strikes map[string]failureCount
	share   func(LockoutChange) // nil: there are no others
}

// LockoutChange is a change of lockout counters, for the other appliances.
type LockoutChange struct {
	Action   lockoutAction    `json:"action"`
	Subjects []LockoutCounter `json:"subjects"`
}

// LockoutCounter is a counter by its key, and how many failures are free.
type LockoutCounter struct {
	Key  string `json:"key"`
	Free int    `json:"free"`
}

type lockoutAction string

const (
	countFailures   lockoutAction = "count"
	forgiveFailures lockoutAction = "forgive" // of the first subject all, of the others one
	takeFailureBack lockoutAction = "take_back"
)

// tellOthers shares a change.
func (l *signInLockout) tellOthers(action lockoutAction, subjects ...lockoutSubject) {
	if l.share == nil {
		return
	}
	change := LockoutChange{Action: action}
	for _, w := range subjects {
		change.Subjects = append(change.Subjects, LockoutCounter{Key: w.key, Free: w.free})
	}
	l.share(change)
}

// ShareLockouts calls share with each change of the lockout counters; before the first sign-in.
func (a *AccountService) ShareLockouts(share func(LockoutChange)) { a.locks.share = share }

// ApplyLockout makes a change of another appliance to the counters here.
func (a *AccountService) ApplyLockout(change LockoutChange) { a.locks.applyChange(a.now(), change) }

// applyChange makes a change of another appliance.
func (l *signInLockout) applyChange(now time.Time, change LockoutChange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range change.Subjects {
		switch {
		case change.Action == countFailures:
			l.countFailure(now, lockoutSubject{key: w.Key, free: w.Free})
		case change.Action == takeFailureBack:
			l.uncountFailure(w.Key, l.strikes[w.Key].n <= w.Free)
		case change.Action == forgiveFailures && i == 0:
			delete(l.strikes, w.Key)
		case change.Action == forgiveFailures:
			l.uncountFailure(w.Key, true)
		}
	}
}

type failureCount struct {
	n           int
	last, until time.Time
}

func newLockout() *signInLockout { return &signInLockout{strikes: map[string]failureCount{}} }

// lockoutSubject is a counter of attempts, by its key, and how many failures are free.
type lockoutSubject struct {
	key  string
	free int
}

// beginAttempt counts an attempt as a failure before its password is checked, so that concurrent guesses have no
// advantage. It is refused with a [*LockedError] while one of its counters is locked, and is then not counted.
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
	l.tellOthers(countFailures, all...)
	return nil
}

func (l *signInLockout) countFailure(now time.Time, w lockoutSubject) {
	s := l.strikes[w.key]
	if now.Sub(s.last) > lockForget {
		s = failureCount{}
	}
	s.n, s.last = s.n+1, now
	if over := s.n - w.free; over >= 0 {
		if strings.HasPrefix(w.key, directoryKey) {
			over = 10
		}
		s.until = now.Add(min(lockFirst<<min(over, 10), lockMost))
	}
	if _, known := l.strikes[w.key]; !known {
		l.makeRoom(now)
	}
	l.strikes[w.key] = s
}

// makeRoom removes expired counters, and if that is not enough arbitrary ones, those that lock nothing first: a flood
// of addresses and invented names must neither exhaust the memory nor lift the lock of an account.
func (l *signInLockout) makeRoom(now time.Time) {
	if len(l.strikes) < lockEntries {
		return
	}
	maps.DeleteFunc(l.strikes, func(_ string, s failureCount) bool { return now.Sub(s.last) > lockForget })
	l.evictCounters(func(s failureCount) bool { return !now.Before(s.until) })
	l.evictCounters(func(failureCount) bool { return true })
}

// evictCounters removes counters that may be removed until there is room for another one.
func (l *signInLockout) evictCounters(removable func(failureCount) bool) {
	for key, s := range l.strikes {
		if len(l.strikes) < lockEntries {
			return
		}
		if removable(s) {
			delete(l.strikes, key)
		}
	}
}

// forgiveFailures resets the counter of the account, browser or session after a successful sign-in, and takes one
// failure of the address back.
func (l *signInLockout) forgiveFailures(own lockoutSubject, address ...lockoutSubject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.strikes, own.key)
	for _, w := range address {
		l.uncountFailure(w.key, true)
	}
	l.tellOthers(forgiveFailures, append([]lockoutSubject{own}, address...)...)
}

// takeBack uncounts an attempt that beginAttempt has counted and whose password was not checked. A lock that other
// failures justify stays: aborted attempts must not lift it.
func (l *signInLockout) takeBack(all ...lockoutSubject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range all {
		l.uncountFailure(w.key, l.strikes[w.key].n <= w.free)
	}
	l.tellOthers(takeFailureBack, all...)
}

// uncountFailure takes one failure back, and lifts the lock if opens; the caller holds mu.
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

// refusalDelay is the shortest time between the comparison of a password and the refusal. Only the refusal of a user
// who exists writes to the database: without the delay, the time of an answer would say which names exist (user
// enumeration).
const refusalDelay = 100 * time.Millisecond

// refuseSignIn logs a refused sign-in, and adds it to the audit trail of a user who exists. It takes at least
// [refusalDelay].
func (a *AccountService) refuseSignIn(ctx context.Context, u account.User, from SignInOrigin) {
	defer a.delayRefusal(ctx, from)()
	a.recordRefusal(ctx, u, from)
}

// delayRefusal returns a function that waits for the end of [refusalDelay]; where there is a directory until the next
// multiple of [refusalTime] since the sign-in began.
func (a *AccountService) delayRefusal(ctx context.Context, from SignInOrigin) (wait func()) {
	delay := time.NewTimer(refusalDelay)
	if a.directory != nil {
		took := time.Since(from.began) + refusalDelay
		delay.Reset(refusalDelay + (refusalTime-took%refusalTime)%refusalTime)
	}
	return func() {
		defer delay.Stop()
		select {
		case <-delay.C:
		case <-ctx.Done():
		}
	}
}

// recordRefusal writes the log line, which does not hold the typed name, since that may be a password, and the audit
// entry.
func (a *AccountService) recordRefusal(ctx context.Context, u account.User, from SignInOrigin) {
	a.log.Warn("a sign-in was refused", "address", from.Address, "user", u.ID)
	if u.ID == "" {
		return
	}
	line := store.AuditEntry{
		At: a.now().UTC(), Actor: "address:" + from.Address, Action: "user.sign_in_refused", Subject: u.Name,
	}
	if err := a.people.AddAudit(ctx, u.OrgID, line); err != nil {
		a.log.Warn("a refused sign-in is not in the audit trail", "err", err)
	}
}

const (
	// guardEvery is the interval between two checks of a lasting access; a revocation takes effect within 5 s.
	guardEvery = 2 * time.Second
	// guardPatience is the timeout of one check.
	guardPatience = 2 * time.Second
)

// ErrRevoked means that the access of a running request was revoked: its key was revoked, its session ended, its user
// was disabled, deleted or given a lesser role.
var ErrRevoked = errors.New("the access was revoked")

// AccessCheck reports whether an access is still valid. An error means that it cannot be checked now.
type AccessCheck func(ctx context.Context) (bool, error)

// GuardAccess returns a context for a long-lived answer (a stream, a socket, a long decoding) that is cancelled with
// cause (see [context.Cause]) within 4 s after alive reports false. While it cannot be checked, as when the database
// is away, the stream continues. A nil alive means an access that cannot be revoked. The caller calls stop when the
// answer has ended.
func GuardAccess(
	ctx context.Context, alive AccessCheck, cause error,
) (guarded context.Context, stop context.CancelFunc) {
	if alive == nil {
		return context.WithCancel(ctx)
	}
	guarded, cancel := context.WithCancelCause(ctx)
	go watchAccess(guarded, alive, func() { cancel(cause) })
	return guarded, func() { cancel(context.Canceled) }
}

// watchAccess polls alive until it reports false, or ctx ends.
func watchAccess(ctx context.Context, alive AccessCheck, revoked func()) {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !stillAlive(ctx, alive) {
				revoked()
				return
			}
		}
	}
}

// stillAlive checks once; an error counts as valid.
func stillAlive(ctx context.Context, alive AccessCheck) bool {
	ctx, cancel := context.WithTimeout(ctx, guardPatience)
	defer cancel()
	yes, err := alive(ctx)
	return yes || err != nil
}

// keyAlive reports whether the key with that id is still valid. It asks the store, so that a revocation by another
// appliance on the same store counts too.
func (a *KeyVerifier) keyAlive(ctx context.Context, keyID string) (bool, error) {
	key, err := a.keys.FindKey(ctx, keyID)
	if store.CodeOf(err) == store.CodeNotFound {
		return false, nil
	}
	return err == nil && key.IsLive(), err
}
