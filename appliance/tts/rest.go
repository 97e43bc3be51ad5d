package tts

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// How long an endpoint rests after it failed: twice as long each time.
const (
	firstRest   = 10 * time.Second
	longestRest = 5 * time.Minute
)

// endpointBackoff keeps calls from waiting again and again for an endpoint that fails.
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

// noteResult takes in how a request ended. A text that the endpoint refuses is the text's fault, and a caller that went
// away nobody's.
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
