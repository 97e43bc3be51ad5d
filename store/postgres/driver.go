package postgres

import (
	"context"
	"fmt"
	"strings"

	"munadi/store"
	"munadi/store/driver"
)

// storeDriver is the database as package records uses it. silent are the appliances without a recent heartbeat, whose
// records are those of [driver.DeadOwner].
type storeDriver struct {
	s      *PostgresStore
	silent []string
}

var _ driver.Driver = storeDriver{}

// Read implements [driver.Driver].
func (d storeDriver) Read(ctx context.Context, f func(driver.Tx) error) error {
	return d.s.readRows(ctx, func(e *dbTx) error { return f(e) })
}

// Update implements [driver.Driver].
func (d storeDriver) Update(ctx context.Context, f func(driver.Tx) error) error {
	return d.s.updateTx(ctx, func(e *dbTx) error {
		e.silent = d.silent
		return f(e)
	})
}

// Sweep implements [driver.Driver].
func (d storeDriver) Sweep(ctx context.Context, b driver.Batch) error {
	for {
		n := 0
		err := d.Update(ctx, func(tx driver.Tx) (err error) {
			n, err = b.Change(tx, sweepBatch)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
		b.Done()
	}
}

// Get implements [driver.Tx].
func (e *dbTx) Get(t *driver.Table, key []string, lock driver.Lock) (raw []byte, found bool, err error) {
	args, err := keyColumns(t, key)
	if err != nil {
		return nil, false, err
	}
	table := sqlTableOf(t)
	sql := "SELECT record FROM " + table.name + " " + table.whereKey()
	switch lock {
	case driver.RowLock:
		sql += " FOR UPDATE"
	case driver.OwnLock:
		args = append(args, e.appliance)
		sql += fmt.Sprintf(" AND owner = $%d FOR UPDATE", len(args))
	}
	if found, err = e.scanRow(sql, args, &raw); err != nil || found || lock != driver.OwnLock {
		return raw, found, err
	}
	if _, found, err = e.Get(t, key, driver.NoLock); err == nil && found {
		err = store.Errorf(store.CodeConflict, "another appliance has taken this record over")
	}
	return nil, false, err
}

// LockName implements [driver.Tx].
func (e *dbTx) LockName(parts ...string) error { return lockName(e, parts...) }

// Own implements [driver.Tx].
func (e *dbTx) Own(t *driver.Table, key []string) error {
	args, err := keyColumns(t, key)
	if err == nil {
		table := sqlTableOf(t)
		e.queueWrite(fmt.Sprintf("UPDATE %s SET owner = $%d %s", table.name, len(args)+1, table.whereKey()),
			append(args, e.appliance)...)
	}
	return err
}

// Insert implements [driver.Tx].
func (e *dbTx) Insert(t *driver.Table, row driver.Row) (bool, error) {
	args, err := e.rowColumns(t, row)
	if err != nil {
		return false, err
	}
	n, err := e.execCount(sqlTableOf(t).insert()+" ON CONFLICT DO NOTHING", args...)
	return n > 0, err
}

// Put implements [driver.Tx].
func (e *dbTx) Put(t *driver.Table, _ *driver.Row, row driver.Row) error {
	args, err := e.rowColumns(t, row)
	if err == nil {
		e.queueWrite(sqlTableOf(t).upsert(), args...)
	}
	return err
}

// Delete implements [driver.Tx].
func (e *dbTx) Delete(t *driver.Table, row driver.Row) error {
	args, err := keyColumns(t, row.Key)
	if err == nil {
		table := sqlTableOf(t)
		e.queueWrite("DELETE FROM "+table.name+" "+table.whereKey(), args...)
	}
	return err
}

// Append implements [driver.Tx]: a sequence numbers the records of all owners.
func (e *dbTx) Append(t *driver.Table, owner []string, raw []byte) error {
	var args []any
	for _, part := range owner {
		args = append(args, part)
	}
	places := make([]string, len(owner))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	e.queueWrite(fmt.Sprintf("INSERT INTO %s (%s, record) VALUES (%s, nextval('ranks'), $%d)",
		t.Name, strings.Join(t.Key, ", "), strings.Join(places, ", "), len(owner)+1), append(args, raw)...)
	return nil
}

// NextRank implements [driver.Tx].
func (e *dbTx) NextRank(*driver.Table, []string) (uint64, error) {
	var next int64
	_, err := e.scanRow("SELECT nextval('ranks')", nil, &next)
	return uint64(next), err
}

// EndCounter implements [driver.Tx]; all owners share a sequence.
func (e *dbTx) EndCounter(*driver.Table, []string) error { return nil }

// Unreadable implements [driver.Tx].
func (e *dbTx) Unreadable(t *driver.Table, key []string, cause error) error {
	return e.unreadable.NewError(e.report, strings.Join(append([]string{t.Kind}, key...), "/"), cause)
}

// Announce implements [driver.Tx].
func (e *dbTx) Announce(kind store.ChangeKind) { e.touchKind(kind) }

// OweCompaction implements [driver.Tx]; the server vacuums its tables.
func (e *dbTx) OweCompaction() {}

// MarkUrgent implements [driver.Tx]; the server's disk has no reserve.
func (e *dbTx) MarkUrgent() {}

// sqlTableOf returns a declared table's columns in SQL.
func sqlTableOf(t *driver.Table) sqlTable {
	if len(t.Key) == 0 {
		return sqlTable{name: t.Name, keys: []string{"name"}}
	}
	return sqlTable{name: t.Name, keys: t.Key, others: t.Columns, owned: t.Owned}
}

// keyColumns returns the parts of a key as columns. A record without key parts is a named row of the table of settings.
func keyColumns(t *driver.Table, key []string) (columns []any, err error) {
	if len(t.Key) == 0 {
		return []any{t.Kind}, nil
	}
	for i, part := range key {
		column, wellFormed := t.DecodePart(t.Key[i], part)
		if !wellFormed {
			return nil, store.Errorf(store.CodeInvalid, "the %s of a record of %s is no number: %s", t.Key[i], t.Name, part)
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// rowColumns returns the arguments of [sqlTable.insert].
func (e *dbTx) rowColumns(t *driver.Table, row driver.Row) ([]any, error) {
	columns, err := keyColumns(t, row.Key)
	columns = append(append(columns, row.Columns...), row.Raw)
	if t.Owned {
		columns = append(columns, e.appliance)
	}
	return columns, err
}
