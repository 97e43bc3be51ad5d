package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
)

// receipts may hold several of one key: expired ones stay until they are removed.
var receipts = plainTable[store.IdempotencyReceipt]("receipts", "org", "name", "made")

// FindReceipt implements [store.CallStore].
func (s *PostgresStore) FindReceipt(
	ctx context.Context, orgID, clientKey string, now time.Time,
) (first *store.IdempotencyReceipt, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		first, err = firstReceipt(e, orgID, store.IdempotencyReceipt{Key: clientKey, MadeAt: now})
		return err
	})
	return first, err
}

// firstReceipt returns the stored receipt of the same idempotency key that is still valid at r.MadeAt; nil without one.
func firstReceipt(e *dbTx, orgID string, r store.IdempotencyReceipt) (*store.IdempotencyReceipt, error) {
	first, found, err := receipts.first(e, "WHERE org = $1 AND name = $2 ORDER BY made DESC LIMIT 1",
		orgID, record.ReceiptName(r.Key))
	if err != nil || !found || !record.IsFresh(first, r.MadeAt) {
		return nil, err
	}
	first.Replays = true
	return &first, nil
}

// lockReceipt serializes bookings under the same idempotency key.
func lockReceipt(e *dbTx, orgID string, r store.IdempotencyReceipt) error {
	return lockName(e, "receipt", orgID, record.ReceiptName(r.Key))
}

// lockName locks a name until the transaction ends (advisory lock). Each schema has its own names.
func lockName(e *dbTx, parts ...string) error {
	_, err := e.scanRow("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || "+
		"array_to_string($1::text[], '/'), 0))", []any{parts}, new(int))
	return err
}

// blankReceipt removes the answer, which holds personal data, from the receipts of a name, and the key that an older
// version stored. The receipt itself stays, so that a late retry by the client does not call the person again.
func blankReceipt(e *dbTx, orgID, name string) error {
	all, err := receipts.list(e, "WHERE org = $1 AND name = $2 FOR UPDATE", orgID, name)
	for _, r := range all {
		r.Answer = nil
		receipts.put(e, r, orgID, name, unixNanos(r.MadeAt))
	}
	return err
}

// ExpireReceipts implements [store.CallStore].
func (s *PostgresStore) ExpireReceipts(ctx context.Context, now time.Time) (int, error) {
	return s.deleteRows(ctx, "DELETE FROM receipts WHERE made <= $1", unixNanos(now.Add(-store.KeepReceipts)))
}
