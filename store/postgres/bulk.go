package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"munadi/store/bulk"
)

var bulkBoards = tableOf[bulk.BulkBoard]{
	name: "bulk_changes", keys: []string{"org"}, others: []string{"pending"},
	derive: func(b bulk.BulkBoard) []any { return []any{b.IsPending()} },
}

// FindBulk implements [store.BulkStore].
func (s *PostgresStore) FindBulk(ctx context.Context, orgID string) (b bulk.BulkBoard, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		b, _, err = bulkBoards.find(e, orgID)
		return err
	})
	return b, err
}

// ChangeBulk implements [store.BulkStore].
func (s *PostgresStore) ChangeBulk(
	ctx context.Context, orgID string, change func(*bulk.BulkBoard) error,
) (board bulk.BulkBoard, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		if board, _, err = bulkBoards.findReadable(e, orgID); err != nil {
			return err
		}
		if err := change(&board); err != nil {
			return err
		}
		bulkBoards.put(e, board, orgID)
		return nil
	})
	return board, err
}

// PendingBulk implements [store.BulkStore].
func (s *PostgresStore) PendingBulk(ctx context.Context) (orgIDs []string, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT org FROM bulk_changes WHERE pending ORDER BY org")
		if err != nil {
			return err
		}
		orgIDs, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return orgIDs, err
}
