package badger

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4/y"
)

// suspectEvery is the time after which an unchanged table is verified again on suspicion.
const suspectEvery = 10 * time.Second

// tableSuspicion records when tables were verified on suspicion.
type tableSuspicion struct {
	mu       sync.Mutex
	verified map[uint64]lookedAt
}

// lookedAt is the time of a table's last verification and its file's modification time then.
type lookedAt struct{ at, written time.Time }

// keyRange is a range of keys; both ends are inclusive.
type keyRange struct{ left, right []byte }

// findDamage verifies the tables that may hold keys of some ranges: where a block has become unreadable since the last
// verification, Badger reports "not found" or ends a list early. It is called before such a result is returned and
// reports whether new damage was found; then the caller repeats its query. Tables verified within [suspectEvery] and
// not written since are skipped, so that looking up missing records stays cheap.
func (s *BadgerStore) findDamage(ctx context.Context, ranges ...keyRange) bool {
	if s.opt.InMemory {
		return false
	}
	suspects := s.suspectTables(ranges)
	if len(suspects) == 0 {
		return false
	}
	looked, err := s.lookAtTables(ctx, func(id uint64) bool { return suspects[id] })
	if err != nil || !looked.hasDamage() {
		return false // the next verification reports the error
	}
	all, err := s.lookAtTables(ctx, func(id uint64) bool { _, known := looked[id]; return !known })
	if err != nil {
		return false
	}
	maps.Copy(all, looked)
	return s.reopenDatabase(all) == nil
}

// suspectTables returns the tables that may hold keys of some ranges and must be verified now.
func (s *BadgerStore) suspectTables(ranges []keyRange) map[uint64]bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil
	}
	s.suspicion.mu.Lock()
	defer s.suspicion.mu.Unlock()
	due, now, known := map[uint64]bool{}, time.Now(), map[uint64]lookedAt{}
	for _, t := range s.db.Tables() {
		before := s.suspicion.verified[t.ID]
		if !overlapsAny(ranges, y.ParseKey(t.Left), y.ParseKey(t.Right)) {
			known[t.ID] = before
			continue
		}
		info, err := os.Stat(filepath.Join(s.dir, tableName(t.ID)))
		if err != nil {
			continue
		}
		if now.Sub(before.at) >= suspectEvery || !info.ModTime().Equal(before.written) {
			due[t.ID] = true
			before = lookedAt{now, info.ModTime()}
		}
		known[t.ID] = before
	}
	s.suspicion.verified = known
	return due
}

// overlapsAny reports whether a table with keys from left to right may hold keys of one of the ranges.
func overlapsAny(ranges []keyRange, left, right []byte) bool {
	return slices.ContainsFunc(ranges, func(r keyRange) bool {
		return bytes.Compare(right, r.left) >= 0 && bytes.Compare(left, r.right) <= 0
	})
}
