package scheduler

import (
	"sync"
	"time"

	"munadi/store/call"
)

// restFor is how long a call is skipped after an internal error in its decision or release.
const restFor = 30 * time.Second

// lineTable records which call holds which line. A line is held from the decision to release a call until its outcome
// is stored.
type lineTable struct {
	freed   chan struct{} // a token after a line was freed
	running sync.WaitGroup

	mu      sync.Mutex
	holders map[string]*lineHolder // by call id
	open    bool                   // inbound calls get lines
	resting map[string]restingCall // by call id
}

// lineHolder is a call with a line.
type lineHolder struct {
	org, campaign, number string
	released              bool // no longer scheduled
	inbound               bool // a call that came in, no leg to a member of staff
}

// restingCall is a call that is skipped for a while.
type restingCall struct {
	org   string
	until time.Time
}

func newLineTable() lineTable {
	return lineTable{freed: make(chan struct{}, 1), holders: map[string]*lineHolder{}, resting: map[string]restingCall{}}
}

func (l *lineTable) heldLines() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.holders)
}

// takenFromOutbound counts the lines that are held, or reserved for inbound calls and not held by any.
func (l *lineTable) takenFromOutbound(reserved int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.holders {
		if h.inbound {
			reserved--
		}
	}
	return len(l.holders) + max(reserved, 0)
}

func (l *lineTable) holdsLine(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holders[id] != nil
}

// takeLine assigns a line to a call.
func (l *lineTable) takeLine(c call.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[c.ID] = &lineHolder{org: c.OrgID, campaign: c.CampaignID, number: c.PhoneNumber}
	l.running.Add(1)
}

// takeInboundLine assigns a line to a call that comes in, or a further leg of a call, if fewer than limit are held.
func (l *lineTable) takeInboundLine(c call.Call, limit int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.open:
		return ErrNotReady
	case len(l.holders) >= limit:
		return ErrNoLine
	}
	l.holders[c.ID] = &lineHolder{org: c.OrgID, number: c.PhoneNumber, released: true, inbound: c.Way() == call.Inbound}
	l.running.Add(1)
	return nil
}

// setOpen says whether inbound calls get lines.
func (l *lineTable) setOpen(open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = open
}

// markReleased marks the call as released: it has left the due queue.
func (l *lineTable) markReleased(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[id].released = true
}

// freeLine frees a call's line.
func (l *lineTable) freeLine(id string) {
	l.mu.Lock()
	delete(l.holders, id)
	l.mu.Unlock()
	select {
	case l.freed <- struct{}{}:
	default:
	}
	l.running.Done()
}

// restCall skips a call for [restFor].
func (l *lineTable) restCall(c call.Call, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resting[c.ID] = restingCall{c.OrgID, now.Add(restFor)}
}

// organizationLines counts an organization's lines, without the call's own.
func (l *lineTable) organizationLines(orgID, but string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for id, h := range l.holders {
		if h.org == orgID && id != but {
			n++
		}
	}
	return n
}

// lineView is a snapshot of the lines for one query of due calls.
type lineView struct {
	held        map[string]int         // lines by organization
	inUse       map[string]int         // lines by campaign
	passed      map[string]struct{}    // due calls to skip
	skips       map[string]int         // how many of them an organization has
	heldNumbers []string               // of the calls that hold a line
	numbers     map[personKey]struct{} // numbers being called: a second call to a number waits for the first to end
}

// personKey is a number of an organization.
type personKey struct{ org, number string }

// snapshotLines returns a view of the lines, and ends expired back-offs of skipped calls.
func (l *lineTable) snapshotLines(now time.Time) lineView {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := lineView{
		held:    map[string]int{},
		inUse:   map[string]int{},
		passed:  map[string]struct{}{},
		skips:   map[string]int{},
		numbers: map[personKey]struct{}{},
	}
	for id, h := range l.holders {
		v.held[h.org]++
		v.inUse[h.campaign]++
		v.heldNumbers = append(v.heldNumbers, h.number)
		v.numbers[personKey{h.org, h.number}] = struct{}{}
		if !h.released {
			v.skipCall(id, h.org)
		}
	}
	for id, r := range l.resting {
		if left := r.until.Sub(now); left <= 0 || left > restFor { // or the clock was set back
			delete(l.resting, id)
			continue
		}
		v.skipCall(id, r.org)
	}
	return v
}

func (v lineView) skipCall(id, org string) {
	v.passed[id] = struct{}{}
	v.skips[org]++
}

// orderFairly orders due calls by fair queuing across organizations: next is always the first call of the organization
// that would then hold the fewest lines, and among equals the earliest. due is sorted by time; held is not changed.
func orderFairly(due []call.Call, held map[string]int) []call.Call {
	queues, lines := map[string][]call.Call{}, map[string]int{}
	var orgs []string // by their earliest call
	for _, c := range due {
		if _, known := queues[c.OrgID]; !known {
			orgs = append(orgs, c.OrgID)
			lines[c.OrgID] = held[c.OrgID]
		}
		queues[c.OrgID] = append(queues[c.OrgID], c)
	}
	if len(orgs) < 2 {
		return due
	}
	order := make([]call.Call, 0, len(due))
	for len(order) < len(due) {
		best := ""
		for _, org := range orgs {
			if len(queues[org]) > 0 && (best == "" || isServedBefore(org, best, queues, lines)) {
				best = org
			}
		}
		order = append(order, queues[best][0])
		queues[best] = queues[best][1:]
		lines[best]++
	}
	return order
}

func isServedBefore(a, b string, queues map[string][]call.Call, lines map[string]int) bool {
	if lines[a] != lines[b] {
		return lines[a] < lines[b]
	}
	return queues[a][0].ScheduledAt.Before(queues[b][0].ScheduledAt)
}
