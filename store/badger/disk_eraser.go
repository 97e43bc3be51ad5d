package badger

import (
	"errors"
	"log/slog"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// maxCompactedAtClose limits the size of a database that is compacted when it is closed, in bytes: opening it verifies
// all tables, and a shutdown must not take minutes.
const maxCompactedAtClose = 1 << 30

// compactionKey marks that records with personal data were deleted or replaced, whose bytes may still be in the
// files. It is written by the same transactions, so that no crash forgets it.
var compactionKey = []byte("compaction-owed")

// diskEraser removes erased records from the files of a log-structured database (secure deletion): a deletion only
// hides a record until the tables that hold it are compacted and the value logs are collected. That is done when the
// database is closed, by the next process after a crash.
type diskEraser struct {
	dir string // empty in memory: nothing is done
	opt OpenOptions
	log *slog.Logger
}

func newDiskEraser(dir string, opt OpenOptions) *diskEraser {
	if opt.InMemory {
		dir = ""
	}
	return &diskEraser{dir: dir, opt: opt, log: newLogger(opt.Logger).to}
}

// isPending reports whether an open database holds erased data, as far as it can be read.
func (d *diskEraser) isPending(db *badgerdb.DB) (owed bool) {
	if d.dir == "" {
		return false
	}
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		owed, err = snapshotView{txn: txn}.hasKey(compactionKey)
		return err
	})
	return owed || err != nil
}

// compactClosed compacts a closed database. Opening verifies all tables first; a damaged database is left unchanged,
// because compaction could drop records. The garbage of the value logs is known once the tables have been compacted,
// level 0 when they are closed.
func (d *diskEraser) compactClosed() {
	err := d.openAnd(compactTables)
	if err == nil {
		err = d.openAnd(d.collectAllGarbage)
	}
	if err != nil {
		d.log.Warn("erased data is still in the database's files; the next shutdown tries again", "error", err)
	}
}

// openAnd opens the closed database for one step of its compaction and closes it again.
func (d *diskEraser) openAnd(step func(*badgerdb.DB) error) error {
	opt := d.opt
	opt.compactOnClose = true // for level 0, which Flatten does not compact when it is the only level
	db, lost, err := openDB(d.dir, opt, nil)
	if err != nil {
		return err
	}
	if len(lost.ranges)+len(lost.values) > 0 {
		return errors.Join(errors.New("the database is damaged"), db.Close())
	}
	return errors.Join(step(db), db.Close())
}

// compactTables moves all records to the lowest level, where only their newest versions are kept. The memory table of
// the last transactions, in level 0 by now, is included.
func compactTables(db *badgerdb.DB) error {
	awaitReadMark(db)
	return db.Flatten(1)
}

// collectAllGarbage rewrites each value log file that holds a deleted or replaced value, and removes the mark. The file
// that is written to is left out: it is empty, as each opening creates one.
func (d *diskEraser) collectAllGarbage(db *badgerdb.DB) error {
	const anyGarbage = 1e-12 // fraction of a file
	c := &valueLogCollector{db: db, dir: d.dir, opt: d.opt, ratio: anyGarbage}
	for {
		err := c.collectOne()
		if errors.Is(err, badgerdb.ErrNoRewrite) {
			return db.Update(func(txn *badgerdb.Txn) error { return txn.Delete(compactionKey) })
		}
		if err != nil {
			return err
		}
	}
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
