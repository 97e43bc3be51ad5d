package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

// The lanes of an organization's outbox, each in the order in which its deliveries are due. What a person asks for, a
// test or a redelivery, has a lane of its own, which gets the places that the notifications of calls leave free: ten
// thousand old notifications that are sent again hold no new one up.
const (
	laneOfCalls   = "0"
	laneOfPersons = "1"
)

// deliveryRecord is how a delivery is kept.
type deliveryRecord struct {
	Delivery delivery.Delivery `json:"delivery"`
	Rank     uint64            `json:"rank"` // by creation, among the organization's
	Lane     string            `json:"lane"`
	Place    uint64            `json:"place"` // among those due at one time: the rank, or a new one since it was asked for again
}

// entries are all index entries of a delivery; they follow from the record alone.
func (r deliveryRecord) entries() []entry {
	d := r.Delivery
	entries := []entry{
		{key: key(kindDeliveryMade, d.OrgID, rank(r.Rank), d.ID)},
		{key: key(kindDeliveryState, d.OrgID, string(d.State), rank(r.Rank), d.ID)},
	}
	if d.Kind == delivery.CallEnded {
		entries = append(entries, entry{key(kindDeliveryOf, d.OrgID, d.CallID), []byte(d.ID)})
	}
	if d.State == delivery.Pending {
		entries = append(entries, entry{key: key(kindDeliveryDue, d.OrgID, r.Lane, stamp(d.NextAt), rank(r.Place), d.ID)})
	}
	return entries
}

// findDelivery is an organization's delivery.
func findDelivery(e edit, orgID, id string) (deliveryRecord, error) {
	var r deliveryRecord
	missing := store.Errorf(store.CodeNotFound, "there is no delivery %q", id)
	if !plain(orgID) || !plain(id) {
		return r, missing
	}
	found, err := e.get(key(kindDelivery, orgID, id), &r)
	if err == nil && !found {
		return r, missing
	}
	return r, err
}

// saveDelivery replaces a delivery as it was by what it is now; before is nil for a new one.
func (e edit) saveDelivery(before *deliveryRecord, after deliveryRecord) {
	var old []entry
	if before != nil {
		old = before.entries()
	}
	e.put(key(kindDelivery, after.Delivery.OrgID, after.Delivery.ID), after)
	e.reindex(old, after.entries())
	e.touch(store.OutboxChanged)
}

// owe adds a pending delivery at the end of a lane.
func (e edit) owe(d delivery.Delivery, lane string) error {
	place, err := e.next(key(kindDeliveryRank, d.OrgID))
	if err == nil {
		e.saveDelivery(nil, deliveryRecord{Delivery: d, Rank: place, Lane: lane, Place: place})
	}
	return err
}

// AddDelivery implements [store.Outbox].
func (s *Store) AddDelivery(ctx context.Context, d delivery.Delivery) error {
	if !plain(d.ID) || !plain(d.CallID) || d.State != delivery.Pending || len(d.Tries) > 0 {
		return store.Errorf(store.CodeInvalid, "a new delivery is pending, untried, and its ids have no '/'")
	}
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(d.OrgID); err != nil {
			return err
		}
		taken, err := e.has(key(kindDelivery, d.OrgID, d.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "there is already a delivery %q", d.ID)
		}
		return e.owe(d, laneOfPersons)
	})
}

// changeDelivery moves an organization's delivery by one step.
func (s *Store) changeDelivery(
	ctx context.Context, orgID, id string, step func(edit, *deliveryRecord) error,
) (delivery.Delivery, error) {
	var after deliveryRecord
	err := s.edit(ctx, func(e edit) error {
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

// RecordTry implements [store.Outbox]. A call whose person was erased leaves no bodies behind, not even those of a try
// that was on its way.
func (s *Store) RecordTry(
	ctx context.Context, orgID, id string, t delivery.Try, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e edit, r *deliveryRecord) error {
		if r.Delivery.State != delivery.Pending {
			return store.Errorf(store.CodeConflict, "a delivery that is %s is not tried", r.Delivery.State)
		}
		erased, err := e.erased(r.Delivery)
		if err != nil {
			return err
		}
		if erased {
			t.Request, t.Response, t.Sent = "", "", nil
		}
		e.urge() // a try that is not recorded would be made again
		r.Delivery = r.Delivery.Tried(t, now)
		return nil
	})
}

// Redeliver implements [store.Outbox].
func (s *Store) Redeliver(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (delivery.Delivery, error) {
	return s.changeDelivery(ctx, orgID, id, func(e edit, r *deliveryRecord) error {
		again, ended := r.Delivery.Again(now)
		if !ended {
			return store.Errorf(store.CodeConflict, "a delivery that is pending is on its way already")
		}
		place, err := e.next(key(kindDeliveryRank, orgID))
		if err != nil {
			return err
		}
		r.Delivery, r.Lane, r.Place = again, laneOfPersons, place
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "delivery.redeliver", Subject: id})
	})
}

// Webhook implements [store.Outbox].
func (s *Store) Webhook(ctx context.Context, orgID string) (delivery.Webhook, error) {
	var w delivery.Webhook
	err := s.read(ctx, func(v view) error {
		if !plain(orgID) {
			return nil
		}
		_, err := v.get(key(kindWebhook, orgID), &w)
		return err
	})
	return w, err
}

// PutWebhook implements [store.Outbox].
func (s *Store) PutWebhook(ctx context.Context, orgID string, w delivery.Webhook, actor string, now time.Time) error {
	_, _, err := s.ChangeWebhook(ctx, orgID, actor, now, func(delivery.Webhook) delivery.Webhook { return w })
	return err
}

// ChangeWebhook implements [store.Outbox].
func (s *Store) ChangeWebhook(
	ctx context.Context, orgID, actor string, now time.Time, change func(delivery.Webhook) delivery.Webhook,
) (before, after delivery.Webhook, err error) {
	err = s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		before = delivery.Webhook{}
		if _, err := e.get(key(kindWebhook, orgID), &before); err != nil {
			return err
		}
		after = change(before)
		after.UpdatedAt = now
		e.put(key(kindWebhook, orgID), after)
		e.touch(store.OutboxChanged)
		note := "off"
		if after.Enabled {
			note = "on"
		}
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "webhook.put", Subject: "webhook", Note: note})
	})
	return before, after, err
}
