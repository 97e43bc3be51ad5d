package scheduler

import (
	"sync"
	"time"

	"munadi/store/call"
)

// restFor is how long a call rests that could not be judged or released for a reason of ours.
const restFor = 30 * time.Second

// lineTable is who holds which line. A line is held from the decision to release a call until its outcome is kept.
type lineTable struct {
	freed   chan struct{} // a token after a line came free
	running sync.WaitGroup

	mu      sync.Mutex
	holders map[string]*lineHolder // by call
	resting map[string]restingCall // by call
}

// lineHolder is a call with a line.
type lineHolder struct {
	org, number string
	released    bool // no longer scheduled
}

// restingCall is a call that is left alone for a while.
type restingCall struct {
	org   string
	until time.Time
}

func newLines() lineTable {
	return lineTable{freed: make(chan struct{}, 1), holders: map[string]*lineHolder{}, resting: map[string]restingCall{}}
}

func (l *lineTable) heldLines() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.holders)
}

// takeLine gives a line to a call.
func (l *lineTable) takeLine(c call.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[c.ID] = &lineHolder{org: c.OrgID, number: c.PhoneNumber}
	l.running.Add(1)
}

// markReleased says that the call is no longer among the due ones.
func (l *lineTable) markReleased(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[id].released = true
}

// freeLine gives the line back.
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

// restCall leaves a call alone for a while.
func (l *lineTable) restCall(c call.Call, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resting[c.ID] = restingCall{c.OrgID, now.Add(restFor)}
}

// organizationLines counts the lines of an organization other than the call's own.
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

// lineView is what a pass sees of the lines when it asks what is due.
type lineView struct {
	held    map[string]int         // lines by organization
	passed  map[string]struct{}    // due calls that are to be passed over
	skips   map[string]int         // how many of them an organization has
	numbers map[personKey]struct{} // who is being called: a second call to a number waits for the first to end
}

// personKey is a number of an organization.
type personKey struct{ org, number string }

// snapshotLines makes a view, and wakes the calls that have rested.
func (l *lineTable) snapshotLines(now time.Time) lineView {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := lineView{
		held: map[string]int{}, passed: map[string]struct{}{}, skips: map[string]int{}, numbers: map[personKey]struct{}{},
	}
	for id, h := range l.holders {
		v.held[h.org]++
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
