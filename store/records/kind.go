package records

import (
	"context"
	"encoding/json"
	"slices"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// kindOf is a kind of records of type T: its table, and what the absence of a record means.
type kindOf[T any] struct {
	*driver.Table
	columns func(T) []any
	// missing returns the error of a record that is not there.
	missing func(key []string) error
}

// declareKind completes a table with the columns of its records, and lists it in [ListTables]. columns may be nil for a
// table without.
func declareKind[T any](t driver.Table, columns func(T) []any, missing func(key []string) error) kindOf[T] {
	k := kindOf[T]{&t, columns, missing}
	t.Decode = func(raw []byte) (any, []any, error) {
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, nil, err
		}
		return one, k.entry(one, nil).Columns, nil
	}
	t.NewRecord = func() any { return new(T) }
	t.Prepare()
	tables = append(tables, &t)
	return k
}

// tables are the declared tables.
var tables []*driver.Table

// ListTables returns the tables of all kinds of records that this package declares.
func ListTables() []*driver.Table { return slices.Clone(tables) }

// indexOf returns the index whose entries are of a kind.
func (k kindOf[T]) indexOf(entries string) *driver.Index {
	i := slices.IndexFunc(k.Indexes, func(index *driver.Index) bool { return index.Kind == entries })
	return k.Indexes[i]
}

// row encodes a record.
func (k kindOf[T]) row(one T, key []string) (driver.Row, error) {
	row := k.entry(one, key)
	raw, err := json.Marshal(one)
	row.Raw = raw
	return row, err
}

// entry returns a record's key and columns.
func (k kindOf[T]) entry(one T, key []string) driver.Row {
	row := driver.Row{Key: key}
	if k.columns != nil {
		row.Columns = k.columns(one)
	}
	return row
}

// find returns the record of a key; false without one, and for a malformed key.
func (k kindOf[T]) find(tx driver.Tx, key ...string) (T, bool, error) {
	return k.get(tx, driver.NoLock, key)
}

// get is [kindOf.find] with a lock.
func (k kindOf[T]) get(tx driver.Tx, lock driver.Lock, key []string) (one T, found bool, err error) {
	for _, part := range key {
		if !record.IsKeyPart(part) {
			return one, false, nil
		}
	}
	raw, found, err := tx.Get(k.Table, key, lock)
	if err != nil || !found {
		return one, false, err
	}
	if err := json.Unmarshal(raw, &one); err != nil {
		return one, true, tx.Unreadable(k.Table, key, err)
	}
	return one, true, nil
}

// need is [kindOf.find] with the kind's error for a missing record.
func (k kindOf[T]) need(tx driver.Tx, key ...string) (T, error) {
	return k.require(tx, driver.NoLock, key)
}

// lock is [kindOf.need] with a lock until the end of the transaction.
func (k kindOf[T]) lock(tx driver.Tx, key ...string) (T, error) {
	return k.require(tx, driver.RowLock, key)
}

// lockReadable is [kindOf.find] with a lock, to which a record that cannot be read is none.
func (k kindOf[T]) lockReadable(tx driver.Tx, key ...string) (one T, found bool, err error) {
	one, found, err = k.get(tx, driver.RowLock, key)
	if store.IsUnreadable(err) {
		return one, false, nil
	}
	return one, found, err
}

func (k kindOf[T]) require(tx driver.Tx, lock driver.Lock, key []string) (T, error) {
	one, found, err := k.get(tx, lock, key)
	if err == nil && !found {
		return one, k.missing(key)
	}
	return one, err
}

// add writes a new record; [store.CodeConflict] with the given message when its key, or its key in a unique index, is
// in use.
func (k kindOf[T]) add(tx driver.Tx, one T, conflict string, key ...string) error {
	row, err := k.row(one, key)
	if err != nil {
		return err
	}
	added, err := tx.Insert(k.Table, row)
	if err == nil && !added {
		return store.Errorf(store.CodeConflict, "%s", conflict)
	}
	return err
}

// put writes a record whose index entries do not change.
func (k kindOf[T]) put(tx driver.Tx, one T, key ...string) error {
	row, err := k.row(one, key)
	if err != nil {
		return err
	}
	return tx.Put(k.Table, nil, row)
}

// replace writes a record in place of an earlier form of it.
func (k kindOf[T]) replace(tx driver.Tx, before, after T, key ...string) error {
	old := k.entry(before, key)
	row, err := k.row(after, key)
	if err != nil {
		return err
	}
	return tx.Put(k.Table, &old, row)
}

// remove deletes a record.
func (k kindOf[T]) remove(tx driver.Tx, one T, key ...string) error {
	return tx.Delete(k.Table, k.entry(one, key))
}

// visit calls f with each record of a query until f returns false; records that cannot be read are passed over, and
// take no room in its limit. A query for a malformed id finds nothing.
func (k kindOf[T]) visit(tx driver.Tx, q driver.Query, f func(row driver.Row, one T) (bool, error)) error {
	return k.visitAll(tx, q, func(row driver.Row, one T) (bool, error) {
		if row.Err != nil {
			return true, nil //nolint:nilerr // the driver has reported it
		}
		return f(row, one)
	})
}

// visitAll is [kindOf.visit] of all rows: those of records that cannot be read have an error.
func (k kindOf[T]) visitAll(tx driver.Tx, q driver.Query, f func(row driver.Row, one T) (bool, error)) error {
	for _, value := range q.Equal {
		if part, isText := value.(string); isText && !record.IsKeyPart(part) {
			return nil
		}
	}
	q.Table = k.Table
	for {
		rows, unreadable, more := 0, 0, true
		err := tx.Scan(q, func(row driver.Row) (_ bool, err error) {
			one := k.read(tx, &row)
			if rows++; row.Err != nil {
				unreadable++
			}
			q.After = row.Place
			more, err = f(row, one)
			return more, err
		})
		if err != nil || !more || unreadable == 0 || rows < q.Limit || q.After == "" {
			return err
		}
		q.Limit = unreadable
	}
}

