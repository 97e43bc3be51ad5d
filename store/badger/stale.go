package badger

import (
	"context"

	"munadi/store/driver"
	"munadi/store/records"
)

// staleEntries are queue entries that their records contradict. They appear when damage destroys the tombstone of an
// entry but not the entry itself.
type staleEntries struct{ keys [][]byte }

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
	kind := splitKey(string(key), 2)[0]
	q, declared := declaredQueues[kind]
	if !declared {
		return false
	}
	parts := splitKey(string(key[len(kind)+1:]), len(q.Parts()))
	value, found, err := e.valueOf(key)
	if err != nil || !found || len(parts) != len(q.Parts()) {
		return false
	}
	row, err := e.rowOfEntry(q, parts, value)
	if err == nil && row.Raw != nil {
		_, row.Columns, err = q.Table.Decode(row.Raw)
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
