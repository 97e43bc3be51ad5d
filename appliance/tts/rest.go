package tts

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// Exponential backoff of an endpoint after failures.
const (
	firstRest   = 10 * time.Second
	longestRest = 5 * time.Minute
)

// endpointBackoff is a circuit breaker: it keeps calls from waiting repeatedly for a failing endpoint.
type endpointBackoff struct {
	mu    sync.Mutex
	until time.Time
	next  time.Duration
}

func (r *endpointBackoff) isResting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.until)
}

// noteResult records the result of a request. Refused texts and cancelled callers do not count as failures.
func (r *endpointBackoff) noteResult(err error) {
	var status statusError
	refused := errors.As(err, &status) && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity)
	if refused || errors.Is(err, context.Canceled) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.until, r.next = time.Time{}, 0
		return
	}
	r.next = min(longestRest, max(firstRest, 2*r.next))
	r.until = time.Now().Add(r.next)
}
