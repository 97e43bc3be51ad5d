// Package ratelimit is the rate limiter of API keys: it bounds the requests that each key may make in a minute, over
// all APIs of the listener together (429 with Retry-After).
//
// Each key has a token bucket (golang.org/x/time/rate) that holds a minute's worth of requests and fills evenly.
// Counts are in memory and are lost at a restart. Appliances that share a database exchange them: each takes the
// requests that the others let in from its own buckets ([KeyLimiter.DebitTokens]), so that a limit holds over all of
// them on average. Requests that reach several of them before they have exchanged counts are admitted by each; a bucket
// can be overdrawn by one minute's worth, so that they make up for it afterwards.
package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// forgetAbove is the number of buckets above which full ones, which are equal to new ones, are removed.
const forgetAbove = 1024

// KeyLimiter holds one token bucket per key. It is safe for concurrent use.
type KeyLimiter struct {
	perMinute func() int
	now       func() time.Time

	mu      sync.Mutex
	inForce int // requests a minute for which the buckets are set up
	buckets map[string]*rate.Limiter
	taken   map[string]int // tokens taken by key since the last exchange; nil: they are not exchanged
}

// NewLimiter returns a limiter of perMinute requests a minute for each key; perMinute is called at each request, so
// that a changed setting counts at once. 0: no limit.
func NewLimiter(perMinute func() int, now func() time.Time) *KeyLimiter {
	return &KeyLimiter{perMinute: perMinute, now: now, buckets: map[string]*rate.Limiter{}}
}

// TakeToken takes a token from a key's bucket. When the bucket is empty it returns how long to wait until the next
// token, and the request does not count.
func (l *KeyLimiter) TakeToken(keyID string) (wait time.Duration) {
	most := l.perMinute()
	if most <= 0 {
		return 0
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	reserved := l.bucketOf(keyID, most, now).ReserveN(now, 1)
	if wait = reserved.DelayFrom(now); wait > 0 {
		reserved.CancelAt(now)
	} else if l.taken != nil {
		l.taken[keyID]++
	}
	return wait
}

// bucketOf returns a key's bucket under the limit in force; l.mu must be held.
func (l *KeyLimiter) bucketOf(keyID string, most int, now time.Time) *rate.Limiter {
	l.adjustLimit(most, now)
	bucket := l.buckets[keyID]
	if bucket == nil {
		l.dropFull(now)
		bucket = rate.NewLimiter(perSecond(most), most)
		l.buckets[keyID] = bucket
	}
	return bucket
}

// TakenTokens returns the tokens taken by key since the call before; the first call begins to count them.
func (l *KeyLimiter) TakenTokens() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.taken
	if taken == nil || len(taken) > 0 {
		l.taken = map[string]int{}
	}
	return taken
}

// DebitTokens takes the tokens from a key's bucket that another appliance has taken. The bucket is overdrawn by at most
// a minute's worth.
func (l *KeyLimiter) DebitTokens(keyID string, n int) {
	most := l.perMinute()
	if most <= 0 || n <= 0 {
		return
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket := l.bucketOf(keyID, most, now)
	n = min(n, most+int(bucket.TokensAt(now)))
	for n > 0 {
		step := min(n, bucket.Burst())
		bucket.ReserveN(now, step)
		n -= step
	}
}

// adjustLimit changes the buckets to a new limit; l.mu must be held.
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

// dropFull removes the buckets of keys that have made no request for a minute, once there are more than forgetAbove;
// l.mu must be held.
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
