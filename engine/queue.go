package engine

import (
	"context"
	"sync"
	"time"
)

// queue shares the machine among requests. A request is admitted once, with its price: the seconds of sound that it
// decodes to. Then each piece of its work (a piece of sound decoded, a block through the VAD, a chunk through the
// encoder, a slice of a search) takes a turn. Turns go to the highest priority first, so that live speech waits for one
// piece of somebody's upload at most; among equals by fair share, see [before].
type queue struct {
	mu      sync.Mutex
	root    account // of all organizations
	workers int
	cores   permits // charged to the account
	graphs  permits // runs of the encoder's graph
	limit   int     // requests of one organization, of each priority
	backlog float64
	cost    float64 // smoothed seconds of a worker for a second of sound
}

const (
	// allOrganizations is how many times one organization's limit all of them together may have admitted.
	allOrganizations = 4
	// usualCost is the first guess of cost: the default model's on one core, voice detection included.
	usualCost = 0.01
	// unknownPrice is what a sound counts whose length nothing tells, in seconds: the longest that requests accept.
	unknownPrice = 4 * 3600
)

func newQueue(workers, runs, limit int) *queue {
	q := &queue{workers: workers, limit: limit, cost: usualCost}
	q.cores = permits{queue: q, free: workers, charged: true}
	q.graphs = permits{queue: q, free: runs}
	return q
}

// admit lets one request in, or says when to come back. Each priority and each organization has its own room, so that
// neither jobs nor another organization turn uploads away. Live speech is always let in: its number is bounded by lines
// and microphones.
func (q *queue) admit(c Client, p Priority, price float64) (*ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	org := q.root.enter(c.Organization)
	full := org.admitted[p] >= q.limit || q.root.admitted[p] >= allOrganizations*q.limit
	if full && p != Live {
		org.requests--
		return nil, &ErrBusy{RetryAfter: q.retryAfter()}
	}
	key := org.enter(c.Key)
	q.root.requests++
	q.root.admitted[p]++
	org.admitted[p]++
	q.backlog += price
	t := &ticket{priority: p, key: key, price: price}
	t.due = key.used + time.Duration(price*q.cost*float64(time.Second))
	return t, nil
}

// retryAfter guesses when half of the admitted sound will be decoded: 1 s to a minute.
func (q *queue) retryAfter() time.Duration {
	wait := time.Duration(q.backlog * q.cost / float64(q.workers) / 2 * float64(time.Second))
	return min(max(wait.Round(time.Second), time.Second), time.Minute)
}

// leave ends a request that heard so many seconds of sound.
func (q *queue) leave(t *ticket, heard float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	org := t.key.parent
	for _, a := range []*account{&q.root, org, t.key} {
		a.requests--
	}
	q.root.admitted[t.priority]--
	org.admitted[t.priority]--
	q.backlog -= t.price
	if heard >= 1 {
		q.cost += (t.spent.Seconds()/heard - q.cost) / 8
	}
}

// load counts the admitted requests and the pieces of work that wait for a turn.
func (q *queue) load() (requests, pieces int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.root.requests, len(q.cores.waiting) + len(q.graphs.waiting)
}

// permits are turns of which a number may be held at a time.
type permits struct {
	queue   *queue
	free    int
	waiting []*waiter // in order of asking
	charged bool      // time held is time used
}

// waiter waits for a turn; granted is closed when it has come.
type waiter struct {
	*ticket
	granted chan struct{}
}

// acquire waits for a turn; the turn must be released if the error is nil.
func (w *permits) acquire(ctx context.Context, t *ticket) (*permit, error) {
	u := &permit{of: w, ticket: t}
	return u, u.wait(ctx)
}

// try takes a turn that is free; nil if none is.
func (w *permits) try(t *ticket) *permit {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	if w.free == 0 {
		return nil
	}
	w.free--
	u := &permit{of: w, ticket: t}
	u.start()
	return u
}

// abandon takes a waiter out; a turn that was granted meanwhile is passed on.
func (w *permits) abandon(one *waiter) {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	for i, other := range w.waiting {
		if other == one {
			w.take(i)
			return
		}
	}
	w.pass()
}

// take removes the waiter at i.
func (w *permits) take(i int) *waiter {
	one := w.waiting[i]
	w.waiting = append(w.waiting[:i], w.waiting[i+1:]...)
	return one
}

// next is the position of the one that waits and goes first, -1 if nobody waits.
func (w *permits) next(now time.Time) int {
	best := -1
	for i, one := range w.waiting {
		if best < 0 || before(one.ticket, w.waiting[best].ticket, w.queue.workers, now) < 0 {
			best = i
		}
	}
	return best
}

// pass gives a turn that has come free to the next.
func (w *permits) pass() {
	i := w.next(time.Now())
	if i < 0 {
		w.free++
		return
	}
	one := w.take(i)
	one.key.served()
	close(one.granted)
}
