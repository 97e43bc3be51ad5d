package postgres

import (
	"context"
	"fmt"
	"slices"
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

// GroupsCommits implements [driver.Driver]: the server does, but most of a transaction's cost are its statements.
func (d storeDriver) GroupsCommits() bool { return false }

// Sweep implements [driver.Driver].
func (d storeDriver) Sweep(ctx context.Context, b driver.Batch) error {
	return driver.RunSweep(ctx, d, b, sweepBatch)
}

// Get implements [driver.Tx].
func (e *dbTx) Get(t *driver.Table, key []string, lock driver.Lock) (raw []byte, found bool, err error) {
	if one := e.loaded.find(t, key, lock); one != nil {
		return one.raw, one.raw != nil, nil
	}
	table := tableOf(t)
	args, err := table.keyArgs(key)
	if err != nil {
		return nil, false, err
	}
	sql := "SELECT record FROM " + t.Name + " " + table.whereKey
	if lock == driver.OwnLock || lock == driver.OwnRecord {
		args = append(args, e.appliance)
		sql += fmt.Sprintf(" AND owner = $%d", len(args))
	}
	if t.Newest != "" {
		sql += " ORDER BY " + t.Newest + " DESC LIMIT 1"
	}
	if lock == driver.OwnLock || lock == driver.RowLock {
		sql += " FOR UPDATE"
	}
	if found, err = e.scanRow(sql, args, &raw); err != nil || found || lock != driver.OwnLock {
		return raw, found, err
	}
	if _, found, err = e.Get(t, key, driver.NoLock); err == nil && found {
		err = store.Errorf(store.CodeConflict, "another appliance has taken this record over")
	}
	return nil, false, err
}

// LockNames implements [driver.Tx], by advisory locks in the order of their hashes. Each schema has its own names.
func (e *dbTx) LockNames(names ...[]string) error {
	if len(names) == 0 {
		return nil
	}
	whole := make([]string, len(names))
	for i, parts := range names {
		whole[i] = strings.Join(parts, "/")
	}
	rows, err := e.query("SELECT pg_advisory_xact_lock(n.hash) FROM (SELECT DISTINCT hashtextextended("+
		"current_schema() || '/' || name, 0) AS hash FROM unnest($1::text[]) name ORDER BY 1) n", whole)
	if err != nil {
		return err
	}
	rows.Close()
	return rows.Err()
}

// Shared implements [driver.Tx].
func (e *dbTx) Shared() bool { return true }

// AuditKey implements [driver.Tx].
func (e *dbTx) AuditKey() [32]byte { return e.store.AuditKey() }

// CheckLease implements [driver.Tx].
func (e *dbTx) CheckLease() error { return e.store.checkLease(e) }

// Own implements [driver.Tx].
func (e *dbTx) Own(t *driver.Table, key []string) error {
	table := tableOf(t)
	args, err := table.keyArgs(key)
	if err == nil {
		e.queueOwn(table, joinKey(key), append(args, e.appliance))
	}
	return err
}

// Insert implements [driver.Tx].
func (e *dbTx) Insert(t *driver.Table, row driver.Row) (bool, error) {
	table := tableOf(t)
	args, err := e.rowArgs(table, row)
	if err != nil {
		return false, err
	}
	n, err := e.execCount(table.insert+" ON CONFLICT DO NOTHING", args...)
	if n > 0 {
		e.loaded.change(t, row.Key, row.Raw)
	}
	return n > 0, err
}

// Put implements [driver.Tx].
func (e *dbTx) Put(t *driver.Table, _ *driver.Row, row driver.Row) error {
	table := tableOf(t)
	args, err := e.rowArgs(table, row)
	if err != nil {
		return err
	}
	e.loaded.change(t, row.Key, row.Raw)
	if t.Newest == "" {
		e.queuePut(table, joinKey(row.Key), args)
		return nil
	}
	e.queueWrite(table.upsert(1, false), args...)
	key, err := table.keyArgs(row.Key)
	e.queueWrite(fmt.Sprintf("UPDATE %s SET record = $%d %s AND %s < $%d",
		t.Name, len(key)+1, table.whereKey, t.Newest, len(key)+2), append(key, row.Raw, t.Column(row, t.Newest))...)
	return err
}

// Delete implements [driver.Tx].
func (e *dbTx) Delete(t *driver.Table, row driver.Row) error {
	table := tableOf(t)
	args, err := table.keyArgs(row.Key)
	sql := "DELETE FROM " + t.Name + " " + table.whereKey
	if t.Newest != "" && row.Columns != nil {
		args = append(args, t.Column(row, t.Newest))
		sql += fmt.Sprintf(" AND %s <= $%d", t.Newest, len(args))
	}
	if err == nil {
		e.loaded.change(t, row.Key, nil)
		e.queueWrite(sql, args...)
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

// Drop implements [driver.Tx].
func (e *dbTx) Drop(q driver.Query, row driver.Row) error {
	w := &whereClause{}
	for i, name := range q.Table.Key {
		w.addCondition(driver.Condition{Column: name, Value: row.Key[i]})
	}
	if i := slices.Index(placeColumns(q), q.Table.Newest); i >= 0 {
		column, _ := q.Table.DecodePart(q.Table.Newest, strings.Split(row.Place, "/")[i])
		w.addCondition(driver.Condition{Column: q.Table.Newest, Value: column})
	}
	where := w.String()
	if q.Index.Dropped == nil {
		e.queueWrite("DELETE FROM "+q.Table.Name+where, w.args...)
		return nil
	}
	e.queueWrite("UPDATE "+q.Table.Name+" SET "+q.Index.Dropped.Column+" = "+w.add(q.Index.Dropped.Value)+where, w.args...)
	return nil
}

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
