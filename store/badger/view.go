package badger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// snapshotView reads a snapshot, or, within a command, the committed state with the changes of earlier commands of its
// group. A nil lost skips the damage check.
type snapshotView struct {
	txn  *badgerdb.Txn
	lost *unreadableRecords
}

// rawValue returns the value of key; false without one, [store.CodeCorrupt] where it or a newer version was lost to
// damage.
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
	if err := decodeRecord(key, value, record); err != nil {
		return true, v.lost.newUnreadableError(key, err)
	}
	return true, nil
}

// decodeRecord decodes a record's JSON.
func decodeRecord(key, value []byte, record any) error {
	if err := json.Unmarshal(value, record); err != nil {
		return &store.Error{
			Code: store.CodeCorrupt, Message: "a record cannot be read",
			Err: fmt.Errorf("decode %s: %w", maskKey(key), err),
		}
	}
	return nil
}

// visitKeys calls visit with each key under prefix, in order and without the prefix, until visit returns false.
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

// listRecords returns all records under prefix, by key. Unreadable ones are skipped.
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

// itemRecord decodes the record of an iterator's item.
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

// keysFrom is [snapshotView.visitKeys] starting at the first key at or after from.
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

// eachRecord calls visit with each record under prefix at or after from, and the rest of its key, until visit returns
// false. Unreadable records are logged and skipped; whole reports that there was none.
func eachRecord[T any](
	v snapshotView, prefix []byte, from string, visit func(rest string, record T) (bool, error),
) (whole bool, err error) {
	opt := badgerdb.DefaultIteratorOptions
	opt.Prefix = prefix
	it := v.txn.NewIterator(opt)
	defer it.Close()
	whole = true
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		var record T
		if err := itemRecord(v, it.Item(), &record); isUnreadable(err) {
			whole = false
			continue
		} else if err != nil {
			return whole, err
		}
		more, err := visit(string(it.Item().Key()[len(prefix):]), record)
		if err != nil || !more {
			return whole, err
		}
	}
	return whole, nil
}

// eachFrom calls visit with each key under prefix at or after from, without the prefix, and its value, until visit
// returns false. The value is only valid until visit returns.
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
