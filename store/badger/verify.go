package badger

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// IntegrityState describes the known damage of a database.
type IntegrityState struct {
	Tables  int      // verified tables
	Bytes   int64    // verified bytes
	Damaged []string // files of tables with damaged blocks, as kept
	Blocks  int      // damaged blocks
	Records int      // unreadable records that were requested, at most 100
}

// IsWhole reports that there is no damage.
func (i IntegrityState) IsWhole() bool { return i.Blocks == 0 && i.Records == 0 }

// String describes the damage and what to do.
func (i IntegrityState) String() string {
	if i.IsWhole() {
		return "whole"
	}
	said := fmt.Sprintf("%d blocks of its tables are damaged", i.Blocks)
	if i.Records > 0 {
		said += fmt.Sprintf(", and %d requested records could not be read", i.Records)
	}
	return said + ": check the disk for errors, and restore a backup (munadi restore FILE --replace); the damaged files " +
		"are in the database's folder " + damagedFolder
}

// Integrity returns the known damage, without a new verification.
func (s *BadgerStore) Integrity() IntegrityState {
	var known IntegrityState
	seen := map[string]bool{}
	for _, r := range s.unreadable.damageRanges() {
		known.Blocks++
		if !seen[r.table] {
			seen[r.table] = true
			known.Damaged = append(known.Damaged, r.table)
		}
	}
	known.Records = s.unreadable.countRecords()
	return known
}

// VerifyTables reads all tables and verifies their checksums (scrubbing) while other calls continue. New damage is
// handled at once: the database is reopened without the damaged blocks, while callers wait. It reads as fast as one CPU
// core can; ctx cancels it.
func (s *BadgerStore) VerifyTables(ctx context.Context) (IntegrityState, error) {
	if s.opt.InMemory {
		return IntegrityState{}, nil
	}
	looked, err := s.lookAtTables(ctx, func(uint64) bool { return true })
	if err == nil && looked.hasDamage() {
		err = s.reopenDatabase(looked)
	}
	known := s.Integrity()
	known.Tables = len(looked)
	for _, t := range looked {
		known.Bytes += t.size
	}
	return known, err
}

// hasDamage reports whether a block of a table is damaged.
func (v verifiedTables) hasDamage() bool {
	for _, t := range v {
		if t.damaged {
			return true
		}
	}
	return false
}

// lookAtTables verifies the tables that wanted selects. Tables that disappear meanwhile were compacted into others.
func (s *BadgerStore) lookAtTables(ctx context.Context, wanted func(id uint64) bool) (verifiedTables, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, errClosed()
	}
	key, err := keyOf(s.opt)
	if err != nil {
		return nil, err
	}
	state, err := readManifest(s.dir, key)
	if err != nil {
		return nil, err
	}
	looked := verifiedTables{}
	for id := range state.manifest.Tables {
		if err := ctx.Err(); err != nil {
			return looked, err
		}
		if !wanted(id) {
			continue
		}
		t, err := state.verifyTable(s.dir, id)
		if err != nil && isCompacted(s.dir, key, id) {
			continue
		}
		if err != nil {
			return looked, err
		}
		looked[id] = t
		runtime.Gosched()
	}
	return looked, nil
}

// isCompacted reports whether the MANIFEST no longer names a table. Compaction first removes a table from the MANIFEST,
// then truncates its file to zero bytes, then deletes the file.
func isCompacted(dir string, key []byte, id uint64) bool {
	state, err := readManifest(dir, key)
	if err != nil {
		return false
	}
	_, named := state.manifest.Tables[id]
	return !named
}

// reopenDatabase closes and reopens the database, which removes damaged blocks. Callers wait meanwhile: for the tables
// that known lacks to be read, so it should have all but those that the closing writes. If it cannot be reopened, the
// store stays closed.
func (s *BadgerStore) reopenDatabase(known verifiedTables) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed()
	}
	s.collector.stopCollector()
	err := s.db.Close()
	db, lost, openErr := openDB(s.dir, s.opt, known)
	if openErr != nil {
		s.closed = true
		s.committer.stopCommitter()
		s.committer.marker.closeFile()
		s.lock.releaseLock()
		return &store.Error{
			Code: store.CodeCorrupt,
			Message: "the database was damaged while it was open and cannot be opened " +
				"again",
			Err: errors.Join(openErr, err),
		}
	}
	s.db, s.committer.db = db, db
	s.unreadable.setDamage(lost)
	s.collector = startCollector(db, s.opt)
	s.startReindex()
	return db.View(func(txn *badgerdb.Txn) error {
		s.watermarks.resetWatermarks(snapshotView{txn, s.unreadable})
		return nil
	})
}
