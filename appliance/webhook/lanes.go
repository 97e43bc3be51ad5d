package webhook

import "time"

const (
	// slowAfter is the duration of an attempt from which its receiver counts as slow.
	slowAfter = 2 * time.Second
	// perOrganization limits the concurrent attempts of one organization.
	perOrganization = 8
)

// tryVerdict is the result of an attempt for the scheduling of its receiver.
type tryVerdict struct {
	org, id string
	slow    bool
}

// deliveryLanes are the concurrency slots: [perOrganization] for each organization, and at most half of all for slow
// receivers (bulkhead), so that responsive receivers always find one. They belong to one goroutine; others only send to
// ended.
type deliveryLanes struct {
	places  int
	flying  map[string]bool // deliveries in flight, by id; true where the receiver was slow at the start
	running map[string]int  // by organization: its attempts in flight
	slow    map[string]bool // organizations whose last attempt failed or was slow
	crawl   int             // number of true values in flying
	ended   chan tryVerdict
}

func newLanes(places int) *deliveryLanes {
	return &deliveryLanes{
		places: places, flying: map[string]bool{}, running: map[string]int{}, slow: map[string]bool{},
		ended: make(chan tryVerdict, places), // buffered: senders never block
	}
}

// freePlaces returns the number of free slots.
func (l *deliveryLanes) freePlaces() int { return l.places - len(l.flying) }

// isInFlight reports whether a delivery is in flight.
func (l *deliveryLanes) isInFlight(id string) bool {
	_, flying := l.flying[id]
	return flying
}

// roomFor returns how many more attempts of an organization may run.
func (l *deliveryLanes) roomFor(org string) int {
	room := min(perOrganization-l.running[org], l.freePlaces())
	if l.slow[org] {
		room = min(room, max(1, l.places/2)-l.crawl)
	}
	return max(room, 0)
}

// takePlace takes a slot for an organization's attempt; false when there is none.
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

// releaseLane frees a slot.
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

// drainVerdicts handles the attempts that have ended.
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
