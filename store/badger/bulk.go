package badger

import (
	"context"

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
		if _, err := e.getRecord(joinKey(kindBulk, orgID), &board); err != nil && !isUnreadable(err) {
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
		var all []string
		v.visitKeys(joinPrefix(kindBulk), func(orgID string) bool { all = append(all, orgID); return true })
		for _, orgID := range all {
			var b bulk.BulkBoard
			if _, err := v.getRecord(joinKey(kindBulk, orgID), &b); err != nil && !isUnreadable(err) {
				return err
			}
			if b.IsPending() {
				orgIDs = append(orgIDs, orgID)
			}
		}
		return nil
	})
	return orgIDs, err
}
