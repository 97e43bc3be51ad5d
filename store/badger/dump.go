package badger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/dump"
	"munadi/store/record"
	"munadi/store/records"
)

// WriteBackup implements [store.Store]: it verifies all files and writes a dump that names the records lost to damage.
func (s *BadgerStore) WriteBackup(ctx context.Context, w io.Writer) error {
	if _, err := s.VerifyFiles(ctx); err != nil {
		return err
	}
	return s.readSnapshot(ctx, func(v snapshotView) error { return writeDump(ctx, v, w, func() {}) })
}

// writeDump writes all readable records, and which are missing; it calls each for every record that it has read.
func writeDump(ctx context.Context, v snapshotView, w io.Writer, each func()) error {
	out := dump.NewDumpWriter(w)
	it := v.openIterator(nil, withoutPrefetch())
	defer it.Close()
	missing := dump.IncompleteError{Blocks: len(v.lost.damageRanges())}
	for it.Rewind(); it.Valid(); it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		each()
		item := it.Item()
		value, err := v.valueOf(item)
		if store.IsUnreadable(err) {
			missing.AddRecord(record.MaskKey(string(item.Key())))
			continue
		}
		if string(item.Key()) == dump.MissingKey {
			continue // of an incomplete dump, restored by a version that did not know the key
		}
		if err = errors.Join(err, out.WriteRecord(item.Key(), value)); err != nil {
			return fmt.Errorf("back up %s: %w", record.MaskKey(string(item.Key())), err)
		}
	}
	if err := out.WriteMissing(&missing); err != nil {
		return err
	}
	return out.WriteEnd()
}

// RecordCounts is the number of records of each kind in a dump.
type RecordCounts = dump.RecordCounts

// indexBuilder writes the index entries and counters that a dump of another kind of database lacks.
type indexBuilder struct {
	batch *badgerdb.WriteBatch
	last  map[string]uint64 // highest number, by the counter's key
}

// declaredTables are the tables of package records, by kind.
var declaredTables = func() map[string]*driver.Table {
	byKind := map[string]*driver.Table{}
	for _, t := range records.ListTables() {
		byKind[t.Kind] = t
	}
	return byKind
}()

// tableEntries derives the index entries of a record of a table; key are the parts of its key after its kind.
func tableEntries(t *driver.Table, key []string, raw []byte) ([]indexEntry, error) {
	_, columns, err := t.Decode(raw)
	if err != nil {
		return nil, err
	}
	return indexEntriesOf(t, driver.Row{Key: key, Columns: columns, Raw: raw}), nil
}

// addRecord writes the index entries of a record.
func (b *indexBuilder) addRecord(key, value []byte) error {
	kind, rest, _ := strings.Cut(string(key), "/")
	t, declared := declaredTables[kind]
	if !declared {
		return nil
	}
	parts := splitKey(rest, len(t.Key))
	entries, err := tableEntries(t, parts, value)
	for _, entry := range entries {
		err = errors.Join(err, b.batch.Set(entry.key, append([]byte{}, entry.value...)))
	}
	if err != nil || t.Counter == "" {
		return err
	}
	return b.countNumber(t, parts, value)
}

// countNumber raises the counter from which a record's ranks were taken.
func (b *indexBuilder) countNumber(t *driver.Table, parts []string, value []byte) error {
	_, columns, err := t.Decode(value)
	row := driver.Row{Key: parts, Columns: columns}
	owner := parts[:1]
	if last := len(t.Key) - 1; t.Key[last] == t.Ranked[0] {
		owner = parts[:last]
	}
	counter := string(joinKey(t.Counter, owner...))
	for _, name := range t.Ranked {
		n, invalid := strconv.ParseUint(driver.EncodePart(t.Column(row, name)), 16, 64)
		err = errors.Join(err, invalid)
		b.last[counter] = max(b.last[counter], n)
	}
	return err
}

// writeEnd writes the counters and the marker that the database is complete and of this version's format.
func (b *indexBuilder) writeEnd() error {
	err := errors.Join(b.batch.Set(jobsListedKey, []byte{}), b.batch.Set(formatKey, []byte(strconv.Itoa(format))))
	for counter, n := range b.last {
		err = errors.Join(err, b.batch.Set([]byte(counter), encodeCounter(n)))
	}
	return err
}

// CheckDump reads a dump to its end, passes each record to a function, returns the record counts, and verifies that
// this version can read it. The error is a [*dump.IncompleteError] for a whole dump without damaged records.
func CheckDump(r io.Reader, each func(key, value []byte)) (RecordCounts, error) {
	var known formatSeen
	counts, err := dump.ReadDump(r, func(key, value []byte) error {
		each(key, value)
		return known.noteEntry(key, value)
	})
	if err == nil || dump.IsIncomplete(err) {
		err = cmp.Or(known.checkFormat(), err)
	}
	return counts, err
}

// RestoreDump creates a database from a dump in dir, which must be missing or empty: [store.CodeConflict] otherwise.
// After an error the content of dir is unusable. An older format is migrated by the next OpenStore; a newer one is
// [store.CodeFormat]. With a key file in opt the new database is encrypted, whether or not the old one was. After a
// [*dump.IncompleteError] the database is complete but for what the dump says is missing.
func RestoreDump(dir string, r io.Reader, opt OpenOptions) (counts RecordCounts, err error) {
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return nil, store.Errorf(store.CodeConflict, "the folder %s is not empty", dir)
	}
	lock, err := openDir(dir, opt)
	if err != nil {
		return nil, err
	}
	defer lock.releaseLock()
	db, _, err := openDB(dir, opt, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := db.Close(); closed != nil {
			err = closed
		}
	}()
	var known formatSeen
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	build := indexBuilder{batch: batch, last: map[string]uint64{}}
	counts, err = dump.ReadDump(r, func(key, value []byte) error {
		if err := known.noteEntry(key, value); err != nil || string(key) == dump.IndexFreeKey {
			return err
		}
		if known.indexFree {
			if err := build.addRecord(key, value); err != nil {
				return err
			}
		}
		return batch.Set(key, value)
	})
	if err != nil && !dump.IsIncomplete(err) {
		return nil, err
	}
	if known.indexFree {
		if err := build.writeEnd(); err != nil {
			return nil, err
		}
	}
	return counts, cmp.Or(errors.Join(known.checkFormat(), batch.Flush()), err)
}

// formatSeen looks for the record with the dump's format version, or for the mark of a dump without index entries.
type formatSeen struct{ seen, indexFree bool }

func (f *formatSeen) noteEntry(key, value []byte) error {
	if string(key) == dump.IndexFreeKey {
		f.seen, f.indexFree = true, true
	}
	if !slices.Equal(key, formatKey) {
		return nil
	}
	f.seen = true
	_, err := parseFormat(value)
	return err
}

func (f *formatSeen) checkFormat() error {
	if !f.seen {
		return dump.NewCorruptError("the dump has no format version: it is not a complete backup of this program", nil)
	}
	return nil
}
