package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/dump"
	"munadi/store/records"
)

// kindTables maps the kinds of records in a dump, the first parts of their keys in the embedded database, to tables.
var kindTables = func() map[string]*sqlTable {
	all := map[string]*sqlTable{}
	for _, t := range records.ListTables() {
		all[t.Kind] = tableOf(t)
	}
	return all
}()

// turnKind is the kind of the times when an organization's last job was started, which are a column of their own.
const turnKind = "job-served"

// selectDump returns the query of a dump's keys, without their kind, and records.
func (t *sqlTable) selectDump() string {
	parts := make([]string, len(t.Key))
	for i, name := range t.Key {
		if parts[i] = name; slices.Contains(t.Numbers, name) {
			parts[i] = "lpad(to_hex(" + name + "), 16, '0')"
		}
	}
	key := "concat_ws('/', " + strings.Join(parts, ", ") + `) COLLATE "C"`
	if t.Newest != "" {
		return "SELECT DISTINCT ON (k) " + key + " AS k, record FROM " + t.Name + " ORDER BY k, " + t.Newest + " DESC"
	}
	return "SELECT " + key + " AS k, record FROM " + t.Name + " ORDER BY k"
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
	kinds := []string{dump.IndexFreeKey, turnKind + "/"}
	for kind, table := range kindTables {
		if len(table.Key) > 0 {
			kind += "/"
		}
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		if err := s.dumpKind(ctx, tx, kind, out); err != nil {
			return fmt.Errorf("back up the records %q: %w", kind, translateError(err))
		}
	}
	return out.WriteEnd()
}

// dumpKind writes the records of a kind; a kind with a table of its own ends in a slash.
func (s *PostgresStore) dumpKind(ctx context.Context, tx pgx.Tx, kind string, out *dump.DumpWriter) error {
	sql, args := "SELECT '', record FROM settings WHERE name = $1", []any{kind}
	if table, found := kindTables[strings.TrimSuffix(kind, "/")]; found && len(table.Key) > 0 {
		if table.Counts != nil {
			return s.dumpCounts(ctx, tx, table.Table, out)
		}
		sql, args = table.selectDump(), nil
	}
	switch kind {
	case dump.IndexFreeKey:
		return out.WriteRecord([]byte(kind), []byte{1})
	case turnKind + "/":
		sql, args = "SELECT org AS k, convert_to(lpad(to_hex(served), 16, '0'), 'UTF8') FROM job_turns ORDER BY k", nil
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

// importRecord writes one record of a dump unchanged. Index entries of the embedded database are left out.
func importRecord(e *dbTx, place string, raw []byte) error {
	kind, rest, _ := strings.Cut(place, "/")
	if kind == turnKind {
		served, err := strconv.ParseInt(string(raw), 16, 64)
		if err != nil {
			return fmt.Errorf("the time of an organization's last job: %w", err)
		}
		e.queueWrite("INSERT INTO job_turns (org, served) VALUES ($1, $2) ON CONFLICT DO NOTHING", rest, served)
		return nil
	}
	table, found := kindTables[kind]
	if !found {
		return nil
	}
	key := strings.SplitN(rest, "/", len(table.Key))
	if table.Counts != nil {
		return e.importCounts(table.Table, key, raw)
	}
	_, columns, err := table.Decode(raw)
	if err != nil {
		return &store.Error{Code: store.CodeCorrupt, Message: "a record cannot be read", Err: err}
	}
	args, err := e.rowArgs(table, driver.Row{Key: key, Columns: columns, Raw: raw})
	if err == nil {
		e.queueWrite(table.insert+" ON CONFLICT DO NOTHING", args...)
	}
	return err
}

// NormalizeRecord returns a record of a dump of any database as this database dumps it, which an import leaves
// unchanged; false for a kind that is not copied between databases, because it is derived from others.
func NormalizeRecord(kind string, raw []byte) ([]byte, bool, error) {
	table, found := kindTables[kind]
	if found && table.Counts != nil {
		normalized, err := normalizeCounts(table.Table, raw)
		return normalized, true, err
	}
	return raw, found || kind == turnKind, nil
}
