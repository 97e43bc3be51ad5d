package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store/driver"
)

// maxSkipped is the maximum number of rows of a partition that are passed over: worked on already, or not readable.
const maxSkipped = 512

// partition is a part of a queue with the number of its rows that are wanted.
type partition struct {
	parts  []string
	wanted int
}

// Due implements [driver.Driver].
func (d storeDriver) Due(ctx context.Context, q driver.DueQuery) (due []driver.Row, next time.Time, err error) {
	err = d.s.readRows(ctx, func(e *dbTx) error {
		all, err := e.partitionsOf(q)
		if err != nil {
			return err
		}
		var open []partition
		for _, parts := range all {
			if wanted := q.Room(parts); wanted > 0 {
				open = append(open, partition{parts, wanted})
			}
		}
		if len(open) == 0 {
			return nil
		}
		if due, err = e.dueIn(q, open); err == nil {
			next, err = e.nextIn(q, open)
		}
		return err
	})
	return due, next, err
}

// queueOf returns the conditions of a queue's rows.
func (e *dbTx) queueOf(q driver.DueQuery) (*whereClause, error) {
	return e.conditionsOf(driver.Query{Table: q.Table, Index: q.Index, Owner: q.Owner})
}

// partitionsOf returns the partitions of a queue that hold rows, in order: a loose index scan, one seek for each.
func (e *dbTx) partitionsOf(q driver.DueQuery) ([][]string, error) {
	w, err := e.queueOf(q)
	if err != nil {
		return nil, err
	}
	names := q.Index.Parts[:q.Index.Partition]
	columns, first := strings.Join(names, ", "), "SELECT %s FROM "+q.Table.Name+w.String()+"%s ORDER BY %s LIMIT 1"
	later := fmt.Sprintf(" AND (%s) > (p.%s)", columns, strings.Join(names, ", p."))
	rows, err := e.query("WITH RECURSIVE p AS (("+fmt.Sprintf(first, columns, "", columns)+
		") UNION ALL SELECT n.* FROM p CROSS JOIN LATERAL ("+fmt.Sprintf(first, columns, later, columns)+
		") n) SELECT * FROM p", w.args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (parts []string, err error) {
		values, err := row.Values()
		for _, value := range values {
			parts = append(parts, driver.EncodePart(value))
		}
		return parts, err
	})
}

// perPartition returns a statement that runs a query of queue rows in each of the partitions, with its arguments; the
// query sees the number of wanted rows as q.room.
func (e *dbTx) perPartition(
	q driver.DueQuery, open []partition, columns string,
) (from string, w *whereClause, err error) {
	if w, err = e.queueOf(q); err != nil {
		return "", nil, err
	}
	var names, arrays []string
	for i, name := range q.Index.Parts[:q.Index.Partition] {
		values := make([]string, len(open))
		for n, one := range open {
			values[n] = one.parts[i]
		}
		arrays = append(arrays, w.add(values)+"::text[]")
		names = append(names, "part_"+name)
		w.conditions = append(w.conditions, name+" = q.part_"+name)
	}
	rooms := make([]int64, len(open))
	for n, one := range open {
		rooms[n] = int64(one.wanted + maxSkipped)
	}
	arrays, names = append(arrays, w.add(rooms)+"::bigint[]"), append(names, "room")
	return fmt.Sprintf("SELECT %s FROM unnest(%s) AS q (%s) CROSS JOIN LATERAL ", columns,
		strings.Join(arrays, ", "), strings.Join(names, ", ")), w, nil
}

// dueIn returns the due rows of some partitions.
func (e *dbTx) dueIn(q driver.DueQuery, open []partition) (due []driver.Row, err error) {
	from, w, err := e.perPartition(q, open, "d.*")
	if err != nil {
		return nil, err
	}
	order := q.Index.Parts[q.Index.Partition:]
	w.addCondition(driver.Condition{Column: order[0], Value: unixNanos(q.Now), AtMost: true})
	columns := strings.Join(q.Table.Key, ", ") + ", " + strings.Join(q.Index.Parts, ", ") + ", record"
	rows, err := e.query(from+"(SELECT "+columns+" FROM "+q.Table.Name+w.String()+
		" ORDER BY "+strings.Join(order, ", ")+" LIMIT q.room) d", w.args...)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (driver.Row, error) {
		return readRow(driver.Query{Table: q.Table}, row)
	})
	taken := map[string]int{}
	for _, one := range open {
		taken[strings.Join(one.parts, "/")] = one.wanted
	}
	for _, row := range all {
		part := strings.Join(strings.SplitN(row.Place, "/", q.Index.Partition+1)[:q.Index.Partition], "/")
		if q.Skip != nil && q.Skip(row.Key) || taken[part] == 0 || !e.isReadable(q.Table, row) {
			continue
		}
		taken[part]--
		due = append(due, row)
	}
	return due, err
}

// isReadable reports whether a row's record can be decoded; one that cannot is reported.
func (e *dbTx) isReadable(t *driver.Table, row driver.Row) bool {
	_, err := t.Values(row.Raw)
	if err != nil {
		_ = e.Unreadable(t, row.Key, err) // it is reported, and passed over
	}
	return err == nil
}

// nextIn returns when the first row of some partitions that is not due yet is due; zero without one.
func (e *dbTx) nextIn(q driver.DueQuery, open []partition) (time.Time, error) {
	from, w, err := e.perPartition(q, open, "min(n.at)")
	if err != nil {
		return time.Time{}, err
	}
	at := q.Index.Parts[q.Index.Partition]
	w.conditions = append(w.conditions, at+" > "+w.add(unixNanos(q.Now)))
	var next *int64
	_, err = e.scanRow(from+"(SELECT "+at+" AS at FROM "+q.Table.Name+w.String()+" ORDER BY "+at+" LIMIT 1) n",
		w.args, &next)
	return timeOf(next), err
}
