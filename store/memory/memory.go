// Package memory is a store in memory, for tests of doors and workers. It keeps rows in maps, runs one transaction at a
// time, and undoes those that fail. It loses everything when it is closed.
package memory

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/dump"
	"munadi/store/record"
	"munadi/store/records"
)

// Store is a store in memory.
type Store struct {
	*records.Records
	record.AuditSecret
	watchers record.WatcherSet

	mu     sync.RWMutex
	closed bool
	kinds  map[string]map[string]driver.Row // by kind and by key, see [rowKey]
}

var _ store.Store = (*Store)(nil)

// OpenStore returns an empty store.
func OpenStore() *Store {
	s := &Store{kinds: map[string]map[string]driver.Row{}}
	s.Records = records.NewRecords(s)
	return s
}

// Close implements [io.Closer].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.kinds = true, nil
	return nil
}

// WatchKind implements [store.ChangeWatcher].
func (s *Store) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	return s.watchers.WatchKind(kind)
}

// WriteBackup implements [store.Store].
func (s *Store) WriteBackup(ctx context.Context, w io.Writer) error {
	return s.Read(ctx, func(driver.Tx) error {
		all := map[string][]byte{dump.IndexFreeKey: {1}}
		for kind, rows := range s.kinds {
			for _, row := range rows {
				all[strings.Join(append([]string{kind}, row.Key...), "/")] = row.Raw
			}
		}
		out := dump.NewDumpWriter(w)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if err := out.WriteRecord([]byte(key), all[key]); err != nil {
				return err
			}
		}
		return out.WriteEnd()
	})
}

// run runs f unless the store is closed or the context has ended.
func (s *Store) run(ctx context.Context, tx *transaction, f func(driver.Tx) error) error {
	if s.closed {
		return store.Errorf(store.CodeClosed, "the store is closed")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f(tx)
}

// Read implements [driver.Driver].
func (s *Store) Read(ctx context.Context, f func(driver.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.run(ctx, &transaction{s: s}, f)
}

// Update implements [driver.Driver].
func (s *Store) Update(ctx context.Context, f func(driver.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx := &transaction{s: s}
	if err := s.run(ctx, tx, f); err != nil {
		for _, undo := range slices.Backward(tx.undo) {
			undo()
		}
		return err
	}
	s.watchers.WakeWatchers(tx.changed)
	return nil
}

// GroupsCommits implements [driver.Driver].
func (s *Store) GroupsCommits() bool { return false }

// Sweep implements [driver.Driver].
func (s *Store) Sweep(ctx context.Context, b driver.Batch) error {
	return driver.RunSweep(ctx, s, b, 64)
}

// FindDamage implements [driver.Driver].
func (s *Store) FindDamage(context.Context, *driver.Table, []string) bool { return false }
