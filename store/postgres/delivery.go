package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/record"
)

var (
	webhooks   = tableOf[delivery.WebhookSetting]{name: "webhooks", keys: []string{"org"}}
	deliveries = tableOf[record.DeliveryRecord]{
		name: "deliveries", keys: []string{"org", "id"}, owned: true,
		others: []string{"call", "kind", "state", "rank", "lane", "place", "next_at"},
		derive: func(r record.DeliveryRecord) []any {
			d := r.Delivery
			return []any{
				d.CallID, string(d.Kind), string(d.State), int64(r.Rank), r.Lane, int64(r.Place), unixNanos(d.NextAt),
			}
		},
	}
)

// ofCall selects the delivery of a call's end, the newest first: a corrected outcome has a second one.
const ofCall = "WHERE org = $1 AND call = $2 AND kind = 'call' ORDER BY rank DESC"

// noDelivery returns the not-found error of a delivery.
func noDelivery(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no delivery %q", id)
}

// FindWebhook implements [store.OutboxStore].
func (s *PostgresStore) FindWebhook(ctx context.Context, orgID string) (w delivery.WebhookSetting, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		w, _, err = webhooks.find(e, orgID)
		return err
	})
	return w, err
}

// ChangeWebhook implements [store.OutboxStore].
func (s *PostgresStore) ChangeWebhook(
	ctx context.Context, orgID, actor string, now time.Time, change func(*delivery.WebhookSetting) error,
) (before, after delivery.WebhookSetting, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		if before, _, err = webhooks.find(e, orgID); err != nil {
			return err
		}
		after = before
		if err := change(&after); err != nil {
			return err
		}
		after.UpdatedAt = now
		webhooks.put(e, after, orgID)
		e.touchKind(store.OutboxChanged)
		note := "off"
		if after.Enabled {
			note = "on"
		}
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "webhook.put", Subject: "webhook", Note: note})
		return nil
	})
	return before, after, err
}

// saveDelivery writes a changed delivery.
func saveDelivery(e *dbTx, r record.DeliveryRecord) {
	deliveries.put(e, r, r.Delivery.OrgID, r.Delivery.ID)
	e.touchKind(store.OutboxChanged)
}

// nextRank returns the next number of the sequence that orders deliveries.
func nextRank(e *dbTx) (n uint64, err error) {
	var next int64
	_, err = e.scanRow("SELECT nextval('ranks')", nil, &next)
	return uint64(next), err
}

// addDelivery appends a pending delivery to a lane.
func addDelivery(e *dbTx, d delivery.Delivery, lane string) error {
	rank, err := nextRank(e)
	if err == nil {
		saveDelivery(e, record.DeliveryRecord{Delivery: d, Rank: rank, Lane: lane, Place: rank})
	}
	return err
}

// AddDelivery implements [store.OutboxStore].
func (s *PostgresStore) AddDelivery(ctx context.Context, d delivery.Delivery, actor string) error {
	if !record.IsKeyPart(d.ID) || !record.IsKeyPart(d.CallID) || d.State != delivery.Pending || len(d.Tries) > 0 {
		return store.Errorf(store.CodeInvalid,
			"a new delivery must be pending and without attempts, and its ids must not contain '/'")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := needOrganization(e, d.OrgID); err != nil {
			return err
		}
		rank, err := nextRank(e)
		if err != nil {
			return err
		}
		r := record.DeliveryRecord{Delivery: d, Rank: rank, Lane: record.LaneOfPersons, Place: rank}
		addAudit(e, d.OrgID, store.AuditEntry{
			At: d.CreatedAt, Actor: actor, Action: "webhook.test", Subject: d.ID,
		})
		added, err := deliveries.add(e, r, d.OrgID, d.ID)
		e.touchKind(store.OutboxChanged)
		return needAdded(added, err, "there is already a delivery %q", d.ID)
	})
}

// changeDelivery applies one state transition to an organization's delivery.
func (s *PostgresStore) changeDelivery(
	ctx context.Context, orgID, id string, step func(*dbTx, *record.DeliveryRecord) error,
) (delivery.Delivery, error) {
	var r record.DeliveryRecord
	err := s.updateTx(ctx, func(e *dbTx) (err error) {
		if r, err = lockIn(e, deliveries, noDelivery(id), orgID, id); err != nil {
			return err
		}
		if err = step(e, &r); err == nil {
			saveDelivery(e, r)
		}
		return err
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return r.Delivery, nil
}

// RecordTry implements [store.OutboxStore]. For a call whose person was erased no bodies are stored, not even of an
// attempt that was in flight.
func (s *PostgresStore) RecordTry(
	ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e *dbTx, r *record.DeliveryRecord) error {
		erased, err := isErased(e, r.Delivery)
		if err != nil {
			return err
		}
		return r.RecordTry(t, erased, now)
	})
}

// RedeliverWebhook implements [store.OutboxStore]. The appliance that received the request becomes the owner.
func (s *PostgresStore) RedeliverWebhook(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e *dbTx, r *record.DeliveryRecord) error {
		if err := r.BeginAgain(now); err != nil {
			return err
		}
		place, err := nextRank(e)
		if err != nil {
			return err
		}
		r.Place = place
		e.queueWrite("UPDATE deliveries SET owner = $3 WHERE org = $1 AND id = $2", orgID, id, e.appliance)
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "delivery.redeliver", Subject: id})
		return nil
	})
}

// FindDelivery implements [store.OutboxStore].
func (s *PostgresStore) FindDelivery(ctx context.Context, orgID, id string) (delivery.Delivery, error) {
	var r record.DeliveryRecord
	err := s.readRows(ctx, func(e *dbTx) (err error) {
		r, err = findIn(e, deliveries, noDelivery(id), orgID, id)
		return err
	})
	return r.Delivery, err
}

// DeliveryOf implements [store.OutboxStore].
func (s *PostgresStore) DeliveryOf(ctx context.Context, orgID, callID string) (of *delivery.Delivery, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		r, found, err := deliveries.first(e, ofCall, orgID, callID)
		if found {
			of = &r.Delivery
		}
		return err
	})
	return of, err
}

// ListDeliveries implements [store.OutboxStore].
func (s *PostgresStore) ListDeliveries(
	ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
) (store.ListPage[delivery.Delivery], error) {
	where, arg := "org = $1", any(orgID)
	if state != "" {
		where, arg = "(org, state) = (SELECT ($1::text[])[1], ($1::text[])[2])", []string{orgID, string(state)}
	}
	list := []string{"deliveries", orgID, string(state)}
	page, err := rankedPage(ctx, s, deliveries, list, limit, cursor, where, arg)
	listed := store.ListPage[delivery.Delivery]{Items: []delivery.Delivery{}, Next: page.Next}
	for _, r := range page.Items {
		listed.Items = append(listed.Items, r.Delivery)
	}
	return listed, err
}
