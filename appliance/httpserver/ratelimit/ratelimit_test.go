package ratelimit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/httpserver/ratelimit"
)

// manualClock is a clock that tests advance.
type manualClock struct{ at time.Time }

func newLimiter(perMinute *int) (*ratelimit.KeyLimiter, *manualClock) {
	c := &manualClock{time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	return ratelimit.NewLimiter(func() int { return *perMinute }, func() time.Time { return c.at }), c
}

func TestTake(t *testing.T) {
	t.Parallel()
	most := 3
	l, c := newLimiter(&most)
	take := func(key string, want time.Duration) {
		t.Helper()
		if got := l.TakeToken(key).Round(time.Millisecond); got != want {
			t.Errorf("key %s waits %v, want %v", key, got, want)
		}
	}
	for range 3 {
		take("a", 0)
	}
	take("a", 20*time.Second)
	take("a", 20*time.Second) // a refused request does not count
	take("b", 0)
	c.at = c.at.Add(20 * time.Second)
	take("a", 0)
	take("a", 20*time.Second)
	most = 6 // a reload
	take("a", 10*time.Second)
	most = 0
	take("a", 0)
	most = 3
	c.at = c.at.Add(-time.Hour)                          // a clock that is set back hands out nothing
	if l.TakeToken("a") == 0 && l.TakeToken("a") == 0 && //nolint:staticcheck // each call takes a token
		l.TakeToken("a") == 0 && l.TakeToken("a") == 0 {
		t.Error("a clock that was set back hands out requests")
	}
}

func TestManyKeysAreForgotten(t *testing.T) {
	t.Parallel()
	most := 1
	l, c := newLimiter(&most)
	l.TakeToken("kept")
	for i := range 5000 {
		l.TakeToken(fmt.Sprint(i))
		c.at = c.at.Add(time.Millisecond)
	}
	if l.TakeToken("kept") == 0 {
		t.Error("a bucket that was empty is forgotten")
	}
	c.at = c.at.Add(time.Hour)
	l.TakeToken("one more")
	if l.BucketCount() > 2 {
		t.Errorf("%d buckets are kept", l.BucketCount())
	}
}

func TestConcurrentTakes(t *testing.T) {
	t.Parallel()
	most := 50
	l, _ := newLimiter(&most)
	var let atomic.Int32
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if l.TakeToken("a") == 0 {
				let.Add(1)
			}
		})
	}
	all.Wait()
	if let.Load() != 50 {
		t.Errorf("%d of 200 requests were let in, want 50", let.Load())
	}
}
