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
func encodeAt(t *driver.Table, part string) (int64, error) {
	if part == driver.Total {
		return totalAt, nil
	}
	at, wellFormed := t.DecodePart("at", part)
	if !wellFormed {
		return 0, fmt.Errorf("the time of a counter of %s is malformed: %s", t.Name, part)
	}
	return at.(int64), nil
}

// decodeAt is the inverse of [encodeAt].
func decodeAt(at int64) string {
	if at == totalAt {
		return driver.Total
	}
	return driver.EncodePart(at)
}

// counterKey names a counter in SQL.
type counterKey struct {
	org                         string
	at                          int64
	scenario, what, name, value string
}

// counterOf returns the key of the counter of a change; false for one that the database cannot store.
func counterOf(t *driver.Table, c driver.Change) (key counterKey, storable bool, err error) {
	if !isStorable(c.Name) || !isStorable(c.Value) {
		return key, false, nil
	}
	at, err := encodeAt(t, c.Key[1])
	return counterKey{c.Key[0], at, c.Key[2], c.What, c.Name, c.Value}, err == nil, err
}

// Count implements [driver.Tx], for keys of an organization, a time and a scenario. A change inserts rows instead of
// updating a counter, so that calls do not wait for each other's locks; [PostgresStore.compactCounts] sums them up.
func (e *dbTx) Count(t *driver.Table, changes []driver.Change) error {
	for _, c := range changes {
		key, storable, err := counterOf(t, c)
		if err != nil {
			return err
		}
		if storable {
			e.queueCount(t, key, c.By)
		}
	}
	return nil
}

// insertCounts returns the statement that inserts rows of counters, with its arguments; fresh ones are summed up later.
func insertCounts(t *driver.Table, changes map[counterKey]int64, fresh bool) (sql string, args []any) {
	var at, n []int64
	var org, scenario, what, name, value []string
	for key, by := range changes {
		if by == 0 {
			continue
		}
		org, at, scenario = append(org, key.org), append(at, key.at), append(scenario, key.scenario)
		what, name, value, n = append(what, key.what), append(name, key.name), append(value, key.value), append(n, by)
	}
	return "INSERT INTO " + t.Name + " (org, at, scenario, what, name, value, n, fresh) SELECT u.*, $8 FROM unnest(" +
			"$1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) u",
		[]any{org, at, scenario, what, name, value, n, fresh}
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
	changes := map[counterKey]int64{}
	for _, c := range all {
		c.Key = key
		counter, storable, err := counterOf(t, c)
		if err != nil {
			return err
		}
		if storable {
			changes[counter] += c.By
		}
	}
	sql, args := insertCounts(t, changes, false)
	e.queueWrite(sql, args...)
	return nil
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
