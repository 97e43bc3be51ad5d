package memory

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// transaction is a transaction: undo takes its writes back, changed is what it announces.
type transaction struct {
	s       *Store
	undo    []func()
	changed []store.ChangeKind
}

// rowKey returns the key of a row: that of its record, and of records of which earlier ones are left over, their time.
func rowKey(t *driver.Table, row driver.Row) string {
	key := strings.Join(row.Key, "/")
	if t.Newest != "" {
		key += "/" + driver.EncodePart(t.Column(row, t.Newest))
	}
	return key
}

// write sets a row; nil deletes it.
func (tx *transaction) write(kind, key string, row *driver.Row) {
	rows := tx.s.kinds[kind]
	if rows == nil {
		rows = map[string]driver.Row{}
		tx.s.kinds[kind] = rows
	}
	before, there := rows[key]
	tx.undo = append(tx.undo, func() {
		if delete(rows, key); there {
			rows[key] = before
		}
	})
	if delete(rows, key); row != nil {
		rows[key] = *row
	}
}

func (tx *transaction) Get(t *driver.Table, key []string, _ driver.Lock) ([]byte, bool, error) {
	rows, place := tx.s.kinds[t.Kind], strings.Join(key, "/")
	if t.Newest != "" {
		for at := range rows {
			if strings.HasPrefix(at, strings.Join(key, "/")+"/") {
				place = max(place, at)
			}
		}
	}
	row, found := rows[place]
	return row.Raw, found, nil
}

func (tx *transaction) Insert(t *driver.Table, row driver.Row) (bool, error) {
	if _, taken := tx.s.kinds[t.Kind][rowKey(t, row)]; taken {
		return false, nil
	}
	for _, index := range t.Indexes {
		q := driver.Query{Table: t, Index: index}
		isTaken := func(other driver.Row) bool { return slices.Equal(partsOf(q, other), partsOf(q, row)) }
		if index.Unique && index.Has(t, row) && slices.ContainsFunc(tx.s.find(q), isTaken) {
			return false, nil
		}
	}
	return true, tx.Put(t, nil, row)
}

func (tx *transaction) Put(t *driver.Table, _ *driver.Row, row driver.Row) error {
	tx.write(t.Kind, rowKey(t, row), &driver.Row{Key: row.Key, Columns: row.Columns, Raw: row.Raw})
	return nil
}

func (tx *transaction) Delete(t *driver.Table, row driver.Row) error {
	tx.write(t.Kind, rowKey(t, row), nil)
	return nil
}

func (tx *transaction) NextRank(t *driver.Table, owner []string) (uint64, error) {
	counter, n := strings.Join(owner, "/"), uint64(1)
	if last, counted := tx.s.kinds[t.Counter][counter]; counted {
		n += binary.BigEndian.Uint64(last.Raw)
	}
	tx.write(t.Counter, counter, &driver.Row{Key: owner, Raw: binary.BigEndian.AppendUint64(nil, n)})
	return n, nil
}

func (tx *transaction) Append(t *driver.Table, owner []string, raw []byte) error {
	n, _ := tx.NextRank(t, owner)
	return tx.Put(t, nil, driver.Row{Key: append(slices.Clone(owner), record.EncodeRank(n)), Raw: raw})
}

func (tx *transaction) EndCounter(t *driver.Table, owner []string) error {
	return tx.Delete(&driver.Table{Kind: t.Counter}, driver.Row{Key: owner})
}

func (tx *transaction) TakeLane(t *driver.Table, owner string, lanes []string) (string, []byte, bool, error) {
	raw, found, err := tx.Get(t, []string{owner, lanes[0]}, driver.NoLock)
	return lanes[0], raw, found, err
}

func (tx *transaction) PutLane(t *driver.Table, row driver.Row, _ []byte) error {
	return tx.Put(t, nil, row)
}

func (tx *transaction) AuditKey() [32]byte { return tx.s.AuditKey() }

func (tx *transaction) Scan(q driver.Query, visit func(driver.Row) (bool, error)) error {
	for i, row := range tx.s.find(q) {
		if q.Limit > 0 && i == q.Limit {
			return nil
		}
		if more, err := visit(row); err != nil || !more {
			return err
		}
	}
	return nil
}

func (tx *transaction) Tally(q driver.Query, part string) (map[string]int, error) {
	counts := map[string]int{}
	for _, row := range tx.s.find(q) {
		counts[driver.EncodePart(q.Table.Column(row, part))]++
	}
	return counts, nil
}

func (tx *transaction) Claim(
	q driver.Query, turns *driver.Table, now time.Time,
) (first driver.Row, found bool, err error) {
	turnOf := func(row driver.Row) string { return string(tx.s.kinds[turns.Kind][row.Key[0]].Raw) }
	for _, row := range tx.s.find(q) {
		if !found || turnOf(row) < turnOf(first) {
			first, found = row, true
		}
	}
	if found {
		tx.write(turns.Kind, first.Key[0], &driver.Row{Key: first.Key[:1], Raw: []byte(record.EncodeTime(now))})
	}
	return first, found, nil
}

func (tx *transaction) Count(t *driver.Table, changes []driver.Change) error {
	for i, c := range changes {
		raw, _, _ := tx.Get(t, c.Key, driver.NoLock)
		after, err := t.Counts.Apply(raw, changes[i:i+1])
		if err != nil {
			return err
		}
		row := &driver.Row{Key: c.Key, Raw: after}
		if after == nil {
			row = nil
		}
		tx.write(t.Kind, strings.Join(c.Key, "/"), row)
	}
	return nil
}

func (tx *transaction) Unreadable(t *driver.Table, key []string, cause error) error {
	return (*record.UnreadableLog)(nil).NewError(nil, t.Kind+"/"+strings.Join(key, "/"), cause)
}

func (tx *transaction) Announce(kind store.ChangeKind) { tx.changed = append(tx.changed, kind) }

// There is one transaction at a time, of one appliance, on no disk.
func (tx *transaction) Load(...driver.Load) error                 { return nil }
func (tx *transaction) LockNames(...[]string) error               { return nil }
func (tx *transaction) Shared() bool                              { return false }
func (tx *transaction) CheckLease() error                         { return nil }
func (tx *transaction) Own(*driver.Table, []string) error         { return nil }
func (tx *transaction) OweCompaction()                            {}
func (tx *transaction) MarkUrgent()                               {}
func (tx *transaction) Drop(q driver.Query, row driver.Row) error { return tx.Delete(q.Table, row) }
