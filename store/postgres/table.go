package postgres

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store"
)

// tableOf describes the table of one kind of record: key columns, columns derived from the record, and the record
// itself.
type tableOf[T any] struct {
	name   string
	keys   []string
	others []string      // columns derived from the record
	derive func(T) []any // their values
	owned  bool          // rows have an owner: the appliance that added the row, or the one that took it over
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
func (t tableOf[T]) whereKey() string {
	parts := make([]string, len(t.keys))
	for i, name := range t.keys {
		parts[i] = fmt.Sprintf("%s = $%d", name, i+1)
	}
	return "WHERE " + strings.Join(parts, " AND ")
}

// first reads the first record of a query's condition and order; false without one.
func (t tableOf[T]) first(e *dbTx, rest string, args ...any) (record T, found bool, err error) {
	all, err := t.list(e, rest, args...)
	if err != nil || len(all) == 0 {
		return record, false, err
	}
	return all[0], true, nil
}

// list reads the records of a query's condition and order. Its result is never nil.
func (t tableOf[T]) list(e *dbTx, rest string, args ...any) ([]T, error) {
	return listRecords[T](e, "SELECT record FROM "+t.name+" "+rest, args...)
}

// listRecords reads the records in the first column of a query.
func listRecords[T any](e *dbTx, sql string, args ...any) ([]T, error) {
	rows, err := e.query(sql, args...)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (record T, err error) {
		var raw []byte
		if err = row.Scan(&raw); err != nil {
			return record, err
		}
		return record, decodeRecord(raw, &record)
	})
	if all == nil {
		all = []T{}
	}
	return all, err
}

// add writes a new record; false when its key is in use.
func (t tableOf[T]) add(e *dbTx, record T, key ...any) (bool, error) {
	n, err := e.execCount(t.insert()+" ON CONFLICT DO NOTHING", t.values(e, record, key)...)
	return n > 0, err
}

// put inserts or replaces a record; its owner is kept.
func (t tableOf[T]) put(e *dbTx, record T, key ...any) {
	var set []string
	for _, name := range append(t.others[:len(t.others):len(t.others)], "record") {
		set = append(set, name+" = excluded."+name)
	}
	e.queueWrite(fmt.Sprintf("%s ON CONFLICT (%s) DO UPDATE SET %s",
		t.insert(), strings.Join(t.keys, ", "), strings.Join(set, ", ")), t.values(e, record, key)...)
}

// insert returns the statement that inserts a row.
func (t tableOf[T]) insert() string {
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

// values returns the arguments of [tableOf.insert].
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
	if err := json.Unmarshal(raw, record); err != nil {
		return &store.Error{Code: store.CodeCorrupt, Message: "a record cannot be read", Err: err}
	}
	return nil
}
