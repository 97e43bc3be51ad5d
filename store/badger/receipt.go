package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
)

// FindReceipt implements [store.CallStore].
func (s *BadgerStore) FindReceipt(
	ctx context.Context,
	orgID, clientKey string,
	now time.Time,
) (*store.IdempotencyReceipt, error) {
	var first *store.IdempotencyReceipt
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		first, err = writeTx{v, &changeSet{}}.firstReceipt(orgID, store.IdempotencyReceipt{Key: clientKey, MadeAt: now})
		return err
	})
	return first, err
}

// firstReceipt returns the stored receipt of the same idempotency key that is still valid at r.MadeAt; nil without one.
func (e writeTx) firstReceipt(orgID string, r store.IdempotencyReceipt) (*store.IdempotencyReceipt, error) {
	if !isKeyPart(orgID) {
		return nil, nil
	}
	var first store.IdempotencyReceipt
	found, err := e.getRecord(joinKey(kindReceipt, orgID, record.ReceiptName(r.Key)), &first)
	if err != nil || !found || !record.IsFresh(first, r.MadeAt) {
		return nil, err
	}
	first.Replays = true
	return &first, nil
}

// keepReceipt writes a receipt and returns its name. It replaces an expired one of the same key, whose index entry by
// time is removed when it expires.
func (e writeTx) keepReceipt(orgID string, r store.IdempotencyReceipt) string {
	name := record.ReceiptName(r.Key)
	e.putRecord(joinKey(kindReceipt, orgID, name), r)
	e.putIndex(joinKey(kindReceiptMade, encodeTime(r.MadeAt), orgID, name))
	return name
}

// blankReceipt removes the answer, which holds personal data, from a receipt, and the key that an older version stored.
// The receipt itself stays, so that a late retry by the client does not call the person again.
func (e writeTx) blankReceipt(orgID, name string) error {
	var r store.IdempotencyReceipt
	found, err := e.getRecord(joinKey(kindReceipt, orgID, name), &r)
	if err == nil && found {
		r.Answer = nil
		e.putRecord(joinKey(kindReceipt, orgID, name), r)
	}
	return err
}

// ExpireReceipts implements [store.CallStore].
func (s *BadgerStore) ExpireReceipts(ctx context.Context, now time.Time) (int, error) {
	gone := 0
	until := encodeTime(now.Add(-store.KeepReceipts))
	find := func(v snapshotView, most int) (places []string, _ error) {
		v.visitKeys(joinPrefix(kindReceiptMade), func(rest string) bool {
			if rest[:min(len(rest), len(until))] > until {
				return false
			}
			places = append(places, rest)
			return len(places) < most
		})
		return places, nil
	}
	err := sweepBatches(ctx, s, find, func(e writeTx, places []string) error {
		for _, place := range places {
			e.deleteKey(append(joinPrefix(kindReceiptMade), place...))
			if parts := splitKey(place, 3); len(parts) == 3 {
				if err := e.dropStale(joinKey(kindReceipt, parts[1], parts[2]), now); err != nil {
					return err
				}
			}
		}
		return nil
	}, func(n int) { gone += n })
	return gone, err
}

// dropStale deletes a receipt unless it was replaced since.
func (e writeTx) dropStale(place []byte, now time.Time) error {
	var r store.IdempotencyReceipt
	found, err := e.getRecord(place, &r)
	if err == nil && found && !record.IsFresh(r, now) {
		e.deleteKey(place)
	}
	return ignoreMissing(err) // a newer receipt may be the unreadable one
}
