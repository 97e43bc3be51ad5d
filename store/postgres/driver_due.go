package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store/driver"
	"munadi/store/record"
)

// busyRows is the number of rows of a partition that are read besides those that are wanted, where rows may be worked
// on already.
const busyRows = 512

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
			wanted, err := q.Room(e, parts)
			if err != nil {
				return err
			}
			if wanted > 0 {
				open = append(open, partition{parts, min(wanted, q.Limit)})
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

// partitionsOf returns the partitions of a queue that hold rows, in order: one seek for each organization, or a loose
// index scan.
func (e *dbTx) partitionsOf(q driver.DueQuery) ([][]string, error) {
	w, err := e.queueOf(q)
	if err != nil {
		return nil, err
	}
	names := q.Index.Parts[:q.Index.Partition]
	if len(names) == 1 {
		w.conditions = append(w.conditions, q.Table.Name+"."+names[0]+" = o.id")
		return e.collectParts("SELECT o.id FROM organizations o WHERE EXISTS (SELECT 1 FROM "+q.Table.Name+w.String()+
			") ORDER BY o.id", w.args)
	}
	columns, first := strings.Join(names, ", "), "SELECT %s FROM "+q.Table.Name+w.String()+"%s ORDER BY %s LIMIT 1"
	later := fmt.Sprintf(" AND (%s) > (p.%s)", columns, strings.Join(names, ", p."))
	return e.collectParts("WITH RECURSIVE p AS (("+fmt.Sprintf(first, columns, "", columns)+
		") UNION ALL SELECT n.* FROM p CROSS JOIN LATERAL ("+fmt.Sprintf(first, columns, later, columns)+
		") n) SELECT * FROM p", w.args)
}

// collectParts reads rows of the parts of partitions.
func (e *dbTx) collectParts(sql string, args []any) ([][]string, error) {
	rows, err := e.query(sql, args...)
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
	q driver.DueQuery, open []partition, columns string, extra int,
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
		rooms[n] = int64(one.wanted + extra)
	}
	arrays, names = append(arrays, w.add(rooms)+"::bigint[]"), append(names, "room")
	return fmt.Sprintf("SELECT %s FROM unnest(%s) AS q (%s) CROSS JOIN LATERAL ", columns,
		strings.Join(arrays, ", "), strings.Join(names, ", ")), w, nil
}

// dueIn returns the due rows of some partitions. Rows that are worked on or cannot be read take no room: as long as a
// partition has too few others, more rows are read.
func (e *dbTx) dueIn(q driver.DueQuery, open []partition) (due []driver.Row, err error) {
	extra := 0
	if q.Skip != nil {
		extra = busyRows
	}
	for {
		all, err := e.readDue(q, open, extra)
		if err != nil {
			return nil, err
		}
		due, read, taken := []driver.Row{}, map[string]int{}, map[string]int{}
		for _, one := range open {
			taken[strings.Join(one.parts, "/")] = one.wanted
		}
		for _, row := range all {
			part := strings.Join(strings.SplitN(row.Place, "/", q.Index.Partition+1)[:q.Index.Partition], "/")
			read[part]++
			if taken[part] == 0 || q.Skip != nil && q.Skip(row.Key) || !e.isReadable(q.Table, &row) {
				continue
			}
			taken[part]--
			due = append(due, row)
		}
		if !slices.ContainsFunc(open, func(one partition) bool {
			part := strings.Join(one.parts, "/")
			return taken[part] > 0 && read[part] == one.wanted+extra
		}) {
			return due, nil
		}
		extra = max(busyRows, 2*extra)
	}
}

// readDue reads the due rows of some partitions: as many as are wanted, and extra ones.
func (e *dbTx) readDue(q driver.DueQuery, open []partition, extra int) ([]driver.Row, error) {
	from, w, err := e.perPartition(q, open, "d.*", extra)
	if err != nil {
		return nil, err
	}
	order := q.Index.Parts[q.Index.Partition:]
	w.addCondition(driver.Condition{Column: order[0], Op: driver.AtMost, Value: record.UnixNanos(q.Now)})
	if q.Beside != nil {
		w.addBeside(q, e.appliance)
	}
	columns := strings.Join(q.Table.Key, ", ") + ", " + strings.Join(q.Index.Parts, ", ") + ", record"
	rows, err := e.query(from+"(SELECT "+columns+" FROM "+q.Table.Name+w.String()+
		" ORDER BY "+strings.Join(order, ", ")+" LIMIT q.room) d", w.args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (driver.Row, error) {
		return readRow(driver.Query{Table: q.Table}, row)
	})
}

// addBeside leaves out the rows beside a row of another appliance.
func (w *whereClause) addBeside(q driver.DueQuery, appliance string) {
	beside := &whereClause{}
	beside.addIndex(q.Table, q.Beside.Index)
	for i, condition := range beside.conditions {
		beside.conditions[i] = "b." + condition
	}
	for _, name := range q.Beside.Columns {
		beside.conditions = append(beside.conditions, "b."+name+" = "+q.Table.Name+"."+name)
	}
	beside.conditions = append(beside.conditions, "b.owner <> "+w.add(appliance))
	w.conditions = append(w.conditions, "NOT EXISTS (SELECT 1 FROM "+q.Table.Name+" b"+beside.String()+")")
}

// isReadable decodes a row's record; one that cannot be decoded is reported.
func (e *dbTx) isReadable(t *driver.Table, row *driver.Row) (readable bool) {
	var err error
	if row.Record, row.Columns, err = t.Decode(row.Raw); err != nil {
		_ = e.Unreadable(t, row.Key, err) // it is reported, and passed over
	}
	return err == nil
}

// nextIn returns when the first row of some partitions that is not due yet is due; zero without one.
func (e *dbTx) nextIn(q driver.DueQuery, open []partition) (time.Time, error) {
	from, w, err := e.perPartition(q, open, "min(n.at)", 0)
	if err != nil {
		return time.Time{}, err
	}
	at := q.Index.Parts[q.Index.Partition]
	w.conditions = append(w.conditions, at+" > "+w.add(record.UnixNanos(q.Now)))
	var next *int64
	_, err = e.scanRow(from+"(SELECT "+at+" AS at FROM "+q.Table.Name+w.String()+" ORDER BY "+at+" LIMIT 1) n",
		w.args, &next)
	return timeOf(next), err
}
