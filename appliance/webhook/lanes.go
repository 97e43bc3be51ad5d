package webhook

import "time"

const (
	// slowAfter is how long a try takes that makes its receiver a slow one.
	slowAfter = 2 * time.Second
	// perOrganization bounds the tries of one organization that run side by side.
	perOrganization = 8
)

// tryVerdict is what is learned of a receiver when its try ended.
type tryVerdict struct {
	org, id string
	slow    bool
}

// deliveryLanes are the places for tries: [perOrganization] for each organization, and half of all at most for receivers that
// are slow, so that receivers that answer find a place however many do not. They belong to one goroutine; only ended is
// sent to by others.
type deliveryLanes struct {
	places  int
	flying  map[string]bool // deliveries on their way, by id; true where the receiver was slow when the try began
	running map[string]int  // by organization: its tries on their way
	slow    map[string]bool // organizations whose last try failed or took long
	crawl   int             // how many of flying are true
	ended   chan tryVerdict
}

func newLanes(places int) *deliveryLanes {
	return &deliveryLanes{
		places: places, flying: map[string]bool{}, running: map[string]int{}, slow: map[string]bool{},
		ended: make(chan tryVerdict, places), // nobody waits to say so
	}
}

// freePlaces is how many more tries may run.
func (l *deliveryLanes) freePlaces() int { return l.places - len(l.flying) }

// isFlying says whether a delivery is on its way.
func (l *deliveryLanes) isFlying(id string) bool {
	_, flying := l.flying[id]
	return flying
}

// roomFor is how many more tries of an organization may run.
func (l *deliveryLanes) roomFor(org string) int {
	room := min(perOrganization-l.running[org], l.freePlaces())
	if l.slow[org] {
		room = min(room, max(1, l.places/2)-l.crawl)
	}
	return max(room, 0)
}

// takePlace gives a try of an organization a place; false when there is none.
func (l *deliveryLanes) takePlace(org, id string) bool {
	if l.roomFor(org) == 0 {
		return false
	}
	l.running[org]++
	if l.flying[id] = l.slow[org]; l.slow[org] {
		l.crawl++
	}
	return true
}

// releaseLane gives a place back.
func (l *deliveryLanes) releaseLane(v tryVerdict) {
	if l.flying[v.id] {
		l.crawl--
	}
	delete(l.flying, v.id)
	if l.running[v.org]--; l.running[v.org] == 0 {
		delete(l.running, v.org)
	}
	if delete(l.slow, v.org); v.slow {
		l.slow[v.org] = true
	}
}

// drainVerdicts settles what else has ended.
func (l *deliveryLanes) drainVerdicts() {
	for {
		select {
		case v := <-l.ended:
			l.releaseLane(v)
		default:
			return
		}
	}
}
