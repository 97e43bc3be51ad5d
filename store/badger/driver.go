package badger

import (
	"context"
	"slices"
	"strings"

	"munadi/store"
	"munadi/store/driver"
)

// storeDriver is the database as package records uses it.
type storeDriver struct{ s *BadgerStore }

var _ driver.Driver = storeDriver{}

// Read implements [driver.Driver]. Stale entries of queues that f met are removed afterwards.
func (d storeDriver) Read(ctx context.Context, f func(driver.Tx) error) error {
	var stale staleEntries
	err := d.s.readSnapshot(ctx, func(v snapshotView) error {
		e := writeTx{v, &changeSet{}}
		err := f(e)
		stale = e.stale
		return err
	})
	if err != nil {
		return err
	}
	return d.s.dropStale(ctx, stale)
}

// Update implements [driver.Driver].
func (d storeDriver) Update(ctx context.Context, f func(driver.Tx) error) error {
	return d.s.updateTx(ctx, func(e writeTx) error {
		err := f(e)
		for _, key := range e.stale.keys {
			e.deleteKey(key)
		}
		return err
	})
}

// Sweep implements [driver.Driver].
func (d storeDriver) Sweep(ctx context.Context, b driver.Batch) error {
	for most := sweepBatch; ; {
		n := 0
		err := d.Update(ctx, func(tx driver.Tx) (err error) {
			tx.MarkUrgent()
			n, err = b.Change(tx, most)
			return err
		})
		switch {
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		case err != nil || n == 0:
			return err
		default:
			b.Done()
		}
	}
}

// Get implements [driver.Tx]. With a single writer no lock is needed.
func (e writeTx) Get(t *driver.Table, key []string, _ driver.Lock) ([]byte, bool, error) {
	return e.valueOf(joinKey(t.Kind, key...))
}

// Insert implements [driver.Tx].
func (e writeTx) Insert(t *driver.Table, row driver.Row) (bool, error) {
	keys := [][]byte{joinKey(t.Kind, row.Key...)}
	for _, index := range t.Indexes {
		if entry, has := entryOf(t, index, row); has && index.Unique {
			keys = append(keys, entry.key)
		}
	}
	for _, key := range keys {
		if taken, err := e.hasKey(key); err != nil || taken {
			return false, err
		}
	}
	return true, e.Put(t, nil, row)
}

// Put implements [driver.Tx].
func (e writeTx) Put(t *driver.Table, before *driver.Row, row driver.Row) error {
	var old []indexEntry
	if before != nil {
		old = indexEntriesOf(t, *before)
	}
	e.putRaw(joinKey(t.Kind, row.Key...), row.Raw)
	e.updateIndex(old, indexEntriesOf(t, row))
	return nil
}

// Delete implements [driver.Tx].
func (e writeTx) Delete(t *driver.Table, row driver.Row) error {
	e.deleteKey(joinKey(t.Kind, row.Key...))
	e.updateIndex(indexEntriesOf(t, row), nil)
	return nil
}

// LockName implements [driver.Tx]; there is a single writer.
func (e writeTx) LockName(...string) error { return nil }

// Own implements [driver.Tx]; there is a single appliance.
func (e writeTx) Own(*driver.Table, []string) error { return nil }

// NextRank implements [driver.Tx]. Ranks are counted, so that none overwrites another and a gap reveals a lost record.
func (e writeTx) NextRank(t *driver.Table, owner []string) (uint64, error) {
	numbered := t.Kind
	for _, index := range t.Indexes {
		if slices.Index(index.Parts, t.Ranked[0]) == len(owner) {
			numbered = index.Kind
		}
	}
	return e.nextNumber(joinKey(t.Counter, owner...), joinPrefix(numbered, owner...))
}

// Append implements [driver.Tx].
func (e writeTx) Append(t *driver.Table, owner []string, raw []byte) error {
	n, err := e.NextRank(t, owner)
	if err == nil {
		e.putRaw(joinKey(t.Kind, append(slices.Clone(owner), encodeRank(n))...), raw)
	}
	return err
}

// EndCounter implements [driver.Tx].
func (e writeTx) EndCounter(t *driver.Table, owner []string) error {
	e.deleteKey(joinKey(t.Counter, owner...))
	return nil
}

// Unreadable implements [driver.Tx].
func (e writeTx) Unreadable(t *driver.Table, key []string, cause error) error {
	return e.view.newUnreadableError(joinKey(t.Kind, key...), cause)
}

// Announce implements [driver.Tx].
func (e writeTx) Announce(kind store.ChangeKind) { e.touchKind(kind) }

// OweCompaction implements [driver.Tx].
func (e writeTx) OweCompaction() { e.oweCompaction() }

// MarkUrgent implements [driver.Tx].
func (e writeTx) MarkUrgent() { e.markUrgent() }

// indexEntriesOf returns a record's index entries.
func indexEntriesOf(t *driver.Table, row driver.Row) (all []indexEntry) {
	for _, index := range t.Indexes {
		if entry, has := entryOf(t, index, row); has {
			all = append(all, entry)
		}
	}
	return all
}

// entryOf returns a record's entry in an index; false without one.
func entryOf(t *driver.Table, index *driver.Index, row driver.Row) (entry indexEntry, has bool) {
	if !index.Has(t, row) {
		return entry, false
	}
	encode := func(names []string) (parts []string) {
		for _, name := range names {
			parts = append(parts, driver.EncodePart(t.Column(row, name)))
		}
		return parts
	}
	return indexEntry{joinKey(index.Kind, encode(index.Parts)...), []byte(strings.Join(encode(index.Value), "/"))}, true
}
