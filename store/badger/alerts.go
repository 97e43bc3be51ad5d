package badger

import (
	"context"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/record"
)

// FindAlerts implements [store.AlertStore].
func (s *BadgerStore) FindAlerts(ctx context.Context, orgID string) (b alert.AlertBoard, err error) {
	if !isKeyPart(orgID) {
		return b, nil
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		_, err := v.getRecord(joinKey(kindAlerts, orgID), &b)
		return err
	})
	return b, err
}

// ChangeAlerts implements [store.AlertStore].
func (s *BadgerStore) ChangeAlerts(
	ctx context.Context, orgID string, change func(*alert.AlertBoard) (store.AlertEffects, error),
) (board alert.AlertBoard, err error) {
	err = s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		board = alert.AlertBoard{}
		if _, err := e.getRecord(joinKey(kindAlerts, orgID), &board); err != nil && !store.IsUnreadable(err) {
			return err
		}
		effects, err := change(&board)
		if err != nil {
			return err
		}
		e.putRecord(joinKey(kindAlerts, orgID), board)
		for _, d := range effects.Deliveries {
			if err := e.addDelivery(d, record.LaneOfCalls); err != nil {
				return err
			}
		}
		if effects.Audit == nil {
			return nil
		}
		return e.addAudit(orgID, *effects.Audit)
	})
	return board, err
}
