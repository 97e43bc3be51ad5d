package auth

import (
	"fmt"
	"testing"
	"time"
)

// TestFloodLiftsNoLock: failures of many invented names and addresses neither exceed the table nor remove the counter of
// an account that is locked.
func TestFloodLiftsNoLock(t *testing.T) {
	t.Parallel()
	l, now := newLockout(), time.Unix(1_800_000_000, 0)
	victim := lockoutSubject{nameKey("amal"), freeByAccount}
	for range freeByAccount {
		if err := l.beginAttempt(now, victim); err != nil {
			t.Fatal(err)
		}
	}
	for i := range lockEntries + 100 {
		if err := l.beginAttempt(now, lockoutSubject{fmt.Sprint("name/", i), freeByAccount}); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.strikes) > lockEntries {
		t.Errorf("%d counters are kept", len(l.strikes))
	}
	if err := l.beginAttempt(now, victim); err == nil {
		t.Error("the flood lifted the lock")
	}
}
