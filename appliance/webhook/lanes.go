package webhook

import "time"

// slowAfter is how long a try takes that makes its receiver a slow one.
const slowAfter = 2 * time.Second

// verdict is what is learned of a receiver when its try ended.
type verdict struct {
	org  string
	slow bool
}

// lanes are the places for tries: one an organization, half of them at most for slow ones, so that receivers that
// answer find a place however many do not. They belong to one goroutine; only ended is sent to by others.
type lanes struct {
	places int
	busy   map[string]bool // organizations with a try on its way; true for those that were slow when it began
	slow   map[string]bool // organizations whose last try failed or took long
	crawl  int             // how many of busy are true
	ended  chan verdict
}

func newLanes(places int) *lanes {
	return &lanes{
		places: places, busy: map[string]bool{}, slow: map[string]bool{},
		ended: make(chan verdict, places), // nobody waits to say so
	}
}

// free says whether there is a place at all.
func (l *lanes) free() bool { return len(l.busy) < l.places }

// skip says whether there is no place for an organization's try.
func (l *lanes) skip(org string) bool {
	if _, busy := l.busy[org]; busy {
		return true
	}
	return !l.free() || l.slow[org] && l.crawl >= max(1, l.places/2)
}

// take gives an organization a place; false when there is none.
func (l *lanes) take(org string) bool {
	if l.skip(org) {
		return false
	}
	if l.busy[org] = l.slow[org]; l.slow[org] {
		l.crawl++
	}
	return true
}

// settle gives a place back.
func (l *lanes) settle(v verdict) {
	if l.busy[v.org] {
		l.crawl--
	}
	delete(l.busy, v.org)
	if delete(l.slow, v.org); v.slow {
		l.slow[v.org] = true
	}
}

// drain settles what else has ended.
func (l *lanes) drain() {
	for {
		select {
		case v := <-l.ended:
			l.settle(v)
		default:
			return
		}
	}
}
