package webhook

import (
	"time"

	"munadi/store/delivery"
)

const (
	// slowAfter is the duration of an attempt from which its receiver counts as slow.
	slowAfter = 2 * time.Second
	// perReceiver limits the concurrent attempts of one receiver: an organization's webhook, or a destination.
	perReceiver = 8
)

// tryVerdict is the result of an attempt for the scheduling of its receiver.
type tryVerdict struct {
	of   delivery.Delivery
	slow bool
}

// deliveryLanes are the concurrency slots: [perReceiver] for each receiver, one for each subject of events, and at most
// half of all for slow receivers (bulkhead), so that responsive receivers always find one. They belong to one
// goroutine; others only send to ended.
type deliveryLanes struct {
	places  int
	flying  map[string]bool // deliveries in flight, by key; true where the receiver was slow at the start
	running map[string]int  // by receiver: its attempts in flight
	slow    map[string]bool // receivers whose last attempt failed or was slow
	crawl   int             // number of true values in flying
	// subjects are the calls, campaigns and jobs with an event in flight, by destination, with the keys of the due events
	// that wait for its end: their events go in order.
	subjects map[string][]string
	held     map[string]bool // the keys that wait in subjects
	ended    chan tryVerdict
}

func newLanes(places int) *deliveryLanes {
	return &deliveryLanes{
		places: places, flying: map[string]bool{}, running: map[string]int{}, slow: map[string]bool{},
		subjects: map[string][]string{}, held: map[string]bool{},
		ended: make(chan tryVerdict, places), // buffered: senders never block
	}
}

// freePlaces returns the number of free slots.
func (l *deliveryLanes) freePlaces() int { return l.places - len(l.flying) }

// isBusy reports whether the delivery of a key is in flight, or held back.
func (l *deliveryLanes) isBusy(key string) bool {
	_, flying := l.flying[key]
	return flying || l.held[key]
}

// holdBack holds an event back while another one of its subject is in flight, and reports whether it did.
func (l *deliveryLanes) holdBack(d delivery.Delivery) bool {
	subject := subjectOf(d)
	waiting, flying := l.subjects[subject]
	if flying {
		l.subjects[subject] = append(waiting, d.Key())
		l.held[d.Key()] = true
	}
	return flying
}

// roomFor returns how many more attempts of a receiver may run.
func (l *deliveryLanes) roomFor(receiver string) int {
	room := min(perReceiver-l.running[receiver], l.freePlaces())
	if l.slow[receiver] {
		room = min(room, max(1, l.places/2)-l.crawl)
	}
	return max(room, 0)
}

// takePlace takes a slot for an attempt; false when there is none.
func (l *deliveryLanes) takePlace(d delivery.Delivery) bool {
	receiver := d.Receiver()
	if l.roomFor(receiver) == 0 {
		return false
	}
	l.running[receiver]++
	if l.flying[d.Key()] = l.slow[receiver]; l.slow[receiver] {
		l.crawl++
	}
	if subject := subjectOf(d); subject != "" {
		l.subjects[subject] = nil
	}
	return true
}

// subjectOf identifies what the events of one order are about, by destination; empty for a notification of a webhook.
func subjectOf(d delivery.Delivery) string {
	if d.Destination == "" {
		return ""
	}
	return delivery.EventKey(d.Destination, d.CallID)
}

// releaseLane frees a slot.
func (l *deliveryLanes) releaseLane(v tryVerdict) {
	key, receiver := v.of.Key(), v.of.Receiver()
	if l.flying[key] {
		l.crawl--
	}
	delete(l.flying, key)
	for _, waiting := range l.subjects[subjectOf(v.of)] {
		delete(l.held, waiting)
	}
	delete(l.subjects, subjectOf(v.of))
	if l.running[receiver]--; l.running[receiver] == 0 {
		delete(l.running, receiver)
	}
	if delete(l.slow, receiver); v.slow {
		l.slow[receiver] = true
	}
}
