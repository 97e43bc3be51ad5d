package badger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// snapshotView reads: a snapshot for callers, or, for a command, all that is committed and what its neighbours before it
// have changed. lost may be nil: then damage is not looked at.
type snapshotView struct {
	txn  *badgerdb.Txn
	lost *unreadableRecords
}

// rawValue is the value under key; false without one, [store.CodeCorrupt] where damage took it or a newer one.
func (v snapshotView) rawValue(key []byte) ([]byte, bool, error) {
	item, err := v.txn.Get(key)
	if errors.Is(err, badgerdb.ErrKeyNotFound) {
		if v.lost.mayHide(key, 0) {
			return nil, false, v.lost.newUnreadableError(key, errLostBlock)
		}
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", maskKey(key), err)
	}
	if v.lost.mayHide(key, item.Version()) {
		return nil, false, v.lost.newUnreadableError(key, errLostBlock)
	}
	value, err := valueOf(item, v.lost)
	return value, err == nil, err
}

// hasKey says whether there is such a key.
func (v snapshotView) hasKey(key []byte) (bool, error) {
	_, found, err := v.rawValue(key)
	return found, err
}

// getRecord reads the record under key into record; false without one.
func (v snapshotView) getRecord(key []byte, record any) (bool, error) {
	value, found, err := v.rawValue(key)
	if err != nil || !found {
		return false, err
	}
	if err := decodeRecord(key, value, record); err != nil {
		return true, v.lost.newUnreadableError(key, err)
	}
	return true, nil
}

// decodeRecord reads a record's JSON.
func decodeRecord(key, value []byte, record any) error {
	if err := json.Unmarshal(value, record); err != nil {
		return &store.Error{
			Code: store.CodeCorrupt, Message: "a record cannot be read",
			Err: fmt.Errorf("decode %s: %w", maskKey(key), err),
		}
	}
	return nil
}

// visitKeys calls visit with each key under prefix, in order and without its prefix, until visit says false.
func (v snapshotView) visitKeys(prefix []byte, visit func(rest string) bool) {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Prefix = false, prefix
	it := v.txn.NewIterator(opt)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if !visit(string(it.Item().Key()[len(prefix):])) {
			return
		}
	}
}

// listRecords reads all records under prefix, by key. Those that cannot be read are left out.
func listRecords[T any](v snapshotView, prefix []byte) ([]T, error) {
	opt := badgerdb.DefaultIteratorOptions
	opt.Prefix = prefix
	it := v.txn.NewIterator(opt)
	defer it.Close()
	var records []T
	for it.Rewind(); it.Valid(); it.Next() {
		var record T
		err := itemRecord(v, it.Item(), &record)
		if isUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

// itemRecord reads the record of an item.
func itemRecord(v snapshotView, item *badgerdb.Item, record any) error {
	if v.lost.mayHide(item.Key(), item.Version()) {
		return v.lost.newUnreadableError(item.KeyCopy(nil), errLostBlock)
	}
	value, err := valueOf(item, v.lost)
	if err != nil {
		return err
	}
	if err := decodeRecord(item.Key(), value, record); err != nil {
		return v.lost.newUnreadableError(item.KeyCopy(nil), err)
	}
	return nil
}

// keysFrom is [snapshotView.visitKeys] beginning with the first key at or after from.
func (v snapshotView) keysFrom(prefix []byte, from string, visit func(rest string) bool) {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Prefix = false, prefix
	it := v.txn.NewIterator(opt)
	defer it.Close()
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		if !visit(string(it.Item().Key()[len(prefix):])) {
			return
		}
	}
}

// eachFrom calls visit with each key under prefix at or after from, without its prefix, and its value, until visit
// says false. The value is visit's only until it returns.
func eachFrom(v snapshotView, prefix []byte, from string, visit func(rest string, value []byte) (bool, error)) error {
	opt := badgerdb.DefaultIteratorOptions
	opt.Prefix = prefix
	it := v.txn.NewIterator(opt)
	defer it.Close()
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		more := false
		err := it.Item().Value(func(value []byte) (err error) {
			more, err = visit(string(it.Item().Key()[len(prefix):]), value)
			return err
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}
