package badger

import (
	"bytes"
	"errors"
	"log/slog"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// indexCalls writes all index entries of every call. An unreadable call keeps its entries.
func indexCalls(db *badgerdb.DB, lost *unreadableRecords) error {
	return writeCallEntries(db, lost, "", nil)
}

// indexMarks writes the index entries by the time of the mark. Only calls that were ever marked are decoded.
func indexMarks(db *badgerdb.DB, lost *unreadableRecords) error {
	return writeCallEntries(db, lost, "call-marked", []byte(`"need":`))
}

// writeCallEntries writes the index entries of a kind, or of all, of the calls whose stored form holds a text, and logs
// its progress.
func writeCallEntries(db *badgerdb.DB, lost *unreadableRecords, kind string, holds []byte) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	err := db.View(func(txn *badgerdb.Txn) error {
		v := snapshotView{txn: txn, lost: lost}
		progress := beginProgress(v, joinPrefix("call"), upgradeProgress{
			log: lost.log, says: "the database is upgraded: its calls are indexed", unit: "calls",
		})
		defer progress.write()
		return eachValue(v, joinPrefix("call"), "", func(place string, raw []byte) (bool, error) {
			if progress.noteRecord(); !bytes.Contains(raw, holds) {
				return true, nil
			}
			entries, err := tableEntries(declaredTables["call"], splitKey(place, 2), raw)
			if err != nil {
				_ = v.newUnreadableError(append(joinPrefix("call"), place...), err) // it is reported
				return true, nil
			}
			for _, entry := range entries {
				if kind == "" || bytes.HasPrefix(entry.key, joinPrefix(kind)) {
					err = errors.Join(err, batch.Set(entry.key, append([]byte{}, entry.value...)))
				}
			}
			return err == nil, err
		})
	})
	if err != nil {
		return err
	}
	return batch.Flush()
}

// progressEvery is the time between two log lines of a migration.
const progressEvery = 5 * time.Second

// upgradeProgress logs how many records a migration, or the backup before it, has read.
type upgradeProgress struct {
	log        *slog.Logger
	says, unit string
	read, all  int
	logged     time.Time
}

// beginProgress counts the records of a prefix, and logs that they are read; nothing without any.
func beginProgress(v snapshotView, prefix []byte, p upgradeProgress) *upgradeProgress {
	v.visitKeys(prefix, func(string) bool { p.all++; return true })
	p.write()
	return &p
}

// noteRecord counts a record that was read.
func (p *upgradeProgress) noteRecord() {
	if p.read++; time.Since(p.logged) >= progressEvery {
		p.write()
	}
}

// write logs how many records were read.
func (p *upgradeProgress) write() {
	if p.logged = time.Now(); p.all > 0 {
		p.log.Info(p.says, p.unit, p.read, "of", p.all)
	}
}
