package badger

import (
	"errors"
	"io"
	"os"
	"slices"

	"munadi/store"
)

// CheckDump reads a dump to its end and says what it holds, and whether this version could read it.
func CheckDump(r io.Reader) (Counts, error) {
	var known formatSeen
	counts, err := readDump(r, known.look)
	if err == nil {
		err = known.judge()
	}
	return counts, err
}

// Restore makes a database of a dump in dir, which must not exist or be empty: [store.CodeConflict] otherwise. What an
// error leaves in dir is of no use. An older format is upgraded by the next Open; a newer one is [store.CodeFormat].
// With a key file in opt the new database is encrypted, whatever the old one was.
func Restore(dir string, r io.Reader, opt Options) (counts Counts, err error) {
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return nil, store.Errorf(store.CodeConflict, "the folder %s is not empty", dir)
	}
	lock, err := openDir(dir, opt)
	if err != nil {
		return nil, err
	}
	defer lock.release()
	db, _, err := openDB(dir, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var known formatSeen
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	counts, err = readDump(r, func(key, value []byte) error {
		if err := known.look(key, value); err != nil {
			return err
		}
		return batch.Set(key, value)
	})
	if err != nil {
		return nil, err
	}
	return counts, errors.Join(known.judge(), batch.Flush())
}

// formatSeen looks for the record that says which format a dump has.
type formatSeen struct{ seen bool }

func (f *formatSeen) look(key, value []byte) error {
	if !slices.Equal(key, formatKey) {
		return nil
	}
	f.seen = true
	_, err := parseFormat(value)
	return err
}

func (f *formatSeen) judge() error {
	if !f.seen {
		return corrupt("the dump does not say which format it has", nil)
	}
	return nil
}
