package badger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// format is the number of the key layout that this version writes; a change that an older version would misread
// raises it and brings an upgrade.
//
//	1  organizations, keys, restaurant sessions and phrases, transcription jobs
//	2  calls, dialling rules, scenarios, outbox, audit trail, numbered transactions
const format = 2

// formatKey holds it.
var formatKey = []byte("format")

// upgrades lead from each older format to the next; what one writes and the new number are one transaction.
var upgrades = map[int]func(*badgerdb.Txn) error{
	1: numberCommits,
}

// numberCommits begins to count transactions. Everything else that format 2 brings begins empty; the number is raised
// so that an older version, which would leave booked calls undialled, refuses the database.
func numberCommits(txn *badgerdb.Txn) error { return txn.Set(commitsKey, numeral(0)) }

// ensureFormat marks an empty database, upgrades an older one and refuses one that a newer version wrote. before, if
// any, may refuse an upgrade.
func ensureFormat(db *badgerdb.DB, before func(Upgrade) error) error {
	found, err := formatOf(db)
	if err != nil {
		return err
	}
	if found > 0 && found < format && before != nil {
		back := func(ctx context.Context, w io.Writer) error {
			return db.View(func(txn *badgerdb.Txn) error {
				return dump(ctx, txn, newUnreadable(nil, slog.New(slog.DiscardHandler)), w)
			})
		}
		if err := before(Upgrade{From: found, To: format, Backup: back}); err != nil {
			return fmt.Errorf("the database has format %d and is not upgraded to %d: %w", found, format, err)
		}
	}
	for {
		var done bool
		err := db.Update(func(txn *badgerdb.Txn) (err error) {
			done, err = upgradeOnce(txn)
			return err
		})
		if err != nil || done {
			return err
		}
	}
}

// formatOf is a database's recorded format; 0 for an empty one.
func formatOf(db *badgerdb.DB) (found int, err error) {
	err = db.View(func(txn *badgerdb.Txn) error {
		value, there, err := view{txn: txn}.raw(formatKey)
		if err == nil && there {
			found, err = parseFormat(value)
		}
		return err
	})
	return found, err
}

// upgradeOnce takes the database one format further; true when it has this version's.
func upgradeOnce(txn *badgerdb.Txn) (done bool, err error) {
	item, err := txn.Get(formatKey)
	if errors.Is(err, badgerdb.ErrKeyNotFound) {
		return true, txn.Set(formatKey, []byte(strconv.Itoa(format)))
	}
	if err != nil {
		return false, fmt.Errorf("read the database's format: %w", err)
	}
	value, err := item.ValueCopy(nil)
	if err != nil {
		return false, fmt.Errorf("read the database's format: %w", err)
	}
	found, err := parseFormat(value)
	if err != nil || found == format {
		return true, err
	}
	if err := upgrades[found](txn); err != nil {
		return false, fmt.Errorf("upgrade the database from format %d: %w", found, err)
	}
	return false, txn.Set(formatKey, []byte(strconv.Itoa(found+1)))
}

// parseFormat reads and judges the recorded number.
func parseFormat(value []byte) (int, error) {
	found, err := strconv.Atoi(string(value))
	switch {
	case err != nil || found < 1:
		return 0, &store.Error{Code: store.CodeCorrupt, Message: "the database's format is unreadable", Err: err}
	case found > format:
		return 0, store.Errorf(store.CodeFormat,
			"the database has format %d and this version knows %d: it was written by a newer one; use that, or restore the "+
				"backup that it made before its upgrade", found, format)
	default:
		return found, nil
	}
}
