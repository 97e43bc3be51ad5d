package records

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	deliveriesByRank  = &driver.Index{Kind: "delivery-made", Parts: []string{"org", "rank", "id"}}
	deliveriesByState = &driver.Index{Kind: "delivery-state", Parts: []string{"org", "state", "rank", "id"}}
	deliveriesOfCall  = &driver.Index{
		Kind: "delivery-of", Parts: []string{"org", "call"}, Value: []string{"id"},
		Only: []driver.Condition{{Column: "kind", Value: string(delivery.CallEnded)}},
	}
	deliveriesDue = &driver.Index{
		Kind: "delivery-due", Parts: []string{"org", "lane", "next_at", "place", "id"}, Partition: 2, Queue: true,
		Only: []driver.Condition{{Column: "state", Value: string(delivery.Pending)}},
	}

	deliveries = declareKind(driver.Table{
		Kind: "delivery", Name: "deliveries", Key: []string{"org", "id"},
		Columns: []string{"call", "kind", "state", "rank", "lane", "place", "next_at"},
		Numbers: []string{"rank", "place", "next_at"},
		Indexes: []*driver.Index{deliveriesByRank, deliveriesByState, deliveriesOfCall, deliveriesDue},
		Owned:   true, Counter: "delivery-rank", Ranked: []string{"rank", "place"},
	}, func(r record.DeliveryRecord) []any {
		d := r.Delivery
		return []any{
			d.CallID, string(d.Kind), string(d.State), int64(r.Rank), r.Lane, int64(r.Place), record.UnixNanos(d.NextAt),
		}
	}, func(key []string) error {
		return store.Errorf(store.CodeNotFound, "there is no delivery %q", key[1])
	})
)

// EnqueueDelivery appends a pending delivery to a lane.
func EnqueueDelivery(tx driver.Tx, d delivery.Delivery, lane string) error {
	rank, err := tx.NextRank(deliveries.Table, []string{d.OrgID})
	if err != nil {
		return err
	}
	tx.Announce(store.OutboxChanged)
	r := record.DeliveryRecord{Delivery: d, Rank: rank, Lane: lane, Place: rank}
	return deliveries.add(tx, r, "there is already a delivery \""+d.ID+"\"", d.OrgID, d.ID)
}

// AddDelivery implements [store.OutboxStore].
func (s *Records) AddDelivery(ctx context.Context, d delivery.Delivery, actor string) error {
	if !record.IsKeyPart(d.ID) || !record.IsKeyPart(d.CallID) || d.State != delivery.Pending || len(d.Tries) > 0 {
		return store.Errorf(store.CodeInvalid,
			"a new delivery must be pending and without attempts, and its ids must not contain '/'")
	}
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		if err := needOrganization(tx, d.OrgID); err != nil {
			return audited{}, err
		}
		entry := store.AuditEntry{At: d.CreatedAt, Actor: actor, Action: "webhook.test", Subject: d.ID}
		return audited{d.OrgID, entry}, EnqueueDelivery(tx, d, record.LaneOfPersons)
	})
}

// saveDelivery writes a changed delivery.
func saveDelivery(tx driver.Tx, before, after record.DeliveryRecord) error {
	tx.Announce(store.OutboxChanged)
	return deliveries.replace(tx, before, after, after.Delivery.OrgID, after.Delivery.ID)
}

// RecordTry implements [store.OutboxStore]. For a call whose person was erased no bodies are stored, not even of an
// attempt that was in flight.
func (s *Records) RecordTry(
	ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time,
) (d delivery.Delivery, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		before, err := deliveries.lock(tx, orgID, id)
		if err != nil {
			return err
		}
		erased, err := isErased(tx, before.Delivery)
		if err != nil {
			return err
		}
		tx.MarkUrgent() // an unrecorded attempt would be repeated
		after := before
		if err := after.RecordTry(t, erased, now); err != nil {
			return err
		}
		d = after.Delivery
		return saveDelivery(tx, before, after)
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return d, nil
}

// isErased reports whether a delivery belongs to a call whose person was erased. A call that cannot be read counts as
// erased, to be safe.
func isErased(tx driver.Tx, d delivery.Delivery) (bool, error) {
	if d.Kind != delivery.CallEnded {
		return false, nil
	}
	r, found, err := calls.find(tx, d.OrgID, d.CallID)
	if store.CodeOf(err) == store.CodeCorrupt {
		return true, nil
	}
	return found && r.Call.ErasedAt != nil, err
}

