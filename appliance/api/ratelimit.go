package api

import (
	"sync"
	"time"
)

// limiter is a token bucket a key: it holds a minute's worth of requests, and fills evenly.
type limiter struct {
	perMinute func() int // may change at any time; nil: no limit

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time // when it held so many
}

func newLimiter(perMinute func() int) *limiter {
	if perMinute == nil {
		perMinute = func() int { return 0 }
	}
	return &limiter{perMinute: perMinute, buckets: map[string]bucket{}}
}

// take takes a token out of key's bucket; when there is none it says how long to wait for one.
func (l *limiter) take(key string, now time.Time) time.Duration {
	most := float64(l.perMinute())
	if most <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, known := l.buckets[key]
	if !known {
		b = bucket{most, now}
	}
	filled := max(now.Sub(b.at), 0).Minutes() * most
	b = bucket{min(b.tokens+filled, most), now}
	wait := time.Duration(0)
	if b.tokens >= 1 {
		b.tokens--
	} else {
		wait = max(time.Duration((1-b.tokens)/most*float64(time.Minute)), time.Millisecond)
	}
	l.buckets[key] = b
	return wait
}
