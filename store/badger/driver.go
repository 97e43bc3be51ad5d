package badger

import (
	"context"
	"slices"

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
		e := writeTx{v, &changeSet{auditKey: d.s.AuditKey()}}
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
		e.auditKey = d.s.AuditKey()
		err := f(e)
		for _, key := range e.stale.keys {
			e.deleteKey(key)
		}
		return err
	})
}

// GroupsCommits implements [driver.Driver].
func (d storeDriver) GroupsCommits() bool { return true }

// Sweep implements [driver.Driver].
func (d storeDriver) Sweep(ctx context.Context, b driver.Batch) error {
	return driver.RunSweep(ctx, d, b, sweepBatch)
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
		taken, err := e.hasKey(key)
		if t.RandomKey && store.IsUnreadable(err) {
			continue
		}
		if err != nil || taken {
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

// TakeLane implements [driver.Tx]: with a single writer one lane is enough.
func (e writeTx) TakeLane(t *driver.Table, owner string, lanes []string) (string, []byte, bool, error) {
	raw, found, err := e.Get(t, []string{owner, lanes[0]}, driver.NoLock)
	return lanes[0], raw, found, err
}

// PutLane implements [driver.Tx].
func (e writeTx) PutLane(t *driver.Table, row driver.Row, _ []byte) error { return e.Put(t, nil, row) }

// Load implements [driver.Tx]; reading a record needs no query.
func (e writeTx) Load(...driver.Load) error { return nil }

// LockNames implements [driver.Tx]; there is a single writer.
func (e writeTx) LockNames(...[]string) error { return nil }

// Shared implements [driver.Tx]; there is a single appliance.
func (e writeTx) Shared() bool { return false }

// AuditKey implements [driver.Tx].
func (e writeTx) AuditKey() [32]byte { return e.auditKey }

// CheckLease implements [driver.Tx].
func (e writeTx) CheckLease() error { return nil }

// Own implements [driver.Tx].
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

// Count implements [driver.Tx]. A record of counters that cannot be read begins anew; an empty one is removed.
func (e writeTx) Count(t *driver.Table, changes []driver.Change) error {
	return driver.EachKey(changes, func(key []string, some []driver.Change) (bool, error) {
		place := joinKey(t.Kind, key...)
		raw, _, err := e.valueOf(place)
		if err != nil && !store.IsUnreadable(err) {
			return false, err
		}
		after, err := t.Counts.Apply(raw, some)
		if err != nil {
			_ = e.Unreadable(t, key, err) // it is reported
			after, err = t.Counts.Apply(nil, some)
		}
		if err == nil {
			e.putRaw(place, after)
		}
		return true, err
	})
}

// Drop implements [driver.Tx].
func (e writeTx) Drop(q driver.Query, row driver.Row) error {
	e.deleteKey(append(joinPrefix(q.Index.Kind, encodeEqual(q)...), row.Place...))
	return nil
}

// Unreadable implements [driver.Tx].
func (e writeTx) Unreadable(t *driver.Table, key []string, cause error) error {
	return e.view.newUnreadableError(joinKey(t.Kind, key...), cause)
}

// Announce implements [driver.Tx].
func (e writeTx) Announce(kind store.ChangeKind) { e.touchKind(kind) }

// OweCompaction implements [driver.Tx].
func (e writeTx) OweCompaction() { e.putIndex(compactionKey) }

// MarkUrgent implements [driver.Tx].
func (e writeTx) MarkUrgent() { e.markUrgent() }

// indexEntriesOf returns a record's index entries.
func indexEntriesOf(t *driver.Table, row driver.Row) []indexEntry {
	all := make([]indexEntry, 0, len(t.Indexes)+entriesMore)
	for _, index := range t.Indexes {
		all = appendEntries(all, t, index, row)
	}
	return all
}

// entriesMore is enough room for the entries of most records in an index of several values.
const entriesMore = 4

// entryOf returns a record's entry in an index with one; false without one.
func entryOf(t *driver.Table, index *driver.Index, row driver.Row) (entry indexEntry, has bool) {
	entries := appendEntries(nil, t, index, row)
	if len(entries) == 0 {
		return entry, false
	}
	return entries[0], true
}

// appendEntries appends a record's entries in an index: one, or one for each pair or text of a column of several.
func appendEntries(all []indexEntry, t *driver.Table, index *driver.Index, row driver.Row) []indexEntry {
	if !index.Has(t, row) {
		return all
	}
	begin := len(all)
	all = append(all, indexEntry{append(make([]byte, 0, entrySize), index.Kind...), encodeValue(t, index, row)})
	for part, name := range index.Parts {
		column := t.IndexPart(index, part, row)
		several, are := valuesIn(column)
		if !are {
			for i := begin; i < len(all); i++ {
				all[i].key = index.AppendPart(append(all[i].key, '/'), name, column)
			}
			continue
		}
		begun := all[begin] // an index has at most one column of several values
		all = all[:begin]
		for _, value := range several {
			key := append(append(make([]byte, 0, entrySize), begun.key...), '/')
			all = append(all, indexEntry{driver.AppendPart(key, value), begun.value})
		}
	}
	return all
}

// valuesIn returns the values of a column of pairs or texts; false for another one.
func valuesIn(column any) (several []any, are bool) {
	switch all := column.(type) {
	case []driver.Pair:
		for _, pair := range all {
			several = append(several, pair)
		}
		return several, true
	case []string:
		for _, text := range all {
			several = append(several, text)
		}
		return several, true
	}
	return nil, false
}

// entrySize is enough for the keys of most index entries.
const entrySize = 160

// encodeValue returns the value of a record's entry in an index.
func encodeValue(t *driver.Table, index *driver.Index, row driver.Row) (value []byte) {
	for i := range index.Value {
		if i > 0 {
			value = append(value, '/')
		}
		value = driver.AppendPart(value, t.IndexValue(index, i, row))
	}
	return value
}
