package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
)

// receipts keeps expired ones of the same key beside a newer one until they are removed.
var receipts = tableOf[store.IdempotencyReceipt]{name: "receipts", keys: []string{"org", "name", "made"}}

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

// firstReceipt returns the stored receipt of the same idempotency key that is still valid when r is made; nil without
// one.
func firstReceipt(e *dbTx, orgID string, r store.IdempotencyReceipt) (*store.IdempotencyReceipt, error) {
	first, found, err := receipts.first(e, "WHERE org = $1 AND name = $2 ORDER BY made DESC LIMIT 1",
		orgID, record.ReceiptName(r.Key))
	if err != nil || !found || !record.IsFresh(first, r.MadeAt) {
		return nil, err
	}
	first.Replays = true
	return &first, nil
}

// lockReceipt lets no two bookings under the same idempotency key run at once.
func lockReceipt(e *dbTx, orgID string, r store.IdempotencyReceipt) error {
	return lockName(e, "receipt", orgID, record.ReceiptName(r.Key))
}

// lockName locks a name until the transaction ends (advisory lock). Names of different schemas do not meet.
func lockName(e *dbTx, parts ...string) error {
	_, err := e.scanRow("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || "+
		"array_to_string($1::text[], '/'), 0))", []any{parts}, new(int))
	return err
}

// blankReceipt removes the answer, which holds personal data, from the receipts of a name. The receipt itself stays, so
// that a late retry by the client does not call the person again.
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
