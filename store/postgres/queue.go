package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"munadi/store/driver"
)

// maxRows is the maximum number of rows of one statement that writes rows of a table.
const maxRows = 64

// writeQueue holds the statements of a transaction whose results are not needed yet, in order. Rows of one table, with
// no statement that is not of rows in between, become one statement, and a row that is put twice is written once.
type writeQueue struct {
	writes []*queuedWrite
	open   map[putForm]*queuedWrite // to which rows are added
	counts map[*driver.Table]*queuedWrite
	rows   map[string]*queuedRow // of those, by table and key
}

// putForm is a table, and whether rows of it become this appliance's own.
type putForm struct {
	table *sqlTable
	own   bool
}

// queuedWrite is a statement, or rows that are put into a table.
type queuedWrite struct {
	sql   string
	args  []any
	check func(pgconn.CommandTag) error // of its result; nil: none

	form putForm
	rows []*queuedRow

	counted *driver.Table
	changes map[counterKey]int64
}

// queuedRow is a row that is put; without arguments only its owner changes, or it was put again.
type queuedRow struct {
	args []any
	own  []any // the key and the new owner; nil: the owner stays
}

// queueWrite queues a statement whose result is not needed.
func (e *dbTx) queueWrite(sql string, args ...any) { e.queueChecked(sql, args, nil) }

// queueChecked queues a statement with a check of its result.
func (e *dbTx) queueChecked(sql string, args []any, check func(pgconn.CommandTag) error) {
	e.wrote = true
	e.queue.writes = append(e.queue.writes, &queuedWrite{sql: sql, args: args, check: check})
	e.queue.open, e.queue.rows, e.queue.counts = nil, nil, nil
}

// queuePut queues a row of a table.
func (e *dbTx) queuePut(t *sqlTable, key string, args []any) {
	e.wrote = true
	if row := e.queue.rows[t.Name+"/"+key]; row != nil {
		row.args = args
		return
	}
	e.queue.addRow(t, key, &queuedRow{args: args})
}

// queueOwn queues the change of a row's owner.
func (e *dbTx) queueOwn(t *sqlTable, key string, args []any) {
	if e.queue.rows[t.Name+"/"+key] != nil {
		e.queueWrite(t.changeOwner(), args...)
		return
	}
	e.wrote = true
	e.queue.addRow(t, key, &queuedRow{own: args})
}

// addRow adds a row to those that are put into its table.
func (q *writeQueue) addRow(t *sqlTable, key string, row *queuedRow) {
	if q.open == nil {
		q.open, q.rows = map[putForm]*queuedWrite{}, map[string]*queuedRow{}
	}
	form := putForm{t, row.own != nil}
	if q.open[form] == nil {
		q.open[form] = &queuedWrite{form: form}
		q.writes = append(q.writes, q.open[form])
	}
	q.open[form].rows = append(q.open[form].rows, row)
	q.rows[t.Name+"/"+key] = row
}

// queueCount queues a change of a counter; changes of one counter are added up.
func (e *dbTx) queueCount(t *driver.Table, key counterKey, by int64) {
	e.wrote = true
	if e.queue.counts == nil {
		e.queue.counts = map[*driver.Table]*queuedWrite{}
	}
	w := e.queue.counts[t]
	if w == nil {
		w = &queuedWrite{counted: t, changes: map[counterKey]int64{}}
		e.queue.counts[t] = w
		e.queue.writes = append(e.queue.writes, w)
	}
	w.changes[key] += by
}

// batch returns the statements.
func (q *writeQueue) batch() *pgx.Batch {
	b := &pgx.Batch{}
	for _, w := range q.writes {
		switch {
		case w.form.table != nil:
			w.queueRows(b)
		case w.counted != nil:
			sql, args := insertCounts(w.counted, w.changes, true)
			b.Queue(sql, args...)
		default:
			if statement := b.Queue(w.sql, w.args...); w.check != nil {
				statement.Exec(w.check)
			}
		}
	}
	return b
}

// queueRows queues the statements of rows: of few sizes, so that each connection keeps them prepared.
func (w *queuedWrite) queueRows(b *pgx.Batch) {
	var put []*queuedRow
	for _, row := range w.rows {
		if row.args != nil {
			put = append(put, row)
			continue
		}
		b.Queue(w.form.table.changeOwner(), row.own...)
	}
	for n := maxRows; n > 0; n /= 2 {
		for ; len(put) >= n; put = put[n:] {
			var args []any
			for _, row := range put[:n] {
				args = append(args, row.args...)
			}
			b.Queue(w.form.table.upsert(n, w.form.own), args...)
		}
	}
}

// joinKey returns a key as one text; no stored text has a zero byte.
func joinKey(key []string) string { return strings.Join(key, "\x00") }
