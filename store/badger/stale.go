package badger

import (
	"bytes"
	"context"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/records"
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
	default:
		return e.isStaleEntry(parts[0], key)
	}
	var stale staleEntries
	_, err = stale.isCurrentEntry(key, entry, err)
	return err == nil && len(stale.keys) > 0
}

// isStaleEntry is [writeTx.isStale] for the queues of package records.
func (e writeTx) isStaleEntry(kind string, key []byte) bool {
	q, declared := declaredQueues[kind]
	parts := splitKey(string(key[len(kind)+1:]), len(q.Parts()))
	value, found, err := e.valueOf(key)
	if !declared || err != nil || !found || len(parts) != len(q.Parts()) {
		return false
	}
	row, err := e.rowOfEntry(q, parts, value)
	if err == nil && row.Raw != nil {
		row.Columns, err = q.Table.Values(row.Raw)
	}
	return err == nil && (row.Raw == nil || isContradicted(q, row, key))
}

// declaredQueues are the queues of package records, by the kind of their entries.
var declaredQueues = func() map[string]driver.Query {
	byKind := map[string]driver.Query{}
	for _, t := range records.ListTables() {
		for _, index := range t.Indexes {
			if index.Queue {
				byKind[index.Kind] = driver.Query{Table: t, Index: index}
			}
		}
	}
	return byKind
}()
