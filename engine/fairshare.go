package engine

import (
	"cmp"
	"time"
)

// Fair queueing by time used (start-time fair queueing, Goyal et al. 1996): of organizations that wait, the one that has
// used the least decoding time gets the next turn; of its keys the same; of a key's requests the one that would be
// through first. An account that comes back after a pause starts where the others are, so that a pause earns nothing.

// usageAccount is what an organization, or a key of it, has used.
type usageAccount struct {
	parent   *usageAccount
	name     string
	children map[string]*usageAccount
	floor    time.Duration // what a child that comes is taken to have used: as much as the one served last
	used     time.Duration // turns held, as counted against the floor of the parent
	requests int           // admitted under it, over all priorities
	admitted [Batch + 1]int
	live     liveCredit // of an organization: how much of its live speech still goes before other organizations' uploads
}

// enterRequest returns the child of that name with one more request.
func (a *usageAccount) enterRequest(name string) *usageAccount {
	if a.requests == 0 && a.parent == nil {
		a.children, a.floor = nil, 0 // nobody is here: nothing is owed
	}
	for other, c := range a.children {
		if c.requests == 0 && c.used <= a.floor {
			delete(a.children, other)
		}
	}
	c := a.children[name]
	if c == nil {
		if a.children == nil {
			a.children = map[string]*usageAccount{}
		}
		c = &usageAccount{parent: a, name: name, used: a.floor}
		a.children[name] = c
	}
	if c.requests == 0 {
		c.used = max(c.used, a.floor)
	}
	c.requests++
	return c
}

// noteServed notes that a turn was given to a, which raises the floor of its siblings and of those above.
func (a *usageAccount) noteServed() {
	for ; a.parent != nil; a = a.parent {
		a.parent.floor = max(a.parent.floor, a.used)
	}
}

// chargeTime counts time that was used.
func (a *usageAccount) chargeTime(d time.Duration) {
	for ; a != nil; a = a.parent {
		a.used += d
	}
}

// liveCredit lets live speech of an organization go before other organizations' uploads until it has used half of the
// machine for a while: a leaky bucket. Beyond, it shares with them.
type liveCredit struct {
	level time.Duration
	at    time.Time
}

// liveBurst is how much time on each worker an organization's live speech may take at once.
const liveBurst = 2 * time.Second

// useCredit takes d out, after what has come in at half the workers' pace.
func (c *liveCredit) useCredit(d time.Duration, workers int, now time.Time) {
	c.level = c.owedTime(workers, now) + d
	c.at = now
}

func (c *liveCredit) owedTime(workers int, now time.Time) time.Duration {
	return max(0, c.level-now.Sub(c.at)*time.Duration(workers)/2)
}

// isSpent says whether nothing is left.
func (c *liveCredit) isSpent(workers int, now time.Time) bool {
	return c.owedTime(workers, now) > liveBurst*time.Duration(workers)
}

// queueTicket is the place of an admitted request in the queue.
type queueTicket struct {
	priority QueuePriority
	key      *usageAccount // its parent is the organization's
	due      time.Duration
	price    float64 // seconds of sound that it decodes to
	spent    time.Duration
}

// atPriority is the same request's place for work of another priority.
func (t *queueTicket) atPriority(p QueuePriority) *queueTicket {
	return &queueTicket{priority: p, key: t.key, due: t.due}
}

// priorityClass is the priority among organizations.
func (t *queueTicket) priorityClass(workers int, now time.Time) QueuePriority {
	if t.priority < Upload && t.key.parent.live.isSpent(workers, now) {
		return Upload
	}
	return t.priority
}

// compareTickets orders requests that wait: negative if a goes first.
func compareTickets(a, b *queueTicket, workers int, now time.Time) int {
	return cmp.Or(
		cmp.Compare(a.priorityClass(workers, now), b.priorityClass(workers, now)),
		cmp.Compare(a.key.parent.used, b.key.parent.used),
		cmp.Compare(a.priority, b.priority),
		cmp.Compare(a.key.used, b.key.used),
		cmp.Compare(a.due, b.due),
	)
}
