// Package ratelimit bounds how many requests a minute each API key may make, over all faces of the listener together.
//
// Each key has a token bucket (golang.org/x/time/rate) that holds a minute's worth of requests and fills evenly. The
// count is this appliance's own and begins again at a restart.
package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// forgetAbove is how many buckets are kept before those that are full again, and so count nothing, are dropped.
const forgetAbove = 1024

// KeyLimiter is safe for concurrent use.
type KeyLimiter struct {
	perMinute func() int
	now       func() time.Time

	mu      sync.Mutex
	inForce int // requests a minute that the buckets are made for
	buckets map[string]*rate.Limiter
}

// NewLimiter limits each key to perMinute requests, which is asked at each request; 0: no limit.
func NewLimiter(perMinute func() int, now func() time.Time) *KeyLimiter {
	return &KeyLimiter{perMinute: perMinute, now: now, buckets: map[string]*rate.Limiter{}}
}

// TakeToken counts one request of a key. When the key has made too many it says how long to wait, and the request does not
// count.
func (l *KeyLimiter) TakeToken(keyID string) (wait time.Duration) {
	most := l.perMinute()
	if most <= 0 {
		return 0
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.adjustLimit(most, now)
	bucket := l.buckets[keyID]
	if bucket == nil {
		l.dropFull(now)
		bucket = rate.NewLimiter(perSecond(most), most)
		l.buckets[keyID] = bucket
	}
	reserved := bucket.ReserveN(now, 1)
	if wait = reserved.DelayFrom(now); wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
}

// adjustLimit makes the buckets fit a limit that has changed; l.mu is held.
func (l *KeyLimiter) adjustLimit(most int, now time.Time) {
	if most == l.inForce {
		return
	}
	l.inForce = most
	for _, bucket := range l.buckets {
		bucket.SetLimitAt(now, perSecond(most))
		bucket.SetBurstAt(now, most)
	}
}

// dropFull forgets the buckets of keys that have made no request for a minute, when there are many; l.mu is held.
func (l *KeyLimiter) dropFull(now time.Time) {
	if len(l.buckets) < forgetAbove {
		return
	}
	for key, bucket := range l.buckets {
		if bucket.TokensAt(now) >= float64(bucket.Burst()) {
			delete(l.buckets, key)
		}
	}
}

func perSecond(perMinute int) rate.Limit { return rate.Limit(float64(perMinute) / 60) }
