package badger

import (
	"context"

	"munadi/store"
	"munadi/store/bulk"
)

// FindBulk implements [store.BulkStore].
func (s *BadgerStore) FindBulk(ctx context.Context, orgID string) (b bulk.BulkBoard, err error) {
	if !isKeyPart(orgID) {
		return b, nil
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		_, err := v.getRecord(joinKey(kindBulk, orgID), &b)
		return err
	})
	return b, err
}

// ChangeBulk implements [store.BulkStore].
func (s *BadgerStore) ChangeBulk(
	ctx context.Context, orgID string, change func(*bulk.BulkBoard) error,
) (board bulk.BulkBoard, err error) {
	err = s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		board = bulk.BulkBoard{}
		if _, err := e.getRecord(joinKey(kindBulk, orgID), &board); err != nil && !store.IsUnreadable(err) {
			return err
		}
		if err := change(&board); err != nil {
			return err
		}
		e.putRecord(joinKey(kindBulk, orgID), board)
		return nil
	})
	return board, err
}

// PendingBulk implements [store.BulkStore].
func (s *BadgerStore) PendingBulk(ctx context.Context) (orgIDs []string, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		return eachRecord(v, joinPrefix(kindBulk), "", func(orgID string, b bulk.BulkBoard) (bool, error) {
			if b.IsPending() {
				orgIDs = append(orgIDs, orgID)
			}
			return true, nil
		})
	})
	return orgIDs, err
}
