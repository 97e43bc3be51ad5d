package postgres

import (
	"encoding/json"
	"fmt"
	"strings"

	"munadi/store"
)

// sqlTable is the table of one kind of record: key columns, columns derived from the record, and the record itself.
type sqlTable struct {
	name   string
	keys   []string
	others []string // columns derived from the record
	owned  bool     // rows have an owner: the appliance that added the row, or the one that took it over
}

// tableOf is the table of records of type T.
type tableOf[T any] struct {
	sqlTable
	derive func(T) []any // the values of the other columns
}

// plainTable returns a table of keys and records only.
func plainTable[T any](name string, keys ...string) tableOf[T] {
	return tableOf[T]{sqlTable: sqlTable{name: name, keys: keys}}
}

// find reads the record of a key; false without one.
func (t tableOf[T]) find(e *dbTx, key ...any) (T, bool, error) {
	return t.first(e, t.whereKey(), key...)
}

// lock is [tableOf.find] with a row lock until the end of the transaction.
func (t tableOf[T]) lock(e *dbTx, key ...any) (T, bool, error) {
	return t.first(e, t.whereKey()+" FOR UPDATE", key...)
}

// whereKey returns the condition on the key, whose columns are the first arguments.
func (t sqlTable) whereKey() string {
	parts := make([]string, len(t.keys))
	for i, name := range t.keys {
		parts[i] = fmt.Sprintf("%s = $%d", name, i+1)
	}
	return "WHERE " + strings.Join(parts, " AND ")
}

// lockReadable is [tableOf.lock], to which an unreadable record is none.
func (t tableOf[T]) lockReadable(e *dbTx, key ...any) (T, bool, error) {
	return skipUnreadable(t.lock(e, key...))
}

// skipUnreadable turns the result of an unreadable record into that of none.
func skipUnreadable[T any](record T, found bool, err error) (T, bool, error) {
	if store.IsUnreadable(err) {
		var none T
		return none, false, nil
	}
	return record, found, err
}

// first reads the first record of a query's condition and order; false without one.
func (t tableOf[T]) first(e *dbTx, rest string, args ...any) (record T, found bool, err error) {
	rows, err := t.read(e, rest, args...)
	if err != nil || len(rows) == 0 {
		return record, false, err
	}
	return rows[0].record, rows[0].err == nil, rows[0].err
}

// list reads the records of a query's condition and order, without the unreadable ones. Its result is never nil.
func (t tableOf[T]) list(e *dbTx, rest string, args ...any) ([]T, error) {
	rows, err := t.read(e, rest, args...)
	return readableOf(rows), err
}

// listFirst is list of the first readable records, at most most.
func (t tableOf[T]) listFirst(e *dbTx, most int, rest string, args ...any) ([]T, error) {
	rows, err := t.readFirst(e, most, rest, args...)
	return readableOf(rows), err
}

// readFirst reads the first rows up to most readable records: unreadable ones take no room.
func (t tableOf[T]) readFirst(e *dbTx, most int, rest string, args ...any) ([]recordRow[T], error) {
	rest += fmt.Sprintf(" LIMIT $%d", len(args)+1)
	for limit := max(most, 0); ; {
		rows, err := t.read(e, rest, append(args[:len(args):len(args)], limit)...)
		missing := max(most, 0) - len(readableOf(rows))
		if err != nil || len(rows) < limit || missing == 0 {
			return rows, err
		}
		limit += missing
	}
}

// read reads the rows of a query's condition and order.
func (t tableOf[T]) read(e *dbTx, rest string, args ...any) ([]recordRow[T], error) {
	return readRecords[T](e, t.name, "SELECT "+t.selected()+" FROM "+t.name+" "+rest, args...)
}

// selected returns the columns of [readRecords]: the record and its key.
func (t tableOf[T]) selected() string {
	return "record, concat_ws('/', " + strings.Join(t.keys, ", ") + ")"
}

// recordRow is a row of a query: a record, or the error of an unreadable one, and its place in the order of the query.
type recordRow[T any] struct {
	record     T
	err        error
	key, place string
}

// readRecords reads the rows of a query on a table. Its columns are the record, its key, and those of its place.
func readRecords[T any](e *dbTx, table, sql string, args ...any) (all []recordRow[T], err error) {
	rows, err := e.query(sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		var key string
		to := []any{&raw, &key}
		place := make([]any, len(rows.FieldDescriptions())-len(to))
		for i := range place {
			to = append(to, &place[i])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		one := recordRow[T]{key: key, place: joinPlace(place)}
		one.err = e.decodeReported(kindOf(table)+"/"+key, raw, &one.record)
		all = append(all, one)
	}
	return all, rows.Err()
}

// readableOf returns the records of the rows that can be read.
func readableOf[T any](rows []recordRow[T]) []T {
	all := []T{}
	for _, one := range rows {
		if one.err == nil {
			all = append(all, one.record)
		}
	}
	return all
}

// decodeReported decodes a record. An unreadable one is added to the report and the log by its key in a dump.
func (e *dbTx) decodeReported(key string, raw []byte, record any) error {
	if err := decodeRecord(raw, record); err != nil {
		return e.unreadable.NewError(e.report, key, err)
	}
	return nil
}

// add writes a new record; false when its key is in use.
func (t tableOf[T]) add(e *dbTx, record T, key ...any) (bool, error) {
	n, err := e.execCount(t.insert()+" ON CONFLICT DO NOTHING", t.values(e, record, key)...)
	return n > 0, err
}

// put inserts or replaces a record; its owner is kept.
func (t tableOf[T]) put(e *dbTx, record T, key ...any) {
	e.queueWrite(t.upsert(), t.values(e, record, key)...)
}

// upsert returns the statement that inserts or replaces a row.
func (t sqlTable) upsert() string {
	var set []string
	for _, name := range append(t.others[:len(t.others):len(t.others)], "record") {
		set = append(set, name+" = excluded."+name)
	}
	return fmt.Sprintf("%s ON CONFLICT (%s) DO UPDATE SET %s",
		t.insert(), strings.Join(t.keys, ", "), strings.Join(set, ", "))
}

// insert returns the statement that inserts a row.
func (t sqlTable) insert() string {
	columns := append(append(t.keys[:len(t.keys):len(t.keys)], t.others...), "record")
	if t.owned {
		columns = append(columns, "owner")
	}
	places := make([]string, len(columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.name, strings.Join(columns, ", "), strings.Join(places, ", "))
}

// values returns the arguments of [sqlTable.insert].
func (t tableOf[T]) values(e *dbTx, record T, key []any) []any {
	all := append([]any{}, key...)
	if t.derive != nil {
		all = append(all, t.derive(record)...)
	}
	raw, err := encodeRecord(record)
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("encode a record of %s: %w", t.name, err)
	}
	all = append(all, raw)
	if t.owned {
		all = append(all, e.appliance)
	}
	return all
}

// remove deletes the record of a key, if it exists.
func (t tableOf[T]) remove(e *dbTx, key ...any) {
	e.queueWrite("DELETE FROM "+t.name+" "+t.whereKey(), key...)
}

// encodeRecord encodes a record as JSON; a []byte is returned unchanged.
func encodeRecord(record any) ([]byte, error) {
	if raw, isRaw := record.([]byte); isRaw {
		return raw, nil
	}
	return json.Marshal(record)
}

// decodeRecord decodes the output of encodeRecord.
func decodeRecord(raw []byte, record any) error {
	if to, isRaw := record.(*[]byte); isRaw {
		*to = raw
		return nil
	}
	return json.Unmarshal(raw, record)
}
