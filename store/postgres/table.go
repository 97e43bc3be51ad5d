package postgres

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/driver"
)

// sqlTable is a declared table in SQL: key columns, columns derived from the record, and the record itself.
type sqlTable struct {
	*driver.Table
	insert   string // the statement that inserts a row, with the arguments of [dbTx.rowArgs]
	whereKey string // the condition on the key, whose columns are the first arguments
	upserts  sync.Map
}

// sqlTables are the tables in use, by their declarations.
var sqlTables sync.Map

// tableOf returns a table in SQL.
func tableOf(t *driver.Table) *sqlTable {
	if known, found := sqlTables.Load(t); found {
		return known.(*sqlTable)
	}
	table := &sqlTable{Table: t}
	table.insert, table.whereKey = table.insertRows(1), table.compareKey()
	known, _ := sqlTables.LoadOrStore(t, table)
	return known.(*sqlTable)
}

// keys returns the columns of a record's key. A record without key parts is a named row of the table of settings.
func (t *sqlTable) keys() []string {
	if len(t.Key) == 0 {
		return []string{"name"}
	}
	return t.Key
}

// primaryKey returns the columns of the primary key.
func (t *sqlTable) primaryKey() []string {
	if t.Newest == "" {
		return t.keys()
	}
	return append(slices.Clone(t.keys()), t.Newest)
}

// compareKey returns the condition on the key.
func (t *sqlTable) compareKey() string {
	parts := make([]string, len(t.keys()))
	for i, name := range t.keys() {
		parts[i] = fmt.Sprintf("%s = $%d", name, i+1)
	}
	return "WHERE " + strings.Join(parts, " AND ")
}

// insertRows returns the statement that inserts n rows, with the arguments of one after those of the other.
func (t *sqlTable) insertRows(n int) string {
	columns := slices.Concat(t.keys(), t.Columns, []string{"record"})
	if t.Owned {
		columns = append(columns, "owner")
	}
	rows := make([]string, n)
	for row := range rows {
		places := make([]string, len(columns))
		for i := range places {
			places[i] = fmt.Sprintf("$%d", row*len(columns)+i+1)
		}
		rows[row] = "(" + strings.Join(places, ", ") + ")"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", t.Name, strings.Join(columns, ", "), strings.Join(rows, ", "))
}

// upsert returns the statement that inserts or replaces n rows of different keys. Rows that are replaced keep their
// owner, unless they are to be owned; one that is the same already is not written again.
func (t *sqlTable) upsert(n int, own bool) string {
	form := upsertForm{n, own}
	if known, found := t.upserts.Load(form); found {
		return known.(string)
	}
	var set, differs []string
	names := append(slices.Clone(t.Columns), "record")
	if own {
		names = append(names, "owner")
	}
	for _, name := range names {
		if name != t.Newest {
			set = append(set, name+" = excluded."+name)
			differs = append(differs, fmt.Sprintf("%s.%s IS DISTINCT FROM excluded.%[2]s", t.Name, name))
		}
	}
	sql := fmt.Sprintf("%s ON CONFLICT (%s) DO UPDATE SET %s WHERE %s", t.insertRows(n),
		strings.Join(t.primaryKey(), ", "), strings.Join(set, ", "), strings.Join(differs, " OR "))
	t.upserts.Store(form, sql)
	return sql
}

// changeOwner returns the statement that changes a row's owner, whose arguments are the key and the owner.
func (t *sqlTable) changeOwner() string {
	return fmt.Sprintf("UPDATE %s SET owner = $%d %s", t.Name, len(t.keys())+1, t.whereKey)
}

// upsertForm says which upsert a statement of a table is.
type upsertForm struct {
	rows int
	own  bool
}

// keyArgs returns the parts of a key as columns.
func (t *sqlTable) keyArgs(key []string) (columns []any, err error) {
	if len(t.Key) == 0 {
		return []any{t.Kind}, nil
	}
	if len(key) != len(t.Key) {
		return nil, store.Errorf(store.CodeInvalid, "a key of %s has %d parts, want %d", t.Name, len(key), len(t.Key))
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

// rowArgs returns the arguments of the statements.
func (e *dbTx) rowArgs(t *sqlTable, row driver.Row) ([]any, error) {
	args, err := t.keyArgs(row.Key)
	args = slices.Grow(args, len(row.Columns)+2)
	for _, column := range row.Columns {
		if pairs, are := column.([]driver.Pair); are {
			column = textsOf(pairs)
		}
		args = append(args, column)
	}
	args = append(args, row.Raw)
	if t.Owned {
		args = append(args, e.appliance)
	}
	return args, err
}

// textsOf returns pairs in their searchable form, without those that the database cannot store.
func textsOf(pairs []driver.Pair) []string {
	texts := []string{}
	for _, pair := range pairs {
		if isStorable(pair.Name) && isStorable(pair.Value) {
			texts = append(texts, pairText(pair))
		}
	}
	return texts
}

// pairText returns a pair in its searchable form.
func pairText(pair driver.Pair) string { return pair.Name + "\x1f" + pair.Value }

// searchableText returns the text to search for; if the database cannot store it, one that matches no record.
func searchableText(text string) string {
	if !isStorable(text) {
		return "/"
	}
	return text
}

// isStorable reports whether the database can hold a text.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// timeOf decodes the time of a column; zero for NULL.
func timeOf(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}
