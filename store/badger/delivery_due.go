package badger

import (
	"context"
	"slices"
	"time"

	"munadi/store/delivery"
)

// owed is the delivery at the head of a lane, and when it is due.
type owed struct {
	orgID, id string
	at        time.Time
}

// DueDeliveries implements [store.Outbox]: one look at the head of each lane, however long it is. Of an organization
// whose calls' lane has its head due, that; else the head of the other lane, if that is due. Longest due first.
func (s *Store) DueDeliveries(
	ctx context.Context, skip func(orgID string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	reading, first := s.memo.read(), map[string]string{}
	defer func() { s.memo.raise(reading, first) }()
	err = s.read(ctx, func(v view) error {
		var ready []owed
		w := v.walk(prefix(kindDeliveryOwed))
		defer w.close()
		for orgID, lanes := range byOwner(reading.parts(prefix(kindDeliveryOwed))) {
			if skip != nil && skip(orgID) {
				continue
			}
			heads, err := headsOf(w, orgID, lanes, reading, first)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(heads, func(h owed) bool { return !h.at.After(now) })
			if i >= 0 {
				ready = append(ready, heads[i])
				continue
			}
			for _, h := range heads {
				next = earlier(next, h.at)
			}
		}
		slices.SortStableFunc(ready, func(a, b owed) int { return a.at.Compare(b.at) })
		if n := max(limit, 0); len(ready) > n {
			next = earlier(next, ready[n].at)
			ready = ready[:n]
		}
		for _, h := range ready {
			r, err := findDelivery(edit{v, &changes{}}, h.orgID, h.id)
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

// headsOf are the heads of an organization's lanes, in the lanes' order.
func headsOf(w *walk, orgID string, lanes []string, reading *reading, first map[string]string) ([]owed, error) {
	var heads []owed
	for _, lane := range lanes {
		first[lane] = w.enter(lane, reading.floors[lane])
		place, ok := w.place()
		if !ok {
			continue
		}
		at, err := w.value()
		if err != nil {
			return nil, err
		}
		heads = append(heads, owed{orgID: orgID, id: lastPart(place), at: timeOf(string(at))})
	}
	return heads, nil
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
