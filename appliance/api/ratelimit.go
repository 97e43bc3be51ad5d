package api

import (
	"sync"
	"time"
)

// limiter is a token bucket a key: it holds a minute's worth of requests, and fills evenly.
type limiter struct {
	perMinute float64

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time // when it held so many
}

func newLimiter(perMinute int) *limiter {
	return &limiter{perMinute: float64(perMinute), buckets: map[string]bucket{}}
}

// take takes a token out of key's bucket; when there is none it says how long to wait for one.
func (l *limiter) take(key string, now time.Time) time.Duration {
	if l.perMinute <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b, known := l.buckets[key]
	if !known {
		b = bucket{l.perMinute, now}
	}
	filled := max(now.Sub(b.at), 0).Minutes() * l.perMinute
	b = bucket{min(b.tokens+filled, l.perMinute), now}
	wait := time.Duration(0)
	if b.tokens >= 1 {
		b.tokens--
	} else {
		wait = max(time.Duration((1-b.tokens)/l.perMinute*float64(time.Minute)), time.Millisecond)
	}
	l.buckets[key] = b
	return wait
}
