package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store/driver"
)

// Find implements [driver.Driver]. It reads as many rows at a time as the query's limit.
func (d storeDriver) Find(
	ctx context.Context, q driver.Query, begin func(), visit func(driver.Tx, driver.Row) (bool, error),
) (examined string, err error) {
	begin()
	err = d.s.readRows(ctx, func(e *dbTx) error {
		for {
			rows, last, err := e.readFound(q)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if more, err := visit(e, row); err != nil || !more {
					return err
				}
			}
			if len(rows) < q.Limit {
				examined = last
				return nil
			}
			q.After = rows[len(rows)-1].Place
		}
	})
	return examined, err
}

// readFound reads the next rows of a query of [storeDriver.Find]. With a limit of examined rows, a text that columns
// contain is compared in those rows only, and examined is the place of the last one if more may follow.
func (e *dbTx) readFound(q driver.Query) (rows []driver.Row, examined string, err error) {
	if q.Examine == 0 {
		rows, err = e.readChunk(q)
		return rows, "", err
	}
	var contained []driver.Condition
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(c driver.Condition) bool {
		_, isText := c.Value.(string)
		if isText = isText && c.Op == driver.Contains; isText {
			contained = append(contained, c)
		}
		return isText
	})
	where, err := e.conditionsOf(q)
	if err != nil {
		return nil, "", err
	}
	order := placeColumns(q)
	from := "(SELECT * FROM " + q.Table.Name + where.String() + orderBy(q, order) + " LIMIT " + where.add(q.Examine) + ")"
	outer := whereClause{args: where.args}
	for _, c := range contained {
		outer.addCondition(c)
	}
	if rows, err = e.collectRows(q, from+" "+q.Table.Name+outer.String()+orderBy(q, order)+" LIMIT "+outer.add(q.Limit),
		outer.args); err != nil || len(rows) == q.Limit {
		return rows, "", err
	}
	last, err := e.collectRows(q, from+" "+q.Table.Name+orderBy(q, order)+
		fmt.Sprintf(" LIMIT 1 OFFSET %d", q.Examine-1), where.args)
	if err == nil && len(last) > 0 {
		examined = last[0].Place
	}
	return rows, examined, err
}

// collectRows reads the key, place, record and companion of rows.
func (e *dbTx) collectRows(q driver.Query, from string, args []any) ([]driver.Row, error) {
	columns := slices.Concat(q.Table.Key, placeColumns(q), []string{"record"})
	if q.With != nil {
		var same []string
		for i, name := range q.With.Key {
			same = append(same, "w."+name+" = "+q.Table.Name+"."+q.Table.Key[i])
		}
		columns = append(columns, "(SELECT w.record FROM "+q.With.Name+" w WHERE "+strings.Join(same, " AND ")+")")
	}
	rows, err := e.query("SELECT "+strings.Join(columns, ", ")+" FROM "+from, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (driver.Row, error) { return readRow(q, row) })
}

// CountFound implements [driver.Driver].
func (d storeDriver) CountFound(ctx context.Context, q driver.Query) (n int, err error) {
	err = d.s.readRows(ctx, func(e *dbTx) error {
		where, err := e.conditionsOf(q)
		if err != nil {
			return err
		}
		sql := "SELECT 1 FROM " + q.Table.Name + where.String()
		if q.Limit > 0 {
			sql += " LIMIT " + where.add(q.Limit)
		}
		_, err = e.scanRow("SELECT count(*) FROM ("+sql+") found", where.args, &n)
		return err
	})
	return n, err
}

// FindDamage implements [driver.Driver]: the server reports a damaged page itself.
func (d storeDriver) FindDamage(context.Context, *driver.Table, []string) bool { return false }
