package badger

import (
	"context"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/record"
)

// FindDelivery implements [store.OutboxStore].
func (s *BadgerStore) FindDelivery(ctx context.Context, orgID, id string) (delivery.Delivery, error) {
	var r deliveryRecord
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		r, err = findDelivery(writeTx{v, &changeSet{}}, orgID, id)
		return err
	})
	return r.Delivery, err
}

// DeliveryOf implements [store.OutboxStore].
func (s *BadgerStore) DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error) {
	var of *delivery.Delivery
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		r, err := writeTx{v, &changeSet{}}.deliveryOf(orgID, callID)
		if r != nil {
			of = &r.Delivery
		}
		return err
	})
	return of, err
}

// deliveryOf returns the delivery of a call's end; nil without one.
func (e writeTx) deliveryOf(orgID, callID string) (*deliveryRecord, error) {
	if !isKeyPart(orgID) || !isKeyPart(callID) {
		return nil, nil
	}
	id, found, err := e.valueOf(joinKey(kindDeliveryOf, orgID, callID))
	if err != nil || !found {
		return nil, err
	}
	r, err := findDelivery(e, orgID, string(id))
	return &r, err
}

// ListDeliveries implements [store.OutboxStore].
func (s *BadgerStore) ListDeliveries(
	ctx context.Context, orgID string, state delivery.DeliveryState, limit int, cursor string,
) (store.ListPage[delivery.Delivery], error) {
	page := store.ListPage[delivery.Delivery]{Items: []delivery.Delivery{}}
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	index := joinPrefix(kindDeliveryMade, orgID)
	if state != "" {
		index = joinPrefix(kindDeliveryState, orgID, string(state))
	}
	list := []string{"deliveries", orgID, string(state)}
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		page, err = newestPage(v, list, index, limit, cursor, func(place string) (delivery.Delivery, error) {
			r, err := findDelivery(writeTx{v, &changeSet{}}, orgID, lastPart(place))
			return r.Delivery, err
		})
		return err
	})
	return page, err
}
