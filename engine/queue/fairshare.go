package queue

import (
	"cmp"
	"time"
)

// Fair queuing by CPU time (start-time fair queuing, Goyal et al. 1996): among waiting organizations, the one with the
// least used decoding time is next; the same among its keys; among a key's requests the one with the earliest estimated
// end: a request that has taken longer than its length predicts falls behind. An account that was idle restarts at the
// others' level, so idling earns no credit.

// usageAccount is the accounted usage of an organization or key.
type usageAccount struct {
	parent   *usageAccount
	children map[string]*usageAccount
	floor    time.Duration // start value of a new child: the usage of the one served last (virtual time)
	used     time.Duration // time held, relative to the parent's floor
	requests int           // admitted requests, over all priorities
	admitted [Batch + 1]int
	live     liveCredit // of an organization: credit of its live speech over other organizations' uploads
}

// enterRequest adds a request to the child of that name and returns the child.
func (a *usageAccount) enterRequest(name string) *usageAccount {
	if a.requests == 0 && a.parent == nil {
		a.children, a.floor = nil, 0 // idle: reset
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
		c = &usageAccount{parent: a, used: a.floor}
		a.children[name] = c
	}
	if c.requests == 0 {
		c.used = max(c.used, a.floor)
	}
	c.requests++
	return c
}

// noteServed records that a was served: the floors (virtual time) above it rise to the usage served.
func (a *usageAccount) noteServed() {
	for ; a.parent != nil; a = a.parent {
		a.parent.floor = max(a.parent.floor, a.used)
	}
}

// chargeTime adds used time to the account and to all above it.
func (a *usageAccount) chargeTime(d time.Duration) {
	for ; a != nil; a = a.parent {
		a.used += d
	}
}

// liveCredit is a leaky bucket: live speech of an organization is served before other organizations' uploads until it
// has used half of the machine for a while; beyond that it shares equally.
type liveCredit struct {
	level time.Duration
	at    time.Time
}

// liveBurst is the bucket size: time per worker that an organization's live speech may use at once.
const liveBurst = 2 * time.Second

// useCredit adds d to the bucket, which drains at half the workers' speed.
func (c *liveCredit) useCredit(d time.Duration, workers int, now time.Time) {
	c.level = c.owedTime(workers, now) + d
	c.at = now
}

func (c *liveCredit) owedTime(workers int, now time.Time) time.Duration {
	return max(0, c.level-now.Sub(c.at)*time.Duration(workers)/2)
}

// isSpent reports whether the bucket is full.
func (c *liveCredit) isSpent(workers int, now time.Time) bool {
	return c.owedTime(workers, now) > liveBurst*time.Duration(workers)
}

// QueueTicket is an admitted request's position in the queue.
type QueueTicket struct {
	priority Priority
	key      *usageAccount // its parent is the organization's
	due      time.Duration // usage of the key at which it would finish
	expected time.Duration // decoding time estimated from its price
	price    float64       // seconds of audio
	spent    time.Duration
}

// overrunDelay is the most by which a request that takes longer than expected is put back, in usage of its key.
const overrunDelay = 100 * time.Millisecond

// noteOverrun puts an upload or a job that has taken longer than expected, such as a search with extreme parameters,
// behind its key's next short request. Otherwise its due would stay in the past, ahead of all later requests.
func (t *QueueTicket) noteOverrun() {
	if over := t.spent - t.expected; over > 0 && t.priority >= Upload {
		t.due = max(t.due, t.key.used+min(over, overrunDelay))
	}
}

// TimeSpent returns the time for which the request has held permits.
func (t *QueueTicket) TimeSpent() time.Duration { return t.spent }

// AtPriority returns the same request's position for work of another priority.
func (t *QueueTicket) AtPriority(p Priority) *QueueTicket {
	return &QueueTicket{priority: p, key: t.key, due: t.due, expected: t.expected}
}

// priorityClass returns the priority relative to other organizations.
func (t *QueueTicket) priorityClass(workers int, now time.Time) Priority {
	if t.priority < Upload && t.key.parent.live.isSpent(workers, now) {
		return Upload
	}
	return t.priority
}

// compareTickets orders waiting requests: negative if a goes first.
func compareTickets(a, b *QueueTicket, workers int, now time.Time) int {
	return cmp.Or(
		cmp.Compare(a.priorityClass(workers, now), b.priorityClass(workers, now)),
		cmp.Compare(a.key.parent.used, b.key.parent.used),
		cmp.Compare(a.priority, b.priority),
		cmp.Compare(a.key.used, b.key.used),
		cmp.Compare(a.due, b.due),
	)
}
