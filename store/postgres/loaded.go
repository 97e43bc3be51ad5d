package postgres

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store/driver"
)

// loadedRecords are the records of [dbTx.Load], by table and key.
type loadedRecords map[string]*loadedRecord

// loadedRecord is the stored form of a record as its transaction sees it; nil: there is none.
type loadedRecord struct {
	raw  []byte
	lock driver.Lock
}

// find returns what is loaded for a key; nil unless it is locked as much as is asked for.
func (l loadedRecords) find(t *driver.Table, key []string, lock driver.Lock) *loadedRecord {
	one := l[t.Name+"/"+joinKey(key)]
	if one == nil || lock != driver.NoLock && lock != one.lock {
		return nil
	}
	return one
}

// change sets the stored form of a record if it is loaded.
func (l loadedRecords) change(t *driver.Table, key []string, raw []byte) {
	if one := l[t.Name+"/"+joinKey(key)]; one != nil {
		one.raw = raw
	}
}

// Load implements [driver.Tx], with one round trip.
func (e *dbTx) Load(what ...driver.Load) error {
	if e.loaded == nil {
		e.loaded = loadedRecords{}
	}
	b := &pgx.Batch{}
	for _, one := range what {
		keys := slices.Clone(one.Keys)
		slices.SortFunc(keys, func(a, b []string) int { return slices.Compare(a, b) })
		if keys = slices.CompactFunc(keys, slices.Equal); len(keys) > 0 {
			e.loaded.queueLoad(b, one, keys)
		}
	}
	if err := e.sendQueued(); err != nil || b.Len() == 0 {
		return err
	}
	return e.db.SendBatch(e.ctx, b).Close()
}

// queueLoad queues the query of records by their keys, in order.
func (l loadedRecords) queueLoad(b *pgx.Batch, one driver.Load, keys [][]string) {
	t, w, arrays := one.Table, &whereClause{}, []string{}
	for i, name := range t.Key {
		column := make([]string, len(keys))
		for n, key := range keys {
			column[n] = key[i]
		}
		arrays = append(arrays, w.add(column)+"::text[]")
		w.conditions = append(w.conditions, t.Name+"."+name+" = q."+name)
	}
	sql := "SELECT q.n, r.record FROM unnest(" + strings.Join(arrays, ", ") + ") WITH ORDINALITY AS q (" +
		strings.Join(t.Key, ", ") + ", n) CROSS JOIN LATERAL (SELECT record FROM " + t.Name + w.String()
	if one.Lock == driver.RowLock {
		sql += " FOR UPDATE"
	}
	b.Queue(sql+") r", w.args...).Query(func(rows pgx.Rows) error {
		found := make([][]byte, len(keys))
		var n int
		var raw []byte
		_, err := pgx.ForEachRow(rows, []any{&n, &raw}, func() error {
			found[n-1] = raw
			return nil
		})
		for i, key := range keys {
			l[t.Name+"/"+joinKey(key)] = &loadedRecord{found[i], one.Lock}
		}
		return err
	})
}
