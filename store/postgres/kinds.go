package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/dump"
	"munadi/store/records"
)

// kindTable is the table of a kind of record, without the type of its records.
type kindTable interface {
	// selectDump returns the query of a dump's keys and records; the keys are without their kind.
	selectDump() string
	// importRecord writes a record of a dump unchanged; key are the parts of its key.
	importRecord(e *dbTx, key []string, raw []byte) error
	keyParts() int
	tableName() string
}

// kindTables maps the kinds of records in a dump, the first parts of their keys in the embedded database, to tables.
var kindTables = func() map[string]kindTable {
	all := maps.Clone(ownTables)
	for _, t := range records.ListTables() {
		if len(t.Key) > 0 {
			all[t.Kind] = declaredTable{sqlTableOf(t), t}
		}
	}
	return all
}()

// ownTables are the tables that package records does not declare.
var ownTables = map[string]kindTable{
	"call": calls, "call-line": callLines,
	"call-words": callWords, "campaign": campaigns,
	"campaign-skipped": campaignSkipped, "campaign-tally": campaignTallies, "erasure": erasures,
	"job-served": turnTable{}, "receipt": receipts, "sound-gone": removedRecordings,
}

// tableKinds are the kinds of records by table.
var tableKinds = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{}
	for kind, table := range kindTables {
		kinds[table.tableName()] = kind
	}
	return kinds
})

// kindOf returns the kind of a table's records.
func kindOf(table string) string { return tableKinds()[table] }

// settingKinds are the kinds with a single record, in table settings.
var settingKinds = func() (kinds []string) {
	for _, t := range records.ListTables() {
		if len(t.Key) == 0 {
			kinds = append(kinds, t.Kind)
		}
	}
	return kinds
}()

// keyParts returns the number of a key's parts in a dump. A receipt's time is not one: it is derived from the record.
func (t sqlTable) keyParts() int {
	if t.name == receiptTable {
		return len(t.keys) - 1
	}
	return len(t.keys)
}

// receiptTable is the table with several rows per key of a dump, of which the newest is dumped.
const receiptTable = "receipts"

func (t sqlTable) selectDump() string {
	parts := make([]string, t.keyParts())
	for i, name := range t.keys[:t.keyParts()] {
		if parts[i] = name; name == "rank" {
			parts[i] = "lpad(to_hex(rank), 16, '0')"
		}
	}
	key := "concat_ws('/', " + strings.Join(parts, ", ") + `) COLLATE "C"`
	if t.name == receiptTable {
		return "SELECT DISTINCT ON (k) " + key + " AS k, record FROM receipts ORDER BY k, made DESC"
	}
	return "SELECT " + key + " AS k, record FROM " + t.name + " ORDER BY k"
}

// WriteBackup implements [store.Store]: a dump of all records, without indexes, as of one moment.
func (s *PostgresStore) WriteBackup(ctx context.Context, w io.Writer) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return translateError(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // read only
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
		return translateError(err)
	}
	out := dump.NewDumpWriter(w)
	kinds := append(slices.Clone(settingKinds), dump.IndexFreeKey, tallyKind+"/")
	for kind := range kindTables {
		kinds = append(kinds, kind+"/")
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		if err := dumpKind(ctx, tx, kind, out); err != nil {
			return fmt.Errorf("back up the records %q: %w", kind, translateError(err))
		}
	}
	return out.WriteEnd()
}

// dumpKind writes the records of a kind; a kind with a table of its own ends in a slash.
func dumpKind(ctx context.Context, tx pgx.Tx, kind string, out *dump.DumpWriter) error {
	switch kind {
	case dump.IndexFreeKey:
		return out.WriteRecord([]byte(kind), []byte{1})
	case tallyKind + "/":
		return dumpTallies(ctx, tx, out)
	}
	sql, args := "SELECT '', record FROM settings WHERE name = $1", []any{kind}
	if table, found := kindTables[strings.TrimSuffix(kind, "/")]; found {
		sql, args = table.selectDump(), nil
	}
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var raw []byte
		if err := errors.Join(rows.Scan(&key, &raw), out.WriteRecord([]byte(kind+key), raw)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// importRecord implements [kindTable].
func (t tableOf[T]) importRecord(e *dbTx, key []string, raw []byte) error {
	var record T
	if err := decodeRecord(raw, &record); err != nil {
		return err
	}
	args, err := t.importKey(key, any(record))
	if err != nil {
		return err
	}
	values := t.values(e, record, args)
	place := len(values) - 1
	if t.owned {
		place--
	}
	values[place] = raw // unchanged, with the fields of newer versions
	e.queueWrite(t.insert()+" ON CONFLICT DO NOTHING", values...)
	return nil
}

// importKey returns the key columns of a record in a dump: texts, a rank (hex in the dump), the time of a receipt.
func (t tableOf[T]) importKey(key []string, record any) ([]any, error) {
	if len(key) != t.keyParts() {
		return nil, fmt.Errorf("a key of %s has %d parts, want %d", t.name, len(key), t.keyParts())
	}
	var args []any
	for i, part := range key {
		if t.keys[i] != "rank" {
			args = append(args, part)
			continue
		}
		rank, err := strconv.ParseInt(part, 16, 64)
		if err != nil {
			return nil, fmt.Errorf("the rank of a record of %s: %w", t.name, err)
		}
		args = append(args, rank)
	}
	if receipt, is := record.(store.IdempotencyReceipt); is {
		args = append(args, unixNanos(receipt.MadeAt))
	}
	return args, nil
}

func (t sqlTable) tableName() string { return t.name }

// declaredTable is the table of a kind that package records declares.
type declaredTable struct {
	sqlTable
	declared *driver.Table
}

// importRecord implements [kindTable].
func (t declaredTable) importRecord(e *dbTx, key []string, raw []byte) error {
	columns, err := t.declared.Values(raw)
	if err != nil {
		return &store.Error{Code: store.CodeCorrupt, Message: "a record cannot be read", Err: err}
	}
	args, err := e.rowColumns(t.declared, driver.Row{Key: key, Columns: columns, Raw: raw})
	if err == nil {
		e.queueWrite(t.insert()+" ON CONFLICT DO NOTHING", args...)
	}
	return err
}
