package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"munadi/store/delivery"
	"munadi/store/record"
)

// DueDeliveries implements [store.OutboxStore] for the deliveries that this appliance owns.
func (s *PostgresStore) DueDeliveries(
	ctx context.Context, room func(orgID string) int, busy func(id string) bool, now time.Time, limit int,
) (found []delivery.Delivery, next time.Time, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT o.id FROM organizations o WHERE EXISTS (SELECT 1 FROM deliveries d " +
			"WHERE d.org = o.id AND d.state = 'pending')")
		if err != nil {
			return err
		}
		ids, err := collectText(rows)
		if err != nil {
			return err
		}
		var due []record.DeliveryRecord
		for _, orgID := range ids {
			free := min(room(orgID), limit)
			if free <= 0 {
				continue
			}
			some, later, err := dueOf(e, orgID, busy, now, free)
			if err != nil {
				return err
			}
			due, next = append(due, some...), record.EarliestTime(next, later)
		}
		slices.SortStableFunc(due, func(a, b record.DeliveryRecord) int {
			return cmp.Or(a.Delivery.NextAt.Compare(b.Delivery.NextAt), cmp.Compare(a.Place, b.Place))
		})
		for _, r := range due[:min(len(due), max(limit, 0))] {
			found = append(found, r.Delivery)
		}
		return nil
	})
	return found, next, err
}

// dueOf returns the first deliveries of an organization that are due and not in flight, those of calls before tests
// and redeliveries, and the time of the first one that is not due yet.
func dueOf(
	e *dbTx, orgID string, busy func(id string) bool, now time.Time, wanted int,
) (found []record.DeliveryRecord, next time.Time, err error) {
	all, err := deliveries.listFirst(e, wanted+maxInFlight, "WHERE org = $1 AND state = 'pending' AND next_at <= $2 "+
		"AND owner = $3 ORDER BY lane, next_at, place, id", orgID, unixNanos(now), e.appliance)
	if err != nil {
		return nil, next, err
	}
	for _, r := range all {
		if len(found) < wanted && (busy == nil || !busy(r.Delivery.ID)) {
			found = append(found, r)
		}
	}
	var at *int64
	_, err = e.scanRow("SELECT min(next_at) FROM deliveries WHERE org = $1 AND state = 'pending' AND next_at > $2 "+
		"AND owner = $3", []any{orgID, unixNanos(now), e.appliance}, &at)
	return found, timeOf(at), err
}
