package badger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/record"
)

// snapshotView reads a snapshot, or, within a command, the committed state with the changes of earlier commands of its
// group. A nil lost skips the damage check. Every unreadable record that is met is added to report.
type snapshotView struct {
	txn    *badgerdb.Txn
	lost   *unreadableRecords
	report *store.DamageReport
}

// rawValue returns the value of key; false without one, [store.CodeCorrupt] where it or a newer version was lost to
// damage.
func (v snapshotView) rawValue(key []byte) ([]byte, bool, error) {
	item, err := v.txn.Get(key)
	if errors.Is(err, badgerdb.ErrKeyNotFound) {
		if v.lost.mayHide(key, 0) {
			return nil, false, v.newUnreadableError(key, errLostBlock)
		}
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", record.MaskKey(string(key)), err)
	}
	value, err := v.valueOf(item)
	return value, err == nil, err
}

// hasKey reports whether key exists.
func (v snapshotView) hasKey(key []byte) (bool, error) {
	_, found, err := v.rawValue(key)
	return found, err
}

// getRecord decodes the record of key into record; false without one.
func (v snapshotView) getRecord(key []byte, record any) (bool, error) {
	value, found, err := v.rawValue(key)
	if err != nil || !found {
		return false, err
	}
	return true, v.decodeRecord(key, value, record)
}

// decodeRecord decodes a record's JSON.
func (v snapshotView) decodeRecord(key, value []byte, record any) error {
	if err := json.Unmarshal(value, record); err != nil {
		return v.newUnreadableError(key, fmt.Errorf("decode: %w", err))
	}
	return nil
}

// openIterator opens an iterator over the keys under a prefix.
func (v snapshotView) openIterator(prefix []byte, opt badgerdb.IteratorOptions) *badgerdb.Iterator {
	v.reportLostKeys(prefix)
	opt.Prefix = prefix
	return v.txn.NewIterator(opt)
}

// withoutPrefetch are the options of an iterator that reads a value when it is asked for. Badger's prefetch starts a
// goroutine for each value, which costs as much as decoding it: nearly all values lie beside their keys.
func withoutPrefetch() badgerdb.IteratorOptions {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues = false
	return opt
}

// visitKeys calls visit with each key under prefix, in order and without the prefix, until visit returns false.
func (v snapshotView) visitKeys(prefix []byte, visit func(rest string) bool) {
	v.keysFrom(prefix, "", visit)
}

// keysFrom is [snapshotView.visitKeys] starting at the first key at or after from.
func (v snapshotView) keysFrom(prefix []byte, from string, visit func(rest string) bool) {
	it := v.openIterator(prefix, withoutPrefetch())
	defer it.Close()
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		if !visit(string(it.Item().Key()[len(prefix):])) {
			return
		}
	}
}

// eachValue calls visit with each key under prefix at or after from, without the prefix, and its value, until visit
// returns false. Unreadable values are reported and skipped.
func eachValue(v snapshotView, prefix []byte, from string, visit func(rest string, value []byte) (bool, error)) error {
	it := v.openIterator(prefix, withoutPrefetch())
	defer it.Close()
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		value, err := v.valueOf(it.Item())
		if store.IsUnreadable(err) {
			continue
		}
		more := false
		if err == nil {
			more, err = visit(string(it.Item().Key()[len(prefix):]), value)
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// eachRecord is eachValue of decoded records; those that cannot be decoded are reported and skipped, too.
func eachRecord[T any](
	v snapshotView, prefix []byte, from string, visit func(rest string, record T) (bool, error),
) error {
	return eachValue(v, prefix, from, func(rest string, value []byte) (bool, error) {
		var record T
		if err := v.decodeRecord(append(slices.Clip(prefix), rest...), value, &record); err != nil {
			return true, nil //nolint:nilerr // it is reported
		}
		return visit(rest, record)
	})
}

// WatchKind implements [store.ChangeWatcher].
func (s *BadgerStore) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	return s.committer.watchers.WatchKind(kind)
}
