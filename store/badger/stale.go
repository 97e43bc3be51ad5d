package badger

import (
	"bytes"
	"context"

	"munadi/store"
)

// staleEntries are queue entries that their records contradict. They appear when damage destroys the tombstone of an
// entry but not the entry itself.
type staleEntries struct{ keys [][]byte }

// isCurrentEntry reports whether a queue's key equals entry, the one that its record has now (nil without a record),
// and collects stale keys. err is the error of reading the record; entries of unreadable records stay.
func (s *staleEntries) isCurrentEntry(key, entry []byte, err error) (bool, error) {
	switch {
	case store.IsUnreadable(err):
		return false, nil
	case err != nil && store.CodeOf(err) != store.CodeNotFound:
		return false, err
	case err != nil || !bytes.Equal(key, entry):
		s.keys = append(s.keys, key)
		return false, nil //nolint:nilerr // without its record the entry is stale
	}
	return true, nil
}

// dropStale deletes stale entries, unless their records changed meanwhile.
func (s *BadgerStore) dropStale(ctx context.Context, stale staleEntries) error {
	if len(stale.keys) == 0 {
		return nil
	}
	return s.updateTx(ctx, func(e writeTx) error {
		e.markUrgent()
		for _, key := range stale.keys {
			if e.isStale(key) {
				e.deleteKey(key)
			}
		}
		return nil
	})
}

// isStale reports whether a queue entry contradicts its record. Entries of unreadable records are kept.
func (e writeTx) isStale(key []byte) bool {
	parts := splitKey(string(key), 2)
	rest, id := splitKey(parts[1], 3), lastPart(parts[1])
	var entry []byte
	var err error
	switch parts[0] {
	case kindCallDue, kindCampaignDue:
		var r callRecord
		r, err = findCall(e, rest[0], id)
		entry = r.dueEntry()
	case kindDeliveryDue:
		var r deliveryRecord
		r, err = findDelivery(e, rest[0], id)
		entry = r.dueEntry()
	case kindJobCall:
		j, missing := findJob(e.view, rest[1], id)
		entry, err = callbackOf(j), missing
	}
	var stale staleEntries
	_, err = stale.isCurrentEntry(key, entry, err)
	return err == nil && len(stale.keys) > 0
}
