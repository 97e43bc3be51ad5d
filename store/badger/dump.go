package badger

import (
	"context"
	"errors"
	"fmt"
	"io"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store/dump"
)

// WriteBackup implements [store.Store]: it verifies all tables and writes a dump, without the records lost to damage.
func (s *BadgerStore) WriteBackup(ctx context.Context, w io.Writer) error {
	if _, err := s.VerifyFiles(ctx); err != nil {
		return err
	}
	return s.readSnapshot(ctx, func(v snapshotView) error { return writeDump(ctx, v.txn, v.lost, w) })
}

// writeDump writes all records of a transaction.
func writeDump(ctx context.Context, txn *badgerdb.Txn, lost *unreadableRecords, w io.Writer) error {
	out := dump.NewDumpWriter(w)
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchSize = 16
	it := txn.NewIterator(opt)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		item := it.Item()
		value, err := valueOf(item, lost)
		if isUnreadable(err) {
			continue // already logged; back up the readable records
		}
		if err = errors.Join(err, out.WriteRecord(item.Key(), value)); err != nil {
			return fmt.Errorf("back up %s: %w", maskKey(item.Key()), err)
		}
	}
	return out.WriteEnd()
}

// RecordCounts is the number of records of each kind in a dump.
type RecordCounts = dump.RecordCounts
