package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/delivery"
	"munadi/store/record"
)

// dueDelivery is a pending delivery and its position in the outbox: time, lane, organization.
type dueDelivery struct {
	order    string
	delivery delivery.Delivery
}

// DueDeliveries implements [store.OutboxStore]. Its cost grows with the due and the busy deliveries, not with the
// backlog of later ones.
func (s *BadgerStore) DueDeliveries(
	ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	reading, first := s.watermarks.beginRead(), map[string]string{}
	defer func() { s.watermarks.raiseWatermarks(reading, first) }()
	var stale staleEntries
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		var due []dueDelivery
		w := v.openWalk(joinPrefix(kindDeliveryDue))
		defer w.closeWalk()
		for orgID, lanes := range groupByOrganization(reading.possibleParts(joinPrefix(kindDeliveryDue))) {
			free := min(room(orgID), limit)
			if free <= 0 {
				continue
			}
			for _, lane := range lanes {
				first[lane] = w.enterPart(lane, reading.floors[lane])
				some, later, err := stale.dueInLane(v, w, busy, now, free)
				if err != nil {
					return err
				}
				due = append(due, some...)
				free -= len(some)
				next = record.EarliestTime(next, later)
			}
		}
		slices.SortFunc(due, func(a, b dueDelivery) int { return strings.Compare(a.order, b.order) })
		for _, d := range due[:min(len(due), max(limit, 0))] {
			found = append(found, d.delivery)
		}
		return nil
	})
	if err == nil {
		err = s.dropStale(ctx, stale)
	}
	return found, next, err
}

// dueInLane returns the first deliveries of a lane that are due and not in flight, from the walk's current position,
// and the time of the first one that is not due yet. Unreadable deliveries and stale entries do not count.
func (s *staleEntries) dueInLane(
	v snapshotView, w *indexWalk, busy func(id string) bool, now time.Time, wanted int,
) (found []dueDelivery, next time.Time, err error) {
	owner := splitKey(string(w.part), 4) // kind, organization, lane
	last := encodeTime(now)
	for place, ok := w.currentPlace(); ok; place, ok = w.nextPlace() {
		parts := splitKey(place, 3)
		if parts[0] > last {
			return found, timeOf(parts[0]), nil
		}
		if len(found) == wanted {
			break
		}
		if busy != nil && busy(lastPart(place)) {
			continue
		}
		r, err := findDelivery(writeTx{v, &changeSet{}}, owner[1], lastPart(place))
		due, err := s.isCurrentEntry(w.currentKey(), r.dueEntry(), err)
		if err != nil {
			return nil, next, err
		}
		if due {
			found = append(found, dueDelivery{order: place + owner[2] + owner[1], delivery: r.Delivery})
		}
	}
	if place, ok := w.seekAfter(last); ok {
		next = timeOf(splitKey(place, 2)[0])
	}
	return found, next, nil
}

// groupByOrganization groups the sorted parts of a queue by organization.
func groupByOrganization(parts []string) func(func(string, []string) bool) {
	owner := func(part string) string { return splitKey(part, 3)[1] }
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
