package badger

import (
	"context"
	"errors"
	"fmt"
	"io"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/dump"
	"munadi/store/record"
)

// WriteBackup implements [store.Store]: it verifies all files and writes a dump that names the records lost to damage.
func (s *BadgerStore) WriteBackup(ctx context.Context, w io.Writer) error {
	if _, err := s.VerifyFiles(ctx); err != nil {
		return err
	}
	return s.readSnapshot(ctx, func(v snapshotView) error { return writeDump(ctx, v, w) })
}

// writeDump writes all readable records, and which are missing.
func writeDump(ctx context.Context, v snapshotView, w io.Writer) error {
	out := dump.NewDumpWriter(w)
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchSize = 16
	it := v.openIterator(nil, opt)
	defer it.Close()
	missing := dump.IncompleteError{Blocks: len(v.lost.damageRanges())}
	for it.Rewind(); it.Valid(); it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		item := it.Item()
		value, err := v.valueOf(item)
		if store.IsUnreadable(err) {
			missing.AddRecord(record.MaskKey(string(item.Key())))
			continue
		}
		if string(item.Key()) == dump.MissingKey {
			continue // of an incomplete dump, restored by a version that did not know the key
		}
		if err = errors.Join(err, out.WriteRecord(item.Key(), value)); err != nil {
			return fmt.Errorf("back up %s: %w", record.MaskKey(string(item.Key())), err)
		}
	}
	if err := out.WriteMissing(&missing); err != nil {
		return err
	}
	return out.WriteEnd()
}

// RecordCounts is the number of records of each kind in a dump.
type RecordCounts = dump.RecordCounts
