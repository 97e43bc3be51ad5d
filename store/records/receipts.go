package records

import (
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	receiptsByTime = &driver.Index{Kind: "receipt-made", Parts: []string{"made", "org", "name"}, Droppable: true}

	// receipts are by the hash of their keys. In SQL, rows of expired ones may be left beside a newer one of the same key.
	receipts = declareKind(driver.Table{
		Kind: "receipt", Name: "receipts", Key: []string{"org", "name"}, Columns: []string{"made"},
		Numbers: []string{"made"}, Newest: "made", Indexes: []*driver.Index{receiptsByTime},
	}, func(r store.IdempotencyReceipt) []any { return []any{record.UnixNanos(r.MadeAt)} }, nil)
)

// FindReceipt implements [store.CallStore].
func (s *Records) FindReceipt(
	ctx context.Context, orgID, clientKey string, now time.Time,
) (*store.IdempotencyReceipt, error) {
	return read(ctx, s, func(tx driver.Tx) (*store.IdempotencyReceipt, error) {
		return firstReceipt(tx, orgID, store.IdempotencyReceipt{Key: clientKey, MadeAt: now})
	})
}

// firstReceipt returns the stored receipt of the same idempotency key that is still valid at r.MadeAt; nil without one.
func firstReceipt(tx driver.Tx, orgID string, r store.IdempotencyReceipt) (*store.IdempotencyReceipt, error) {
	first, found, err := receipts.find(tx, orgID, record.ReceiptName(r.Key))
	if err != nil || !found || !record.IsFresh(first, r.MadeAt) {
		return nil, err
	}
	first.Replays = true
	return &first, nil
}

// claimReceipt is [firstReceipt] for a booking; bookings under the same key wait for each other.
func claimReceipt(tx driver.Tx, orgID string, r store.IdempotencyReceipt) (*store.IdempotencyReceipt, error) {
	if err := tx.LockNames([]string{"receipt", orgID, record.ReceiptName(r.Key)}); err != nil {
		return nil, err
	}
	return firstReceipt(tx, orgID, r)
}

// blankReceipt removes the answer, which holds personal data, from a receipt, and the key that an older version stored.
// The receipt itself stays, so that a late retry by the client does not call the person again. One that cannot be read
// is left as it is.
func blankReceipt(tx driver.Tx, orgID, name string) error {
	r, found, err := receipts.lockReadable(tx, orgID, name)
	if err != nil || !found {
		return err
	}
	r.Answer = nil
	return receipts.put(tx, r, orgID, name)
}

// ExpireReceipts implements [store.CallStore].
func (s *Records) ExpireReceipts(ctx context.Context, now time.Time) (int, error) {
	q := driver.Query{Table: receipts.Table, Index: receiptsByTime, Where: []driver.Condition{
		{Column: "made", Op: driver.AtMost, Value: record.UnixNanos(now.Add(-store.KeepReceipts))},
	}}
	gone, err := sweepKind(ctx, s.db, receipts, q,
		func(tx driver.Tx, row driver.Row, r store.IdempotencyReceipt) (_ struct{}, swept bool, err error) {
			if madeAt, _, _ := strings.Cut(row.Place, "/"); madeAt != record.EncodeTime(r.MadeAt) {
				return struct{}{}, true, tx.Drop(q, row) // a newer one has replaced it
			}
			return struct{}{}, true, receipts.remove(tx, r, row.Key...)
		})
	return len(gone), err
}
