package badger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/google/renameio/v2"

	"munadi/store"
	"munadi/store/driver"
)

// reindexedFile, in the folder of damaged tables, lists the tables whose lost index entries were restored.
const reindexedFile = "reindexed"

// reindexBatch is the number of records read per snapshot while index entries are restored.
const reindexBatch = 512

// indexedKinds are the kinds of records whose index entries are restored.
var indexedKinds = []string{"call", "delivery", "event", "job"}

// entriesOf returns the index entries of a record; none for one that cannot be read or does not exist.
func (e writeTx) entriesOf(kind string, key ...string) ([]indexEntry, error) {
	t := declaredTables[kind]
	raw, found, err := e.Get(t, key, driver.NoLock)
	if err != nil || !found {
		return nil, store.IgnoreMissing(err)
	}
	entries, err := tableEntries(t, key, raw)
	if err != nil {
		_ = e.Unreadable(t, key, err) // it is reported
	}
	return entries, nil
}

// jobsListedKey marks that the index of all jobs is complete.
var jobsListedKey = []byte("jobs-listed")

// listOldJobs writes the index entries of all jobs once, for databases of a version without an index of all; again if
// the mark that it is complete was in a damaged block.
func (s *BadgerStore) listOldJobs() error {
	t, batch := declaredTables["job"], s.db.NewWriteBatch()
	defer batch.Cancel()
	err := s.db.View(func(txn *badgerdb.Txn) error {
		e := writeTx{snapshotView{txn: txn, lost: s.unreadable}, &changeSet{}}
		listed, err := e.hasKey(jobsListedKey)
		if listed || err != nil && !store.IsUnreadable(err) {
			return err
		}
		err = e.Scan(driver.Query{Table: t}, func(row driver.Row) (bool, error) {
			entries, err := e.entriesOf(t.Kind, row.Key...)
			for _, n := range entries {
				err = errors.Join(err, batch.Set(n.key, append([]byte{}, n.value...)))
			}
			return true, err
		})
		return errors.Join(err, batch.Set(jobsListedKey, []byte{}))
	})
	if err != nil {
		return err
	}
	return batch.Flush()
}

// startReindex restores lost index entries in the background. The caller holds s.mu, or has not published s yet.
func (s *BadgerStore) startReindex() {
	if len(s.unreadable.damageRanges()) == 0 {
		return
	}
	s.background.Go(func() {
		restored, err := s.restoreIndexEntries(context.Background())
		log := newLogger(s.opt.Logger).to
		if err != nil && store.CodeOf(err) != store.CodeClosed {
			log.Error("index entries lost to damaged blocks could not be restored; the next start tries again", "err", err)
		} else if restored > 0 {
			log.Warn("index entries lost to damaged blocks were restored", "records", restored)
		}
	})
}

// restoreIndexEntries rebuilds the index entries that damaged blocks held, from the records of all calls, deliveries,
// events and jobs, so that no scheduled call, pending delivery or queued job is skipped. It runs once per set of
// damaged tables and returns the number of records with missing entries.
func (s *BadgerStore) restoreIndexEntries(ctx context.Context) (restored int, err error) {
	damage, path := s.unreadable.tableNames(), filepath.Join(s.dir, damagedFolder, reindexedFile)
	if done, err := os.ReadFile(path); err == nil && string(done) == damage {
		return 0, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, kind := range indexedKinds {
		n, err := s.restoreEntriesOf(ctx, kind)
		restored += n
		if err != nil {
			return restored, err
		}
	}
	return restored, renameio.WriteFile(path, []byte(damage), 0o600)
}

// restoreEntriesOf restores the missing index entries of all records of a kind.
func (s *BadgerStore) restoreEntriesOf(ctx context.Context, kind string) (restored int, err error) {
	for from, more := "", true; more; {
		var broken []string
		err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
			broken, from, more, err = v.recordsWithoutEntries(kind, from)
			return err
		})
		for some := range slices.Chunk(broken, sweepBatch) {
			err = errors.Join(err, s.updateTx(ctx, func(e writeTx) error { return e.putMissingEntries(kind, some) }))
		}
		if restored += len(broken); err != nil {
			return restored, err
		}
	}
	return restored, nil
}

// recordsWithoutEntries returns the records that lack an index entry, among the next [reindexBatch] of a kind at or
// after from, and where to continue; more is false at the end.
func (v snapshotView) recordsWithoutEntries(kind, from string) (broken []string, next string, more bool, err error) {
	read := 0
	v.keysFrom(joinPrefix(kind), from, func(place string) bool {
		if more = read == reindexBatch; more {
			return false
		}
		read++
		next = place + "\x00"
		var missing []indexEntry
		missing, err = writeTx{v, &changeSet{}}.missingEntries(kind, place)
		if len(missing) > 0 {
			broken = append(broken, place)
		}
		return err == nil
	})
	return broken, next, more && err == nil, err
}

// missingEntries returns the index entries of a record that a damaged block held and that are missing. An unreadable or
// removed record has none.
func (e writeTx) missingEntries(kind, place string) (missing []indexEntry, err error) {
	n := len(declaredTables[kind].Key)
	parts := splitKey(place, n)
	if len(parts) != n {
		return nil, nil
	}
	entries, err := e.entriesOf(kind, parts...)
	for _, entry := range entries {
		if err != nil {
			return nil, err
		}
		if !e.view.lost.mayHide(entry.key, 0) {
			continue
		}
		if _, err = e.view.txn.Get(entry.key); errors.Is(err, badgerdb.ErrKeyNotFound) {
			missing, err = append(missing, entry), nil
		}
	}
	return missing, err
}

// putMissingEntries restores the missing index entries of some records of a kind.
func (e writeTx) putMissingEntries(kind string, places []string) error {
	e.markUrgent()
	for _, place := range places {
		missing, err := e.missingEntries(kind, place)
		if err != nil {
			return err
		}
		for _, n := range missing {
			e.putRaw(n.key, append([]byte{}, n.value...))
		}
	}
	for _, changed := range []store.ChangeKind{
		store.CallsChanged, store.OutboxChanged, store.EventsChanged, store.CallbacksChanged,
	} {
		e.touchKind(changed)
	}
	return nil
}

// tableNames returns the names of the damaged tables, one per line.
func (u *unreadableRecords) tableNames() string {
	var names []string
	for _, r := range u.damageRanges() {
		names = append(names, r.table)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "\n")
}
