package engine

import (
	"context"
	"slices"
	"sync"
	"time"
)

// queue shares the machine among requests. A request is admitted once; then each piece of its work (a block through
// the VAD, a segment through the encoder) takes a turn. Turns go to the highest priority first and in order of asking
// within it, so that live speech waits for one piece of anybody's upload at most.
type queue struct {
	mu      sync.Mutex
	free    int                        // turns that nobody holds
	waiting [Batch + 1][]chan struct{} // by priority; closed when its turn has come

	admitted [Batch + 1]int // requests, by priority
	limit    int            // of each priority
	pace     time.Duration  // smoothed time between the ends of two requests
	lastEnd  time.Time
}

func newQueue(workers, limit int) *queue {
	return &queue{free: workers, limit: limit, pace: 200 * time.Millisecond}
}

// admit lets one request in, or says when to come back. Each priority has its own room, so that jobs don't turn uploads
// away. Live speech is always let in: its number is bounded by lines and microphones.
func (q *queue) admit(p Priority) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.admitted[p] >= q.limit && p != Live {
		return &ErrBusy{RetryAfter: q.retryAfter()}
	}
	q.admitted[p]++
	return nil
}

// retryAfter guesses when half of the admitted requests will be through: 1 s to a minute.
func (q *queue) retryAfter() time.Duration {
	wait := (q.pace * time.Duration(q.requests()) / 2).Round(time.Second)
	return min(max(wait, time.Second), time.Minute)
}

// leave ends a request at the time now.
func (q *queue) leave(p Priority, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.lastEnd.IsZero() {
		q.pace += (now.Sub(q.lastEnd) - q.pace) / 8
	}
	q.admitted[p]--
	q.lastEnd = now
	if q.requests() == 0 {
		q.lastEnd = time.Time{} // the pause until the next request says nothing of the pace
	}
}

// acquire waits for a turn; release must follow if the error is nil.
func (q *queue) acquire(ctx context.Context, p Priority) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	q.waiting[p] = append(q.waiting[p], turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		q.abandon(p, turn)
		return ctx.Err()
	}
}

// abandon takes a waiting turn out; one that was granted meanwhile is passed on.
func (q *queue) abandon(p Priority, turn chan struct{}) {
	q.mu.Lock()
	i := slices.Index(q.waiting[p], turn)
	if i >= 0 {
		q.waiting[p] = slices.Delete(q.waiting[p], i, i+1)
	}
	q.mu.Unlock()
	if i < 0 {
		q.release()
	}
}

// release ends a turn and gives it to whoever is next.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for p := range q.waiting {
		if len(q.waiting[p]) > 0 {
			close(q.waiting[p][0])
			q.waiting[p] = slices.Delete(q.waiting[p], 0, 1)
			return
		}
	}
	q.free++
}

// load counts the admitted requests and the pieces of work that wait for a turn.
func (q *queue) load() (requests, pieces int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.waiting {
		pieces += len(w)
	}
	return q.requests(), pieces
}

// requests is how many are admitted in all.
func (q *queue) requests() int {
	n := 0
	for _, a := range q.admitted {
		n += a
	}
	return n
}
