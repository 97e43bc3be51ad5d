package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store/driver"
	"munadi/store/dump"
)

// totalAt stands for [driver.Total] in the column of the time.
const totalAt = int64(-1)

// encodeAt returns the time of a counter's key as a column.
func encodeAt(t *driver.Table, part string) (any, error) {
	if part == driver.Total {
		return totalAt, nil
	}
	at, wellFormed := t.DecodePart("at", part)
	if !wellFormed {
		return nil, fmt.Errorf("the time of a counter of %s is malformed: %s", t.Name, part)
	}
	return at, nil
}

// decodeAt is the inverse of [encodeAt].
func decodeAt(at int64) string {
	if at == totalAt {
		return driver.Total
	}
	return driver.EncodePart(at)
}

// Count implements [driver.Tx], for keys of an organization, a time and a scenario. A change inserts rows instead of
// updating a counter, so that calls do not wait for each other's locks; [PostgresStore.compactCounts] sums them up.
func (e *dbTx) Count(t *driver.Table, changes []driver.Change) error {
	return e.insertCounts(t, changes, true)
}

// insertCounts inserts rows of counters; fresh ones are summed up later.
func (e *dbTx) insertCounts(t *driver.Table, changes []driver.Change, fresh bool) error {
	var at, n []int64
	var org, scenario, what, name, value []string
	for _, c := range changes {
		if !isStorable(c.Name) || !isStorable(c.Value) {
			continue
		}
		when, err := encodeAt(t, c.Key[1])
		if err != nil {
			return err
		}
		at, n = append(at, when.(int64)), append(n, c.By)
		org, scenario = append(org, c.Key[0]), append(scenario, c.Key[2])
		what, name, value = append(what, c.What), append(name, c.Name), append(value, c.Value)
	}
	e.queueWrite("INSERT INTO "+t.Name+" (org, at, scenario, what, name, value, n, fresh) SELECT u.*, $8 FROM unnest("+
		"$1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) u",
		org, at, scenario, what, name, value, n, fresh)
	return nil
}

// scanCounts is [dbTx.Scan] of records of counters.
func (e *dbTx) scanCounts(q driver.Query, visit func(driver.Row) (bool, error)) error {
	if len(q.Equal) > 1 && q.Equal[1] == driver.Total {
		q.Equal = []any{q.Equal[0], totalAt}
	}
	w, err := e.conditionsOf(q)
	if err != nil {
		return err
	}
	rows, err := e.query("SELECT org, at, scenario, what, name, value, sum(n)::bigint FROM "+q.Table.Name+w.String()+
		" GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) > 0 ORDER BY 1, 2, 3, what DESC, sum(n) DESC", w.args...)
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c driver.Change, err error) {
		var at int64
		c.Key = make([]string, 3)
		err = row.Scan(&c.Key[0], &at, &c.Key[2], &c.What, &c.Name, &c.Value, &c.By)
		c.Key[1] = decodeAt(at)
		return c, err
	})
	if err != nil {
		return err
	}
	return driver.EachKey(all, func(key []string, counters []driver.Change) (bool, error) {
		raw, err := q.Table.Counts.Collect(counters)
		if err != nil {
			return false, err
		}
		return visit(driver.Row{Key: key, Place: strings.Join(key[len(q.Equal):], "/"), Raw: raw})
	})
}

// compactCounts sums up the rows of changed counters, at most 500 records of them per call.
func (s *PostgresStore) compactCounts(ctx context.Context) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		return e.exec(`WITH changed AS (
				SELECT DISTINCT org, at, scenario FROM call_tallies WHERE fresh LIMIT 500
			), gone AS (
				DELETE FROM call_tallies t USING changed c WHERE t.org = c.org AND t.at = c.at AND t.scenario = c.scenario
				RETURNING t.*
			)
			INSERT INTO call_tallies (org, at, scenario, what, name, value, n, fresh)
			SELECT org, at, scenario, what, name, value, sum(n), false FROM gone
			GROUP BY org, at, scenario, what, name, value HAVING sum(n) <> 0`)
	})
}

// dumpCounts writes the records of counters, in the embedded database's form.
func (s *PostgresStore) dumpCounts(ctx context.Context, tx pgx.Tx, t *driver.Table, out *dump.DumpWriter) error {
	all, e := map[string][]byte{}, s.newTx(ctx, tx)
	rows, err := e.query("SELECT DISTINCT org FROM " + t.Name)
	if err != nil {
		return err
	}
	orgs, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, org := range orgs {
		if err != nil {
			return err
		}
		err = e.scanCounts(driver.Query{Table: t, Equal: []any{org}}, func(row driver.Row) (bool, error) {
			all[t.Kind+"/"+strings.Join(row.Key, "/")] = row.Raw
			return true, nil
		})
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if err == nil {
			err = out.WriteRecord([]byte(key), all[key])
		}
	}
	return err
}

// importCounts writes a record of counters of a dump.
func (e *dbTx) importCounts(t *driver.Table, key []string, raw []byte) error {
	if len(key) != len(t.Key) {
		return fmt.Errorf("a key of %s has %d parts, want %d", t.Kind, len(key), len(t.Key))
	}
	all, err := t.Counts.List(raw)
	if err != nil {
		return fmt.Errorf("a record of counters cannot be read: %w", err)
	}
	for i := range all {
		all[i].Key = key
	}
	return e.insertCounts(t, all, false)
}

// normalizeCounts returns a record of counters as this database dumps it: without those that it cannot store.
func normalizeCounts(t *driver.Table, raw []byte) ([]byte, error) {
	all, err := t.Counts.List(raw)
	if err != nil {
		return nil, err
	}
	return t.Counts.Collect(slices.DeleteFunc(all, func(c driver.Change) bool {
		return !isStorable(c.Name) || !isStorable(c.Value)
	}))
}
