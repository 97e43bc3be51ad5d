package postgres

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/dump"
)

// migrationRow is the row of table settings that marks an unfinished import, with the last key that it wrote.
const migrationRow = "migration"

// migration is the row of [migrationRow].
var migration = &driver.Table{Kind: migrationRow, Name: "settings"}

// importBatch is the number of records that one transaction of an import writes.
const importBatch = 500

// CheckComplete returns [store.CodeConflict] while an import into the database is unfinished.
func (s *PostgresStore) CheckComplete(ctx context.Context) error {
	return s.readRows(ctx, func(e *dbTx) error {
		_, found, err := e.Get(migration, nil, driver.NoLock)
		if err == nil && found {
			return store.Errorf(store.CodeConflict,
				"a migration into this database is unfinished: run the same munadi store migrate again")
		}
		return err
	})
}

// CheckUnused returns [store.CodeInUse] while an appliance runs on the database.
func (s *PostgresStore) CheckUnused(ctx context.Context) error {
	return s.readRows(ctx, func(e *dbTx) error {
		var n int
		_, err := e.scanRow("SELECT count(*) FROM appliances WHERE deadline > now()", nil, &n)
		if err == nil && n > 0 {
			return store.Errorf(store.CodeInUse, "%d appliances run on the PostgreSQL database: stop them first", n)
		}
		return err
	})
}

// ImportDump writes the records of a dump of any database into this one, which must be empty, or hold the records of an
// interrupted import of the same dump, which is continued. [store.CodeConflict] for a database with other records,
// [store.CodeInUse] while an appliance runs on it. After a [*dump.IncompleteError] everything in the dump is imported.
func (s *PostgresStore) ImportDump(ctx context.Context, r io.Reader) (dump.RecordCounts, error) {
	if err := s.CheckUnused(ctx); err != nil {
		return nil, err
	}
	last, err := s.beginImport(ctx)
	if err != nil {
		return nil, err
	}
	into := dumpImporter{store: s, last: last}
	counts, err := dump.ReadDump(r, func(key, value []byte) error { return into.addRecord(ctx, key, value) })
	if err != nil && !dump.IsIncomplete(err) {
		return nil, err
	}
	if err := into.writeBatch(ctx); err != nil {
		return nil, err
	}
	return counts, cmp.Or(s.endImport(ctx), err)
}

// beginImport marks the database as being imported into, and returns the last key of the import to continue; empty for
// a new one.
func (s *PostgresStore) beginImport(ctx context.Context) (last string, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		raw, found, err := e.Get(migration, nil, driver.RowLock)
		if last = string(raw); err != nil || found {
			return err
		}
		for _, table := range []string{"organizations", "settings"} {
			if found, err = e.scanRow("SELECT 1 FROM "+table+" LIMIT 1", nil, new(int)); err != nil {
				return err
			}
			if found {
				return store.Errorf(store.CodeConflict, "the PostgreSQL database holds data already: use an empty one")
			}
		}
		return e.Put(migration, nil, driver.Row{Raw: []byte{}})
	})
	return last, err
}

// endImport sets the sequence past the highest number and removes the mark.
func (s *PostgresStore) endImport(ctx context.Context) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		e.queueWrite(`SELECT setval('ranks', greatest(1, (SELECT max(rank) FROM audit), (SELECT max(rank) FROM live_words),
			(SELECT max(greatest(rank, place)) FROM deliveries)))`)
		return e.Delete(migration, driver.Row{})
	})
}

// dumpImporter writes the records of a dump in batches.
type dumpImporter struct {
	store *PostgresStore
	last  string // records up to this key are already imported
	batch [][2][]byte
}

// addRecord adds a record to the batch.
func (i *dumpImporter) addRecord(ctx context.Context, key, value []byte) error {
	if string(key) <= i.last {
		return nil
	}
	i.batch = append(i.batch, [2][]byte{key, value})
	if len(i.batch) < importBatch {
		return nil
	}
	return i.writeBatch(ctx)
}

// writeBatch writes the batch and the progress of the import.
func (i *dumpImporter) writeBatch(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	err := i.store.updateTx(ctx, func(e *dbTx) error {
		for _, one := range i.batch {
			if err := importRecord(e, string(one[0]), one[1]); err != nil {
				return fmt.Errorf("a record of kind %q: %w", strings.SplitN(string(one[0]), "/", 2)[0], err)
			}
		}
		return e.Put(migration, nil, driver.Row{Raw: i.batch[len(i.batch)-1][0]})
	})
	i.batch = i.batch[:0]
	return err
}
