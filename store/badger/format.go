package badger

import (
	"errors"
	"fmt"
	"strconv"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// format is the number of the key layout that this version writes; a change that an older version would misread
// raises it and brings an upgrade.
const format = 1

// formatKey holds it.
var formatKey = []byte("format")

// ensureFormat marks an empty database and refuses one that a newer version wrote.
func ensureFormat(db *badgerdb.DB) error {
	return db.Update(func(txn *badgerdb.Txn) error {
		item, err := txn.Get(formatKey)
		if errors.Is(err, badgerdb.ErrKeyNotFound) {
			return txn.Set(formatKey, []byte(strconv.Itoa(format)))
		}
		if err != nil {
			return fmt.Errorf("read the database's format: %w", err)
		}
		return item.Value(checkFormat)
	})
}

// checkFormat judges the recorded number.
func checkFormat(value []byte) error {
	found, err := strconv.Atoi(string(value))
	switch {
	case err != nil || found < 1:
		return &store.Error{Code: store.CodeCorrupt, Message: "the database's format is unreadable", Err: err}
	case found > format:
		return store.Errorf(store.CodeFormat,
			"the database has format %d and this version knows %d: it was written by a newer one", found, format)
	default:
		return nil
	}
}
