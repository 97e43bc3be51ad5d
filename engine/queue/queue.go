// Package queue shares the machine among requests: admission control, priorities and fair queuing by organization and
// key. It grants permits for pieces of work and knows nothing of what they are.
package queue

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Priority is the priority of work; lower values first.
type Priority int

// Live is real-time speech (calls, microphones); Upload is one request; Batch is a job.
const (
	Live        Priority = iota
	PartialText          // of an open turn: final texts go first
	Upload
	Batch
)

// ClientID identifies the client of a request for fair queuing: decoding time is shared by organization, then by key.
type ClientID struct {
	Organization string
	Key          string // id of an API key or user; empty for the organization's own calls and jobs
}

// ErrBusy is returned when the queue is full (backpressure); nothing was read.
type ErrBusy struct{ RetryAfter time.Duration }

func (e *ErrBusy) Error() string {
	return fmt.Sprintf("the recognizer's queue is full; try again in %d s", int(e.RetryAfter.Seconds()))
}

// WorkQueue shares the machine among requests (admission control and fair queuing). A request is admitted once, with
// its price: seconds of audio. Then each piece of its work (audio decoding, a block through the VAD, a chunk through
// the encoder, a time slice of a search) needs a permit. Permits go to the highest priority first, so that live speech
// waits for at most one piece of an upload; among equals by fair share, see [compareTickets].
type WorkQueue struct {
	mu      sync.Mutex
	root    usageAccount // of all organizations
	workers int
	Cores   PermitPool // charged to the accounts
	Graphs  PermitPool // for runs of the encoder's graph
	limit   int        // requests per organization and priority
	backlog float64
	cost    float64 // smoothed worker seconds per second of audio
}

const (
	// allOrganizations is the total admission limit, as a multiple of one organization's.
	allOrganizations = 4
	// usualCost is the initial estimate of cost: the default model on one core, VAD included.
	usualCost = 0.01
	// UnknownPrice is the price of audio of unknown length, in seconds: the longest accepted.
	UnknownPrice = 4 * 3600
)

// NewQueue returns a queue with permits for so many pieces of work and runs of the encoder at once, and room for limit
// requests of an organization at each priority.
func NewQueue(workers, runs, limit int) *WorkQueue {
	q := &WorkQueue{workers: workers, limit: limit, cost: usualCost}
	q.Cores = PermitPool{queue: q, free: workers, charged: true}
	q.Graphs = PermitPool{queue: q, free: runs}
	return q
}

// AdmitRequest admits a request or returns ErrBusy with Retry-After (backpressure). Limits are per priority and
// organization, so that neither jobs nor another organization block uploads. Live speech is always admitted: it is
// limited by lines and microphones.
func (q *WorkQueue) AdmitRequest(c ClientID, p Priority, price float64) (*QueueTicket, error) {
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
	t := &QueueTicket{priority: p, key: key, price: price, expected: time.Duration(price * q.cost * float64(time.Second))}
	t.due = key.used + t.expected
	return t, nil
}

// retryAfter estimates when half of the admitted audio will be decoded, clamped to 1 s … 1 min.
func (q *WorkQueue) retryAfter() time.Duration {
	wait := time.Duration(q.backlog * q.cost / float64(q.workers) / 2 * float64(time.Second))
	return min(max(wait.Round(time.Second), time.Second), time.Minute)
}

// LeaveRequest ends a request that processed heard seconds of audio.
func (q *WorkQueue) LeaveRequest(t *QueueTicket, heard float64) {
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

// CurrentLoad returns the number of admitted requests and of waiting pieces of work.
func (q *WorkQueue) CurrentLoad() (requests, pieces int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.root.requests, len(q.Cores.waiting) + len(q.Graphs.waiting)
}

// PermitPool is a counting semaphore with a fair waiting queue.
type PermitPool struct {
	queue   *WorkQueue
	free    int
	waiting []*permitWaiter // in order of arrival
	charged bool            // time held is charged
}

// permitWaiter waits for a permit; granted is closed when it is granted.
type permitWaiter struct {
	*QueueTicket
	ahead   bool // served before other waiters of its rank
	granted chan struct{}
}

// AcquirePermit waits for a permit, which must be released if the error is nil.
func (w *PermitPool) AcquirePermit(ctx context.Context, t *QueueTicket) (*WorkPermit, error) {
	u := &WorkPermit{of: w, ticket: t}
	return u, u.waitForPermit(ctx)
}

// AcquireAhead is AcquirePermit for work on which other work of the same request depends: it is served first.
func (w *PermitPool) AcquireAhead(ctx context.Context, t *QueueTicket) (*WorkPermit, error) {
	u := &WorkPermit{of: w, ticket: t, ahead: true}
	return u, u.waitForPermit(ctx)
}

// tryAcquire acquires a free permit; nil without one.
func (w *PermitPool) tryAcquire(t *QueueTicket) *WorkPermit {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	if w.free == 0 {
		return nil
	}
	w.free--
	u := &WorkPermit{of: w, ticket: t}
	u.startCounting()
	return u
}

// abandonWait removes a waiter; a permit granted meanwhile is passed on.
func (w *PermitPool) abandonWait(one *permitWaiter) {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	for i, other := range w.waiting {
		if other == one {
			w.removeWaiter(i)
			return
		}
	}
	w.passPermit()
}

// removeWaiter removes the waiter at i.
func (w *PermitPool) removeWaiter(i int) *permitWaiter {
	one := w.waiting[i]
	w.waiting = append(w.waiting[:i], w.waiting[i+1:]...)
	return one
}

// nextWaiter returns the index of the highest-ranked waiter, -1 without one.
func (w *PermitPool) nextWaiter(now time.Time) int {
	best := -1
	for i, one := range w.waiting {
		if best < 0 || one.goesBefore(w.waiting[best], w.queue.workers, now) {
			best = i
		}
	}
	return best
}

// goesBefore reports whether a waiter is served before one that came earlier.
func (t *permitWaiter) goesBefore(earlier *permitWaiter, workers int, now time.Time) bool {
	order := compareTickets(t.QueueTicket, earlier.QueueTicket, workers, now)
	return order < 0 || order == 0 && t.ahead && !earlier.ahead
}

// passPermit grants a freed permit to the next waiter.
func (w *PermitPool) passPermit() {
	i := w.nextWaiter(time.Now())
	if i < 0 {
		w.free++
		return
	}
	one := w.removeWaiter(i)
	one.key.noteServed()
	close(one.granted)
}
