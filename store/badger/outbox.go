package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/record"
)

// deliveryRecord is [record.DeliveryRecord] with its index entries.
type deliveryRecord record.DeliveryRecord

// indexEntries returns all index entries of a delivery; they are derived from the record alone.
func (r deliveryRecord) indexEntries() []indexEntry {
	d := r.Delivery
	entries := []indexEntry{
		{key: joinKey(kindDeliveryMade, d.OrgID, encodeRank(r.Rank), d.ID)},
		{key: joinKey(kindDeliveryState, d.OrgID, string(d.State), encodeRank(r.Rank), d.ID)},
	}
	if d.Kind == delivery.CallEnded {
		entries = append(entries, indexEntry{joinKey(kindDeliveryOf, d.OrgID, d.CallID), []byte(d.ID)})
	}
	if due := r.dueEntry(); due != nil {
		entries = append(entries, indexEntry{key: due})
	}
	return entries
}

// dueEntry returns the index entry of a pending delivery; nil for another one.
func (r deliveryRecord) dueEntry() []byte {
	d := r.Delivery
	if d.State != delivery.Pending {
		return nil
	}
	return joinKey(kindDeliveryDue, d.OrgID, r.Lane, encodeTime(d.NextAt), encodeRank(r.Place), d.ID)
}

// findDelivery returns an organization's delivery.
func findDelivery(e writeTx, orgID, id string) (deliveryRecord, error) {
	var r deliveryRecord
	missing := store.Errorf(store.CodeNotFound, "there is no delivery %q", id)
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return r, missing
	}
	found, err := e.getRecord(joinKey(kindDelivery, orgID, id), &r)
	if err == nil && !found {
		return r, missing
	}
	return r, err
}

// saveDelivery writes a changed delivery with its index entries; before is nil for a new one.
func (e writeTx) saveDelivery(before *deliveryRecord, after deliveryRecord) {
	var old []indexEntry
	if before != nil {
		old = before.indexEntries()
	}
	e.putRecord(joinKey(kindDelivery, after.Delivery.OrgID, after.Delivery.ID), after)
	e.updateIndex(old, after.indexEntries())
	e.touchKind(store.OutboxChanged)
}

// nextDeliveryRank returns the next rank of an organization's deliveries.
func (e writeTx) nextDeliveryRank(orgID string) (uint64, error) {
	return e.nextNumber(joinKey(kindDeliveryRank, orgID), joinPrefix(kindDeliveryMade, orgID))
}

// addDelivery appends a pending delivery to a lane.
func (e writeTx) addDelivery(d delivery.Delivery, lane string) error {
	place, err := e.nextDeliveryRank(d.OrgID)
	if err == nil {
		e.saveDelivery(nil, deliveryRecord{Delivery: d, Rank: place, Lane: lane, Place: place})
	}
	return err
}

// AddDelivery implements [store.OutboxStore].
func (s *BadgerStore) AddDelivery(ctx context.Context, d delivery.Delivery, actor string) error {
	if !isKeyPart(d.ID) || !isKeyPart(d.CallID) || d.State != delivery.Pending || len(d.Tries) > 0 {
		return store.Errorf(store.CodeInvalid,
			"a new delivery must be pending and without attempts, and its ids must not contain '/'")
	}
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(d.OrgID); err != nil {
			return err
		}
		taken, err := e.hasKey(joinKey(kindDelivery, d.OrgID, d.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "there is already a delivery %q", d.ID)
		}
		if err := e.addDelivery(d, record.LaneOfPersons); err != nil {
			return err
		}
		return e.addAudit(d.OrgID, store.AuditEntry{
			At: d.CreatedAt, Actor: actor, Action: "webhook.test", Subject: d.ID,
		})
	})
}

// changeDelivery applies one state transition to an organization's delivery.
func (s *BadgerStore) changeDelivery(
	ctx context.Context, orgID, id string, step func(writeTx, *deliveryRecord) error,
) (delivery.Delivery, error) {
	var after deliveryRecord
	err := s.updateTx(ctx, func(e writeTx) error {
		before, err := findDelivery(e, orgID, id)
		if err != nil {
			return err
		}
		after = before
		if err := step(e, &after); err != nil {
			return err
		}
		e.saveDelivery(&before, after)
		return nil
	})
	if err != nil {
		return delivery.Delivery{}, err
	}
	return after.Delivery, nil
}

// RecordTry implements [store.OutboxStore]. For a call whose person was erased no bodies are stored, not even of an
// attempt that was in flight.
func (s *BadgerStore) RecordTry(
	ctx context.Context, orgID, id string, t delivery.DeliveryTry, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e writeTx, r *deliveryRecord) error {
		erased, err := e.isErased(r.Delivery)
		if err != nil {
			return err
		}
		e.markUrgent() // an unrecorded attempt would be repeated
		return (*record.DeliveryRecord)(r).RecordTry(t, erased, now)
	})
}

// RedeliverWebhook implements [store.OutboxStore].
func (s *BadgerStore) RedeliverWebhook(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e writeTx, r *deliveryRecord) error {
		if err := (*record.DeliveryRecord)(r).BeginAgain(now); err != nil {
			return err
		}
		place, err := e.nextDeliveryRank(orgID)
		if err != nil {
			return err
		}
		r.Place = place
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "delivery.redeliver", Subject: id})
	})
}

// FindWebhook implements [store.OutboxStore].
func (s *BadgerStore) FindWebhook(ctx context.Context, orgID string) (delivery.WebhookSetting, error) {
	var w delivery.WebhookSetting
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		if !isKeyPart(orgID) {
			return nil
		}
		_, err := v.getRecord(joinKey(kindWebhook, orgID), &w)
		return err
	})
	return w, err
}

// ChangeWebhook implements [store.OutboxStore].
func (s *BadgerStore) ChangeWebhook(
	ctx context.Context, orgID, actor string, now time.Time, change func(*delivery.WebhookSetting) error,
) (before, after delivery.WebhookSetting, err error) {
	err = s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		before = delivery.WebhookSetting{}
		if _, err := e.getRecord(joinKey(kindWebhook, orgID), &before); err != nil {
			return err
		}
		after = before
		if err := change(&after); err != nil {
			return err
		}
		after.UpdatedAt = now
		e.putRecord(joinKey(kindWebhook, orgID), after)
		e.touchKind(store.OutboxChanged)
		note := "off"
		if after.Enabled {
			note = "on"
		}
		return e.addAudit(
			orgID,
			store.AuditEntry{At: now, Actor: actor, Action: "webhook.put", Subject: "webhook", Note: note},
		)
	})
	return before, after, err
}
