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
	err = s.read(ctx, func(v view) (err error) {
		var ready []owed
		eachOwner(v, prefix(kindDeliveryOwed), func(orgID string, w *walk) {
			if err != nil || skip != nil && skip(orgID) {
				return
			}
			var heads []owed
			if heads, err = headsOf(w, orgID); err != nil {
				return
			}
			i := slices.IndexFunc(heads, func(h owed) bool { return !h.at.After(now) })
			if i >= 0 {
				ready = append(ready, heads[i])
				return
			}
			for _, h := range heads {
				next = earlier(next, h.at)
			}
		})
		if err != nil {
			return err
		}
		slices.SortStableFunc(ready, func(a, b owed) int { return a.at.Compare(b.at) })
		if n := max(limit, 0); len(ready) > n {
			next = earlier(next, ready[n].at)
			ready = ready[:n]
		}
		for _, h := range ready {
			r, err := findDelivery(edit{v, &changes{}}, h.orgID, h.id)
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
func headsOf(w *walk, orgID string) ([]owed, error) {
	var heads []owed
	for place, ok := w.first(); ok; place, ok = w.after(split(place, 2)[0]) {
		at, err := w.value()
		if err != nil {
			return nil, err
		}
		heads = append(heads, owed{orgID: orgID, id: lastPart(place), at: timeOf(string(at))})
	}
	return heads, nil
}
