package records

import (
	"context"

	"munadi/store/bulk"
	"munadi/store/driver"
)

var bulkBoards = declareKind(driver.Table{
	Kind: "bulk", Name: "bulk_changes", Key: []string{"org"}, Columns: []string{"pending"},
}, func(b bulk.BulkBoard) []any { return []any{b.IsPending()} }, nil)

// FindBulk implements [store.BulkStore].
func (s *Records) FindBulk(ctx context.Context, orgID string) (b bulk.BulkBoard, err error) {
	return findSetting(ctx, s, bulkBoards, orgID)
}

// ChangeBulk implements [store.BulkStore].
func (s *Records) ChangeBulk(
	ctx context.Context, orgID string, change func(*bulk.BulkBoard) error,
) (board bulk.BulkBoard, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		board, err = changeState(tx, bulkBoards, orgID, change)
		return err
	})
	return board, err
}

// PendingBulk implements [store.BulkStore].
func (s *Records) PendingBulk(ctx context.Context) ([]string, error) {
	return listPending(ctx, s, bulkBoards)
}

// listPending returns the organizations whose board of a kind is pending.
func listPending[T any](ctx context.Context, s *Records, boards kindOf[T]) (orgIDs []string, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		orgIDs = nil
		pending := driver.Query{Where: []driver.Condition{{Column: "pending", Value: true}}}
		return boards.visit(tx, pending, func(row driver.Row, _ T) (bool, error) {
			orgIDs = append(orgIDs, row.Key[0])
			return true, nil
		})
	})
	return orgIDs, err
}
