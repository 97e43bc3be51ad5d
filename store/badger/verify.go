package badger

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/badger/logfile"
)

// IntegrityState describes the known damage of a database.
type IntegrityState struct {
	Tables  int      // verified tables
	Bytes   int64    // verified bytes, of tables and of values in value logs
	Damaged []string // files of tables with damaged blocks, as kept
	Blocks  int      // damaged blocks
	Values  int      // damaged or missing values of value logs
	Records int      // unreadable records that were requested, at most 100
}

// IsWhole reports that there is no damage.
func (i IntegrityState) IsWhole() bool { return i.Blocks == 0 && i.Values == 0 && i.Records == 0 }

// String describes the damage and what to do.
func (i IntegrityState) String() string {
	if i.IsWhole() {
		return "whole"
	}
	var said []string
	if i.Blocks > 0 {
		said = append(said, fmt.Sprintf("blocks of its tables are damaged: %d", i.Blocks))
	}
	if i.Values > 0 {
		said = append(said, fmt.Sprintf("values of its value logs are damaged or missing: %d", i.Values))
	}
	if i.Records > 0 {
		said = append(said, fmt.Sprintf("requested records could not be read: %d", i.Records))
	}
	text := strings.Join(said, "; ") + ". The log names the records. Check the disk for errors, and restore a backup " +
		"(munadi restore FILE --replace)"
	if i.Blocks > 0 {
		text += "; the damaged tables are in the database's folder " + damagedFolder
	}
	return text
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
	known.Values, known.Records = s.unreadable.countValues(), s.unreadable.names.CountRecords()
	return known
}

// VerifyFiles reads all tables and all values in value logs, and verifies their checksums (scrubbing) while other calls
// continue. New damage is handled at once: the database is reopened without damaged blocks, while callers wait, and
// damaged values are not read again. It reads as fast as one CPU core can; ctx cancels it.
func (s *BadgerStore) VerifyFiles(ctx context.Context) (IntegrityState, error) {
	if s.opt.InMemory {
		return IntegrityState{}, nil
	}
	looked, pointers, lost, err := s.lookAtFiles(ctx)
	if err == nil && looked.hasDamage() {
		err = s.reopenDatabase(looked)
	}
	if err == nil {
		s.unreadable.setValues(lost)
	}
	known := s.Integrity()
	known.Tables = len(looked)
	for _, t := range looked {
		known.Bytes += t.size
	}
	for _, p := range pointers {
		known.Bytes += int64(p.Length)
	}
	return known, err
}

// lookAtFiles verifies all tables, and the values in value logs that records have now. When a value log is missing it
// looks again: value log garbage collection may have moved the log's values meanwhile.
func (s *BadgerStore) lookAtFiles(ctx context.Context) (
	looked verifiedTables, pointers map[string]logfile.ValuePointer, lost []lostValue, err error,
) {
	for range 3 {
		if looked, err = s.lookAtTables(ctx, func(uint64) bool { return true }); err == nil {
			pointers, lost, err = s.lookAtValues(ctx, looked)
		}
		if err != nil || !slices.ContainsFunc(lost, func(l lostValue) bool { return l.missing }) {
			break
		}
	}
	return looked, pointers, lost, err
}

// lookAtValues verifies the values in value logs.
func (s *BadgerStore) lookAtValues(
	ctx context.Context, tables verifiedTables,
) (pointers map[string]logfile.ValuePointer, lost []lostValue, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	state, err := s.readState()
	if err != nil {
		return nil, nil, err
	}
	if pointers, err = state.newestPointers(s.dir, tables); err != nil {
		return nil, nil, err
	}
	if lost, err = state.verifyValues(ctx, s.dir, pointers); err == nil {
		lost, err = keepCurrent(s.db, lost)
	}
	return pointers, lost, err
}

// readState reads the database's MANIFEST and encryption keys while it is open.
func (s *BadgerStore) readState() (folderState, error) {
	if s.closed {
		return folderState{}, errClosed()
	}
	return readFolder(s.dir, s.opt)
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
	state, err := s.readState()
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
		if err != nil && s.isCompacted(id) {
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
func (s *BadgerStore) isCompacted(id uint64) bool {
	state, err := s.readState()
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
		s.reserve.ballast.ReleaseSpace()
		s.lock.releaseLock()
		return &store.Error{
			Code: store.CodeCorrupt,
			Message: "the database was damaged while it was open and cannot be opened " +
				"again",
			Err: errors.Join(openErr, err),
		}
	}
	s.db, s.committer.db = db, db
	s.unreadable.setDamage(lost.ranges)
	s.collector = s.startCollector()
	s.startReindex()
	return db.View(func(txn *badgerdb.Txn) error {
		s.watermarks.resetWatermarks(snapshotView{txn: txn, lost: s.unreadable})
		return nil
	})
}
