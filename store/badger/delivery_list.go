package badger

import (
	"context"

	"munadi/store"
	"munadi/store/delivery"
)

// Delivery implements [store.Outbox].
func (s *Store) Delivery(ctx context.Context, orgID, id string) (delivery.Delivery, error) {
	var r deliveryRecord
	err := s.read(ctx, func(v view) (err error) {
		r, err = findDelivery(edit{v, &changes{}}, orgID, id)
		return err
	})
	return r.Delivery, err
}

// DeliveryOf implements [store.Outbox].
func (s *Store) DeliveryOf(ctx context.Context, orgID, callID string) (*delivery.Delivery, error) {
	var of *delivery.Delivery
	err := s.read(ctx, func(v view) error {
		r, err := edit{v, &changes{}}.deliveryOf(orgID, callID)
		if r != nil {
			of = &r.Delivery
		}
		return err
	})
	return of, err
}

// deliveryOf is the delivery of a call's end; nil without one.
func (e edit) deliveryOf(orgID, callID string) (*deliveryRecord, error) {
	if !plain(orgID) || !plain(callID) {
		return nil, nil
	}
	id, found, err := e.value(key(kindDeliveryOf, orgID, callID))
	if err != nil || !found {
		return nil, err
	}
	r, err := findDelivery(e, orgID, string(id))
	return &r, err
}

// Deliveries implements [store.Outbox].
func (s *Store) Deliveries(
	ctx context.Context, orgID string, state delivery.State, limit int, cursor string,
) (store.Page[delivery.Delivery], error) {
	page := store.Page[delivery.Delivery]{Items: []delivery.Delivery{}}
	if err := checkLimit(limit); err != nil || !plain(orgID) {
		return page, err
	}
	index := prefix(kindDeliveryMade, orgID)
	if state != "" {
		index = prefix(kindDeliveryState, orgID, string(state))
	}
	list := []string{"deliveries", orgID, string(state)}
	err := s.read(ctx, func(v view) (err error) {
		page, err = newestPage(v, list, index, limit, cursor, func(place string) (delivery.Delivery, error) {
			r, err := findDelivery(edit{v, &changes{}}, orgID, lastPart(place))
			return r.Delivery, err
		})
		return err
	})
	return page, err
}