// read returns the record of a row; one that cannot be decoded becomes an error of the row.
func (k kindOf[T]) read(tx driver.Tx, row *driver.Row) (one T) {
	if decoded, is := row.Record.(T); is || row.Err != nil {
		return decoded
	}
	if err := unmarshalRecord(row.Raw, &one); err != nil {
		row.Err = tx.Unreadable(k.Table, row.Key, err)
	}
	return one
}

// decode returns the record of a row that the driver has decoded.
func (k kindOf[T]) decode(row driver.Row) T {
	one, _ := row.Record.(T)
	return one
}

// list returns the records of a query that can be read. Its result is never nil.
func (k kindOf[T]) list(tx driver.Tx, q driver.Query) ([]T, error) {
	all := []T{}
	err := k.visit(tx, q, func(_ driver.Row, one T) (bool, error) {
		all = append(all, one)
		return true, nil
	})
	return all, err
}

// one returns the first record of a query; the kind's error without one.
func (k kindOf[T]) one(tx driver.Tx, q driver.Query) (first T, err error) {
	q.Limit = 1
	found := false
	err = k.visitAll(tx, q, func(row driver.Row, one T) (bool, error) {
		first, found = one, true
		return false, row.Err
	})
	if err == nil && !found {
		err = k.missing(nil)
	}
	return first, err
}

// page returns a page of a query's records; list identifies the list in cursors.
func (k kindOf[T]) page(
	tx driver.Tx, q driver.Query, list []string, limit int, cursor string,
) (page store.ListPage[T], err error) {
	page.Items = []T{}
	if err = record.CheckLimit(limit); err == nil {
		q.After, err = record.PlaceOfCursor(list, cursor)
	}
	if err != nil {
		return page, err
	}
	q.Limit = limit + 1 // one more shows that a page follows
	var last string
	err = k.visit(tx, q, func(row driver.Row, one T) (bool, error) {
		if len(page.Items) == limit {
			page.Next = record.EncodeCursor(list, last)
			return false, nil
		}
		last = row.Place
		page.Items = append(page.Items, one)
		return true, nil
	})
	return page, err
}

// sweepKind calls change with each record of a query, in batches of one transaction each, and returns the results of
// those for which it returns true; [driver.Query.Limit] is their maximum, 0: none. A record that cannot be read is
// taken out of an index that allows it.
func sweepKind[T, R any](
	ctx context.Context, db driver.Driver, k kindOf[T], q driver.Query,
	change func(tx driver.Tx, row driver.Row, one T) (result R, changed bool, err error),
) (all []R, err error) {
	limit, reached := q.Limit, "" // the place of the last record of a committed batch
	var batch []R
	var last string
	q.Table, q.Lock = k.Table, true
	err = db.Sweep(ctx, driver.Batch{
		Change: func(tx driver.Tx, most int) (n int, err error) {
			if limit > 0 {
				most = min(most, limit-len(all))
			}
			if batch = nil; most <= 0 {
				return 0, nil
			}
			q.After, q.Limit = reached, most
			err = k.visitAll(tx, q, func(row driver.Row, one T) (bool, error) {
				n++
				last = row.Place
				if row.Err != nil {
					if q.Index == nil || !q.Index.Droppable {
						return true, nil
					}
					return true, tx.Drop(q, row)
				}
				result, changed, err := change(tx, row, one)
				if changed {
					batch = append(batch, result)
				}
				return true, err
			})
			return n, err
		},
		Done: func() { all, reached = append(all, batch...), last },
	})
	return all, err
}

// sweep changes the records of a query in batches, one transaction each, and returns them as change leaves them.
func (k kindOf[T]) sweep(
	ctx context.Context, db driver.Driver, q driver.Query, change func(tx driver.Tx, one T) (T, error),
) ([]T, error) {
	return sweepKind(ctx, db, k, q, func(tx driver.Tx, _ driver.Row, one T) (T, bool, error) {
		after, err := change(tx, one)
		return after, true, err
	})
}

// drop deletes records with personal data that a query finds, in batches, also those that cannot be read. They must
// have no index entries.
func (k kindOf[T]) drop(ctx context.Context, db driver.Driver, q driver.Query) error {
	q.Table, q.Lock = k.Table, true
	return db.Sweep(ctx, driver.Batch{
		Change: func(tx driver.Tx, most int) (n int, err error) {
			q.Limit = most
			tx.OweCompaction()
			err = tx.Scan(q, func(row driver.Row) (bool, error) {
				n++
				return true, tx.Delete(k.Table, row)
			})
			return n, err
		},
		Done: func() {},
	})
}

// append adds a record under the next rank of its owner.
func (k kindOf[T]) append(tx driver.Tx, one T, owner ...string) error {
	raw, err := json.Marshal(one)
	if err != nil {
		return err
	}
	return tx.Append(k.Table, owner, raw)
}

// declareRaw lists a table whose records are no JSON, and not decoded here.
func declareRaw(t driver.Table) *driver.Table {
	t.Decode = func(raw []byte) (any, []any, error) { return raw, nil, nil }
	t.Prepare()
	t.NewRecord = func() any { return new([]byte) }
	tables = append(tables, &t)
	return &t
}

// unmarshalRecord decodes a record; one that decodes itself checks its syntax as well.
func unmarshalRecord(raw []byte, record any) error {
	if own, is := record.(json.Unmarshaler); is {
		return own.UnmarshalJSON(raw)
	}
	return json.Unmarshal(raw, record)
}
