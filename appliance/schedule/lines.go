package schedule

import (
	"sync"
	"time"

	"munadi/store/call"
)

// restFor is how long a call rests that could not be judged or released for a reason of ours.
const restFor = 30 * time.Second

// lines is who holds which line. A line is held from the decision to release a call until its outcome is kept.
type lines struct {
	freed   chan struct{} // a token after a line came free
	running sync.WaitGroup

	mu      sync.Mutex
	holders map[string]*holder // by call
	resting map[string]rester  // by call
}

// holder is a call with a line.
type holder struct {
	org, number string
	released    bool // no longer scheduled
}

// rester is a call that is left alone for a while.
type rester struct {
	org   string
	until time.Time
}

func newLines() lines {
	return lines{freed: make(chan struct{}, 1), holders: map[string]*holder{}, resting: map[string]rester{}}
}

func (l *lines) held() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.holders)
}

// take gives a line to a call.
func (l *lines) take(c call.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[c.ID] = &holder{org: c.OrgID, number: c.PhoneNumber}
	l.running.Add(1)
}

// released says that the call is no longer among the due ones.
func (l *lines) released(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[id].released = true
}

// free gives the line back.
func (l *lines) free(id string) {
	l.mu.Lock()
	delete(l.holders, id)
	l.mu.Unlock()
	select {
	case l.freed <- struct{}{}:
	default:
	}
	l.running.Done()
}

// rest leaves a call alone for a while.
func (l *lines) rest(c call.Call, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resting[c.ID] = rester{c.OrgID, now.Add(restFor)}
}

// of counts the lines of an organization other than the call's own.
func (l *lines) of(orgID, but string) int {
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

// view is what a pass sees of the lines when it asks what is due.
type view struct {
	held    map[string]int      // lines by organization
	passed  map[string]struct{} // due calls that are to be passed over
	skips   map[string]int      // how many of them an organization has
	numbers map[person]struct{} // who is being called: a second call to a number waits for the first to end
}

// person is a number of an organization.
type person struct{ org, number string }

// look makes a view, and wakes the calls that have rested.
func (l *lines) look(now time.Time) view {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := view{
		held: map[string]int{}, passed: map[string]struct{}{}, skips: map[string]int{}, numbers: map[person]struct{}{},
	}
	for id, h := range l.holders {
		v.held[h.org]++
		v.numbers[person{h.org, h.number}] = struct{}{}
		if !h.released {
			v.pass(id, h.org)
		}
	}
	for id, r := range l.resting {
		if left := r.until.Sub(now); left <= 0 || left > restFor { // or the clock was set back
			delete(l.resting, id)
			continue
		}
		v.pass(id, r.org)
	}
	return v
}

func (v view) pass(id, org string) {
	v.passed[id] = struct{}{}
	v.skips[org]++
}
