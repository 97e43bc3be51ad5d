package engine

import (
	"context"
	"sync"
	"time"
)

// workQueue shares the machine among requests. A request is admitted once, with its price: the seconds of sound that it
// decodes to. Then each piece of its work (a piece of sound decoded, a block through the VAD, a chunk through the
// encoder, a slice of a search) takes a turn. Turns go to the highest priority first, so that live speech waits for one
// piece of somebody's upload at most; among equals by fair share, see [compareTickets].
type workQueue struct {
	mu      sync.Mutex
	root    usageAccount // of all organizations
	workers int
	cores   permitPool // charged to the account
	graphs  permitPool // runs of the encoder's graph
	limit   int        // requests of one organization, of each priority
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

func newQueue(workers, runs, limit int) *workQueue {
	q := &workQueue{workers: workers, limit: limit, cost: usualCost}
	q.cores = permitPool{queue: q, free: workers, charged: true}
	q.graphs = permitPool{queue: q, free: runs}
	return q
}

// admitRequest lets one request in, or says when to come back. Each priority and each organization has its own room, so that
// neither jobs nor another organization turn uploads away. Live speech is always let in: its number is bounded by lines
// and microphones.
func (q *workQueue) admitRequest(c ClientID, p QueuePriority, price float64) (*queueTicket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	org := q.root.enterRequest(c.Organization)
	full := org.admitted[p] >= q.limit || q.root.admitted[p] >= allOrganizations*q.limit
	if full && p != Live {
		org.requests--
		return nil, &ErrBusy{RetryAfter: q.retryAfter()}
	}
	key := org.enterRequest(c.Key)
	q.root.requests++
	q.root.admitted[p]++
	org.admitted[p]++
	q.backlog += price
	t := &queueTicket{priority: p, key: key, price: price}
	t.due = key.used + time.Duration(price*q.cost*float64(time.Second))
	return t, nil
}

// retryAfter guesses when half of the admitted sound will be decoded: 1 s to a minute.
func (q *workQueue) retryAfter() time.Duration {
	wait := time.Duration(q.backlog * q.cost / float64(q.workers) / 2 * float64(time.Second))
	return min(max(wait.Round(time.Second), time.Second), time.Minute)
}

// leaveRequest ends a request that heard so many seconds of sound.
func (q *workQueue) leaveRequest(t *queueTicket, heard float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	org := t.key.parent
	for _, a := range []*usageAccount{&q.root, org, t.key} {
		a.requests--
	}
	q.root.admitted[t.priority]--
	org.admitted[t.priority]--
	q.backlog -= t.price
	if heard >= 1 {
		q.cost += (t.spent.Seconds()/heard - q.cost) / 8
	}
}

// queueLoad counts the admitted requests and the pieces of work that wait for a turn.
func (q *workQueue) queueLoad() (requests, pieces int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.root.requests, len(q.cores.waiting) + len(q.graphs.waiting)
}

// permitPool are turns of which a number may be held at a time.
type permitPool struct {
	queue   *workQueue
	free    int
	waiting []*turnWaiter // in order of asking
	charged bool          // time held is time used
}

// turnWaiter waits for a turn; granted is closed when it has come.
type turnWaiter struct {
	*queueTicket
	granted chan struct{}
}

// acquirePermit waits for a turn; the turn must be released if the error is nil.
func (w *permitPool) acquirePermit(ctx context.Context, t *queueTicket) (*workPermit, error) {
	u := &workPermit{of: w, ticket: t}
	return u, u.waitTurn(ctx)
}

// tryAcquire takes a turn that is free; nil if none is.
func (w *permitPool) tryAcquire(t *queueTicket) *workPermit {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	if w.free == 0 {
		return nil
	}
	w.free--
	u := &workPermit{of: w, ticket: t}
	u.startCounting()
	return u
}

// abandonWait takes a waiter out; a turn that was granted meanwhile is passed on.
func (w *permitPool) abandonWait(one *turnWaiter) {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	for i, other := range w.waiting {
		if other == one {
			w.removeWaiter(i)
			return
		}
	}
	w.passTurn()
}

// removeWaiter removes the waiter at i.
func (w *permitPool) removeWaiter(i int) *turnWaiter {
	one := w.waiting[i]
	w.waiting = append(w.waiting[:i], w.waiting[i+1:]...)
	return one
}

// nextWaiter is the position of the one that waits and goes first, -1 if nobody waits.
func (w *permitPool) nextWaiter(now time.Time) int {
	best := -1
	for i, one := range w.waiting {
		if best < 0 || compareTickets(one.queueTicket, w.waiting[best].queueTicket, w.queue.workers, now) < 0 {
			best = i
		}
	}
	return best
}

// passTurn gives a turn that has come free to the next.
func (w *permitPool) passTurn() {
	i := w.nextWaiter(time.Now())
	if i < 0 {
		w.free++
		return
	}
	one := w.removeWaiter(i)
	one.key.noteServed()
	close(one.granted)
}
