package badger

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"

	"munadi/store"
	"munadi/store/dump"
)

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
