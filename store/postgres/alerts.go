package postgres

import (
	"context"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/record"
)

var alertBoards = tableOf[alert.AlertBoard]{name: "alerts", keys: []string{"org"}}

// FindAlerts implements [store.AlertStore].
func (s *PostgresStore) FindAlerts(ctx context.Context, orgID string) (b alert.AlertBoard, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		b, _, err = alertBoards.find(e, orgID)
		return err
	})
	return b, err
}

// ChangeAlerts implements [store.AlertStore].
func (s *PostgresStore) ChangeAlerts(
	ctx context.Context, orgID string, change func(*alert.AlertBoard) (store.AlertEffects, error),
) (board alert.AlertBoard, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		if board, _, err = alertBoards.findReadable(e, orgID); err != nil {
			return err
		}
		effects, err := change(&board)
		if err != nil {
			return err
		}
		alertBoards.put(e, board, orgID)
		for _, d := range effects.Deliveries {
			if err := addDelivery(e, d, record.LaneOfCalls); err != nil {
				return err
			}
		}
		if effects.Audit != nil {
			addAudit(e, orgID, *effects.Audit)
		}
		return nil
	})
	return board, err
}
