package records

import (
	"context"
	"encoding/json"
	"errors"
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
	t.Values = func(raw []byte) ([]any, error) {
		var one T
		if columns == nil {
			return nil, json.Unmarshal(raw, &one)
		}
		err := json.Unmarshal(raw, &one)
		return columns(one), err
	}
	t.NewRecord = func() any { return new(T) }
	tables = append(tables, &t)
	return k
}

// tables are the declared tables.
var tables []*driver.Table

// ListTables returns the tables of all kinds of records that this package declares.
func ListTables() []*driver.Table { return slices.Clone(tables) }

// row encodes a record.
func (k kindOf[T]) row(one T, key []string) (driver.Row, error) {
	raw, err := json.Marshal(one)
	row := driver.Row{Key: key, Raw: raw}
	if k.columns != nil {
		row.Columns = k.columns(one)
	}
	return row, err
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
	old, err := k.row(before, key)
	row, other := k.row(after, key)
	if err := errors.Join(err, other); err != nil {
		return err
	}
	return tx.Put(k.Table, &old, row)
}

// remove deletes a record.
func (k kindOf[T]) remove(tx driver.Tx, one T, key ...string) error {
	row, err := k.row(one, key)
	if err != nil {
		return err
	}
	return tx.Delete(k.Table, row)
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
			var one T
			if row.Err == nil {
				if err := json.Unmarshal(row.Raw, &one); err != nil {
					row.Err = tx.Unreadable(k.Table, row.Key, err)
				}
			}
			if rows++; row.Err != nil {
				unreadable++
			}
			q.After = row.Place
			more, err = f(row, one)
			return more, err
		})
		if err != nil || !more || unreadable == 0 || rows < q.Limit {
			return err
		}
		q.Limit = unreadable
	}
}

// decode decodes the record of a row.
func (k kindOf[T]) decode(row driver.Row) (one T, err error) {
	if err := json.Unmarshal(row.Raw, &one); err != nil {
		return one, &store.Error{Code: store.CodeCorrupt, Message: "a record cannot be read", Err: err}
	}
	return one, nil
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

// sweep changes the records of a query in batches, one transaction each, and returns them as change leaves them.
func (k kindOf[T]) sweep(
	ctx context.Context, db driver.Driver, q driver.Query, change func(tx driver.Tx, one T) (T, error),
) (all []T, err error) {
	var batch []T
	q.Lock = true
	err = db.Sweep(ctx, driver.Batch{
		Change: func(tx driver.Tx, most int) (int, error) {
			q.Limit = most
			found, err := k.list(tx, q)
			for i, one := range found {
				if err == nil {
					found[i], err = change(tx, one)
				}
			}
			batch = found
			return len(found), err
		},
		Done: func() { all = append(all, batch...) },
	})
	return all, err
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
	t.Values = func([]byte) ([]any, error) { return nil, nil }
	t.NewRecord = func() any { return new([]byte) }
	tables = append(tables, &t)
	return &t
}
