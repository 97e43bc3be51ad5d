package badger

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"

	badgerdb "github.com/dgraph-io/badger/v4"
)

const (
	// erasedFile is the name of an empty file in the database's folder: records were erased, and their bytes may still
	// be in the tables.
	erasedFile = "munadi.erased"
	// maxCompactedAtClose limits the size of a database that is compacted when it is closed, in bytes: opening it
	// verifies all tables, and a shutdown must not take minutes.
	maxCompactedAtClose = 1 << 30
)

// diskEraser removes erased records from the files of a log-structured database (secure deletion): a deletion only
// hides a record until the tables that hold it are compacted. The compaction runs when the database is closed. A file
// marks it as pending, so that after a crash the next process does it.
type diskEraser struct {
	dir     string // empty in memory: nothing is done
	opt     OpenOptions
	log     *slog.Logger
	pending atomic.Bool // the file exists
}

func newDiskEraser(dir string, opt OpenOptions) *diskEraser {
	if opt.InMemory {
		dir = ""
	}
	return &diskEraser{dir: dir, opt: opt, log: newLogger(opt.Logger).to}
}

// markPending is called before records with personal data are erased.
func (d *diskEraser) markPending() {
	if d.dir == "" || d.pending.Swap(true) {
		return
	}
	if err := os.WriteFile(filepath.Join(d.dir, erasedFile), nil, 0o600); err != nil {
		d.log.Warn("cannot mark erased data as pending: a crash would leave it in the database's files", "error", err)
	}
}

// isPending reports whether records were erased, by this process or by one that was killed.
func (d *diskEraser) isPending() bool {
	if d.dir == "" || d.pending.Load() {
		return d.dir != ""
	}
	_, err := os.Stat(filepath.Join(d.dir, erasedFile))
	return err == nil
}

// compactClosed compacts a closed database of size bytes, if records were erased. Opening verifies all tables first; a
// damaged database is left unchanged, because compaction could drop records.
func (d *diskEraser) compactClosed(size int64) {
	if size > maxCompactedAtClose || !d.isPending() {
		return
	}
	err := d.compactTables()
	if err == nil {
		err = os.Remove(filepath.Join(d.dir, erasedFile))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.log.Warn("erased data is still in the database's files; the next shutdown tries again", "error", err)
	}
}

// compactTables moves all records to the lowest level, where only their newest versions are kept. The memory table of
// the last transactions, in level 0 by now, is included.
func (d *diskEraser) compactTables() error {
	opt := d.opt
	opt.compactOnClose = true // for level 0, which Flatten does not compact when it is the only level
	db, lost, err := openDB(d.dir, opt, nil)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return errors.Join(errors.New("the database is damaged"), db.Close())
	}
	awaitReadMark(db)
	return errors.Join(db.Flatten(1), db.Close())
}

// readMarks is more than the 100 marks that the channel of Badger's read watermark buffers (y/watermark.go).
const readMarks = 128

// awaitReadMark waits until Badger has processed the read watermark of the opening: a compaction drops old versions
// only below it, and it is set by another goroutine. A transaction sends its marks through the same channel, so that
// the last of more transactions than it buffers returns after that mark has been received.
func awaitReadMark(db *badgerdb.DB) {
	for range readMarks {
		db.NewTransaction(false).Discard()
	}
}
