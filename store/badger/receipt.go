package badger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"munadi/store"
)

// receiptName is what stands in keys for a client's idempotency key, which may hold anything.
func receiptName(clientKey string) string {
	sum := sha256.Sum256([]byte(clientKey))
	return hex.EncodeToString(sum[:])
}

// fresh says whether a receipt still counts at now.
func fresh(r store.Receipt, now time.Time) bool { return now.Before(r.MadeAt.Add(store.KeepReceipts)) }

// Receipt implements [store.Calls].
func (s *Store) Receipt(ctx context.Context, orgID, clientKey string, now time.Time) (*store.Receipt, error) {
	var first *store.Receipt
	err := s.read(ctx, func(v view) (err error) {
		first, err = edit{v, &changes{}}.firstReceipt(orgID, store.Receipt{Key: clientKey, MadeAt: now})
		return err
	})
	return first, err
}

// firstReceipt is what stands under a receipt's key and still counts when the receipt is made; nil without one.
func (e edit) firstReceipt(orgID string, r store.Receipt) (*store.Receipt, error) {
	if !plain(orgID) {
		return nil, nil
	}
	var first store.Receipt
	found, err := e.get(key(kindReceipt, orgID, receiptName(r.Key)), &first)
	if err != nil || !found || !fresh(first, r.MadeAt) {
		return nil, err
	}
	first.Replays = true
	return &first, nil
}

// keepReceipt writes a receipt and returns its name. A stale one of the same key is replaced; its entry by time goes
// when its turn to expire comes.
func (e edit) keepReceipt(orgID string, r store.Receipt) string {
	name := receiptName(r.Key)
	e.put(key(kindReceipt, orgID, name), r)
	e.mark(key(kindReceiptMade, stamp(r.MadeAt), orgID, name))
	return name
}

// blankReceipt takes the answer, which holds a person's data, out of a receipt; that the booking was made stays known,
// so that a client's late repeat does not call the person after all.
func (e edit) blankReceipt(orgID, name string) error {
	var r store.Receipt
	found, err := e.get(key(kindReceipt, orgID, name), &r)
	if err == nil && found && r.Answer != nil {
		r.Answer = nil
		e.put(key(kindReceipt, orgID, name), r)
	}
	return err
}

// ExpireReceipts implements [store.Calls].
func (s *Store) ExpireReceipts(ctx context.Context, now time.Time) (int, error) {
	gone := 0
	until := stamp(now.Add(-store.KeepReceipts))
	find := func(v view, most int) (places []string, _ error) {
		v.keys(prefix(kindReceiptMade), func(rest string) bool {
			if rest[:min(len(rest), len(until))] > until {
				return false
			}
			places = append(places, rest)
			return len(places) < most
		})
		return places, nil
	}
	err := sweep(ctx, s, find, func(e edit, places []string) error {
		for _, place := range places {
			e.drop(append(prefix(kindReceiptMade), place...))
			if parts := split(place, 3); len(parts) == 3 {
				if err := e.dropStale(key(kindReceipt, parts[1], parts[2]), now); err != nil {
					return err
				}
			}
		}
		return nil
	}, func(n int) { gone += n })
	return gone, err
}

// dropStale drops a receipt unless it was made anew since.
func (e edit) dropStale(place []byte, now time.Time) error {
	var r store.Receipt
	found, err := e.get(place, &r)
	if err == nil && found && !fresh(r, now) {
		e.drop(place)
	}
	return err
}
