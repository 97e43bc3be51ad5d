package engine

import (
	"context"
	"sync"
	"time"
)

// workQueue shares the machine among requests (admission control and fair queuing). A request is admitted once, with
// its price: seconds of audio. Then each piece of its work (audio decoding, a block through the VAD, a chunk through
// the encoder, a time slice of a search) needs a permit. Permits go to the highest priority first, so that live speech
// waits for at most one piece of an upload; among equals by fair share, see [compareTickets].
type workQueue struct {
	mu      sync.Mutex
	root    usageAccount // of all organizations
	workers int
	cores   permitPool // charged to the accounts
	graphs  permitPool // for runs of the encoder's graph
	limit   int        // requests per organization and priority
	backlog float64
	cost    float64 // smoothed worker seconds per second of audio
}

const (
	// allOrganizations is the total admission limit, as a multiple of one organization's.
	allOrganizations = 4
	// usualCost is the initial estimate of cost: the default model on one core, VAD included.
	usualCost = 0.01
	// unknownPrice is the price of audio of unknown length, in seconds: the longest accepted.
	unknownPrice = 4 * 3600
)

func newQueue(workers, runs, limit int) *workQueue {
	q := &workQueue{workers: workers, limit: limit, cost: usualCost}
	q.cores = permitPool{queue: q, free: workers, charged: true}
	q.graphs = permitPool{queue: q, free: runs}
	return q
}

// admitRequest admits a request or returns ErrBusy with Retry-After (backpressure). Limits are per priority and
// organization, so that neither jobs nor another organization block uploads. Live speech is always admitted: it is
// limited by lines and microphones.
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
	t := &queueTicket{priority: p, key: key, price: price, expected: time.Duration(price * q.cost * float64(time.Second))}
	t.due = key.used + t.expected
	return t, nil
}

// retryAfter estimates when half of the admitted audio will be decoded, clamped to 1 s … 1 min.
func (q *workQueue) retryAfter() time.Duration {
	wait := time.Duration(q.backlog * q.cost / float64(q.workers) / 2 * float64(time.Second))
	return min(max(wait.Round(time.Second), time.Second), time.Minute)
}

// leaveRequest ends a request that processed heard seconds of audio.
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

// queueLoad returns the number of admitted requests and of waiting pieces of work.
func (q *workQueue) queueLoad() (requests, pieces int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.root.requests, len(q.cores.waiting) + len(q.graphs.waiting)
}

// permitPool is a counting semaphore with a fair waiting queue.
type permitPool struct {
	queue   *workQueue
	free    int
	waiting []*turnWaiter // in order of arrival
	charged bool          // time held is charged
}

// turnWaiter waits for a permit; granted is closed when it is granted.
type turnWaiter struct {
	*queueTicket
	ahead   bool // served before other waiters of its rank
	granted chan struct{}
}

// acquirePermit waits for a permit, which must be released if the error is nil.
func (w *permitPool) acquirePermit(ctx context.Context, t *queueTicket) (*workPermit, error) {
	u := &workPermit{of: w, ticket: t}
	return u, u.waitTurn(ctx)
}

// acquireAhead is acquirePermit for work on which other work of the same request depends: it is served first.
func (w *permitPool) acquireAhead(ctx context.Context, t *queueTicket) (*workPermit, error) {
	u := &workPermit{of: w, ticket: t, ahead: true}
	return u, u.waitTurn(ctx)
}

// tryAcquire acquires a free permit; nil without one.
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

// abandonWait removes a waiter; a permit granted meanwhile is passed on.
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

// nextWaiter returns the index of the highest-ranked waiter, -1 without one.
func (w *permitPool) nextWaiter(now time.Time) int {
	best := -1
	for i, one := range w.waiting {
		if best < 0 || one.goesBefore(w.waiting[best], w.queue.workers, now) {
			best = i
		}
	}
	return best
}

// goesBefore reports whether a waiter is served before one that came earlier.
func (t *turnWaiter) goesBefore(earlier *turnWaiter, workers int, now time.Time) bool {
	order := compareTickets(t.queueTicket, earlier.queueTicket, workers, now)
	return order < 0 || order == 0 && t.ahead && !earlier.ahead
}

// passTurn grants a freed permit to the next waiter.
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
