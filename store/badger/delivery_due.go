package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/delivery"
)

// owed is a pending delivery's place among all: its lane first, then its time.
type owed struct{ lane, order, orgID, id string }

// DueDeliveries implements [store.Outbox]. Its cost grows with what it finds and with what busy names, not with what
// waits for its time.
func (s *Store) DueDeliveries(
	ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	reading, first := s.memo.read(), map[string]string{}
	defer func() { s.memo.raise(reading, first) }()
	err = s.read(ctx, func(v view) error {
		var due []owed
		w := v.walk(prefix(kindDeliveryDue))
		defer w.close()
		for orgID, lanes := range byOwner(reading.parts(prefix(kindDeliveryDue))) {
			free := min(room(orgID), limit)
			if free <= 0 {
				continue
			}
			for _, lane := range lanes {
				first[lane] = w.enter(lane, reading.floors[lane])
				some, later := owedIn(w, split(lane, 4)[2], orgID, busy, now, free)
				due = append(due, some...)
				free -= len(some)
				next = earlier(next, later)
			}
		}
		slices.SortFunc(due, func(a, b owed) int { return strings.Compare(a.order+a.lane+a.orgID, b.order+b.lane+b.orgID) })
		for _, d := range due[:min(len(due), max(limit, 0))] {
			r, err := findDelivery(edit{v, &changes{}}, d.orgID, d.id)
			if isUnreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, r.Delivery)
		}
		return nil
	})
	return found, next, err
}

// owedIn are the first deliveries of a lane that are due and not on their way, from where the walk stands, and when the
// first one that is not due becomes so.
func owedIn(
	w *walk, lane, orgID string, busy func(id string) bool, now time.Time, wanted int,
) (found []owed, next time.Time) {
	last := stamp(now)
	for place, ok := w.place(); ok; place, ok = w.next() {
		parts := split(place, 3)
		if parts[0] > last {
			return found, timeOf(parts[0])
		}
		if len(found) == wanted {
			break
		}
		if id := lastPart(place); busy == nil || !busy(id) {
			found = append(found, owed{lane: lane, order: place, orgID: orgID, id: id})
		}
	}
	if place, ok := w.after(last); ok {
		next = timeOf(split(place, 2)[0])
	}
	return found, next
}

// byOwner groups the sorted parts of a queue by the organization that they belong to.
func byOwner(parts []string) func(func(string, []string) bool) {
	owner := func(part string) string { return split(part, 3)[1] }
	return func(yield func(string, []string) bool) {
		for from := 0; from < len(parts); {
			to := from + 1
			for to < len(parts) && owner(parts[to]) == owner(parts[from]) {
				to++
			}
			if !yield(owner(parts[from]), parts[from:to]) {
				return
			}
			from = to
		}
	}
}