// RedeliverWebhook implements [store.OutboxStore]. The appliance that received the request becomes the owner.
func (s *Records) RedeliverWebhook(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (d delivery.Delivery, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		before, err := deliveries.lock(tx, orgID, id)
		if err != nil {
			return done, err
		}
		after := before
		if err = after.BeginAgain(now); err == nil {
			after.Place, err = tx.NextRank(deliveries.Table, []string{orgID})
		}
		if err == nil {
			err = saveDelivery(tx, before, after)
		}
		if err != nil {
			return done, err
		}
		d = after.Delivery
		entry := store.AuditEntry{At: now, Actor: actor, Action: "delivery.redeliver", Subject: id}
		return audited{orgID, entry}, tx.Own(deliveries.Table, []string{orgID, id})
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return d, nil
}

// eraseDeliveries removes personal data from the deliveries of the end of a call, as it was before its own erasure;
// those that cannot be read stay.
func eraseDeliveries(tx driver.Tx, c call.Call) error {
	q := ofCall(c.OrgID, c.ID)
	q.Lock = true
	return deliveries.visit(tx, q, func(_ driver.Row, before record.DeliveryRecord) (bool, error) {
		return true, saveDelivery(tx, before, before.ErasePersonalData(c.PhoneNumber))
	})
}

// ofCall selects the deliveries of a call's end: a corrected outcome has a second one in a shared database.
func ofCall(orgID, callID string) driver.Query {
	return driver.Query{Index: deliveriesOfCall, Equal: []any{orgID, callID}}
}

// DeliveryOf implements [store.OutboxStore].
func (s *Records) DeliveryOf(ctx context.Context, orgID, callID string) (of *delivery.Delivery, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		of = nil
		newest := uint64(0)
		return deliveries.visitAll(tx, ofCall(orgID, callID), func(row driver.Row, r record.DeliveryRecord) (bool, error) {
			if row.Err == nil && (of == nil || r.Rank > newest) {
				of, newest = &r.Delivery, r.Rank
			}
			return true, row.Err
		})
	})
	return of, err
}

// FindDelivery implements [store.OutboxStore].
func (s *Records) FindDelivery(ctx context.Context, orgID, id string) (delivery.Delivery, error) {
	r, err := read(ctx, s, func(tx driver.Tx) (record.DeliveryRecord, error) { return deliveries.need(tx, orgID, id) })
	return r.Delivery, err
}

// ListDeliveries implements [store.OutboxStore].
func (s *Records) ListDeliveries(
	ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
) (store.ListPage[delivery.Delivery], error) {
	q := driver.Query{Index: deliveriesByRank, Equal: []any{orgID}, Latest: true}
	if state != "" {
		q = driver.Query{Index: deliveriesByState, Equal: []any{orgID, string(state)}, Latest: true}
	}
	found, err := read(ctx, s, func(tx driver.Tx) (store.ListPage[record.DeliveryRecord], error) {
		return deliveries.page(tx, q, []string{"deliveries", orgID, string(state)}, limit, cursor)
	})
	return mapPage(found, func(r record.DeliveryRecord) delivery.Delivery { return r.Delivery }), err
}

// DueDeliveries implements [store.OutboxStore], for the deliveries that this appliance owns. Those of calls come first.
func (s *Records) DueDeliveries(
	ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	due, next, err := dueOfReceivers(ctx, s, deliveries, deliveriesDue, 0, room, busy, now, limit)
	slices.SortStableFunc(due, func(a, b record.DeliveryRecord) int {
		return cmp.Or(a.Delivery.NextAt.Compare(b.Delivery.NextAt), cmp.Compare(a.Place, b.Place),
			cmp.Compare(a.Lane+a.Delivery.OrgID, b.Lane+b.Delivery.OrgID))
	})
	for _, r := range due[:min(len(due), max(limit, 0))] {
		found = append(found, r.Delivery)
	}
	return found, next, err
}

// dueOfReceivers returns the due rows of an outbox that this appliance owns, as many of each receiver as room returns,
// which is asked once for each. The receiver is a part of the key; busy gets the key from there, without an
// organization.
func dueOfReceivers[T any](
	ctx context.Context, s *Records, k kindOf[T], queue *driver.Index, receiver int, room func(string) int,
	busy func(string) bool, now time.Time, limit int,
) (due []T, next time.Time, err error) {
	free := map[string]int{}
	rows, next, err := s.db.Due(ctx, driver.DueQuery{
		Table: k.Table, Index: queue, Owner: driver.ThisOwner, Now: now, Limit: max(limit, 0),
		Room: func(_ driver.Tx, partition []string) (int, error) {
			to := partition[receiver]
			if _, asked := free[to]; !asked {
				free[to] = room(to)
			}
			return free[to], nil
		},
		Skip: func(key []string) bool { return busy != nil && busy(strings.Join(key[1:], "/")) },
	})
	for _, row := range rows {
		to := row.Key[receiver]
		if free[to]--; free[to] >= 0 {
			due = append(due, k.decode(row))
		}
	}
	return due, next, err
}
