package badger

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// A dump is a backup of all records at one moment, in the order of their keys:
//
//	"munadi-dump 1\n"
//	key length, key, value length, value     for each record; lengths are unsigned varints
//	0, number of records                     varints
//	SHA-256 of everything before             32 bytes
//
// The count and checksum at the end prove that it is complete. Nothing may follow.
const dumpMagic = "munadi-dump 1\n"

// Limits of the keys and values in a dump, larger than a store writes.
const (
	maxDumpKey   = 8 << 10
	maxDumpValue = 64 << 20
)

// WriteBackup implements [store.Store]: it verifies all tables and writes a dump, without the records lost to damage.
func (s *BadgerStore) WriteBackup(ctx context.Context, w io.Writer) error {
	if _, err := s.VerifyTables(ctx); err != nil {
		return err
	}
	return s.readSnapshot(ctx, func(v snapshotView) error { return writeDump(ctx, v.txn, v.lost, w) })
}

// writeDump writes all records of a transaction.
func writeDump(ctx context.Context, txn *badgerdb.Txn, lost *unreadableRecords, w io.Writer) error {
	out := newDumpWriter(w)
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
		if err = errors.Join(err, out.writeRecord(item.Key(), value)); err != nil {
			return fmt.Errorf("back up %s: %w", maskKey(item.Key()), err)
		}
	}
	return out.writeEnd()
}

// dumpWriter writes a dump.
type dumpWriter struct {
	to    *bufio.Writer
	sum   hash.Hash
	out   io.Writer // both
	count uint64
	err   error // the first one
}

func newDumpWriter(w io.Writer) *dumpWriter {
	d := &dumpWriter{to: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
	d.out = io.MultiWriter(d.to, d.sum)
	d.writeBytes([]byte(dumpMagic))
	return d
}

// writeRecord writes one key and its value.
func (d *dumpWriter) writeRecord(key, value []byte) error {
	d.writeVarint(uint64(len(key)))
	d.writeBytes(key)
	d.writeVarint(uint64(len(value)))
	d.writeBytes(value)
	d.count++
	return d.err
}

// writeEnd writes the trailer: count and checksum.
func (d *dumpWriter) writeEnd() error {
	d.writeVarint(0)
	d.writeVarint(d.count)
	if d.err != nil {
		return d.err
	}
	if _, err := d.to.Write(d.sum.Sum(nil)); err != nil {
		return err
	}
	return d.to.Flush()
}

func (d *dumpWriter) writeVarint(n uint64) { d.writeBytes(binary.AppendUvarint(nil, n)) }

func (d *dumpWriter) writeBytes(p []byte) {
	if d.err == nil {
		_, d.err = d.out.Write(p)
	}
}

// RecordCounts is the number of records of each kind in a dump: "org", "call", "delivery" and the others that the
// package comment lists.
type RecordCounts map[string]uint64

// readDump verifies a dump while reading it and passes each record to visit, in order; visit may keep the bytes. It is
// safe on untrusted input: it allocates no more memory than it has read bytes. The error is [store.CodeCorrupt] for a
// damaged dump or another file.
func readDump(r io.Reader, visit func(key, value []byte) error) (RecordCounts, error) {
	d := &dumpReader{from: bufio.NewReaderSize(r, 64<<10), sum: sha256.New()}
	if magic := d.readBytes(uint64(len(dumpMagic)), maxDumpKey); string(magic) != dumpMagic {
		return nil, newCorruptError("this is no dump of a database", d.err)
	}
	counts, last, total := RecordCounts{}, []byte{}, uint64(0)
	for {
		size := d.readVarint()
		if d.err != nil || size == 0 {
			break
		}
		key := d.readBytes(size, maxDumpKey)
		value := d.readBytes(d.readVarint(), maxDumpValue)
		if d.err != nil {
			break
		}
		if bytes.Compare(key, last) <= 0 {
			return nil, newCorruptError("the dump's records are not in order", nil)
		}
		if err := visit(key, value); err != nil {
			return nil, err
		}
		kind, _, _ := strings.Cut(string(key), "/")
		counts[kind]++
		last = key
		total++
	}
	if count := d.readVarint(); d.err == nil && count != total {
		return nil, newCorruptError(fmt.Sprintf("the dump says %d records and has %d", count, total), nil)
	}
	return counts, d.checkEnd()
}

// dumpReader reads a dump.
type dumpReader struct {
	from *bufio.Reader
	sum  hash.Hash
	err  error // the first one
}

// readBytes reads n bytes; n must not exceed limit.
func (d *dumpReader) readBytes(n, limit uint64) []byte {
	if d.err == nil && n > limit {
		d.err = fmt.Errorf("a length of %d bytes, where %d are possible", n, limit)
	}
	if d.err != nil {
		return nil
	}
	var b bytes.Buffer
	if _, d.err = io.CopyN(&b, d.from, int64(n)); errors.Is(d.err, io.EOF) {
		d.err = io.ErrUnexpectedEOF
	}
	d.sum.Write(b.Bytes())
	return b.Bytes()
}

// readVarint reads a varint.
func (d *dumpReader) readVarint() uint64 {
	if d.err != nil {
		return 0
	}
	var n uint64
	if n, d.err = binary.ReadUvarint(d.from); errors.Is(d.err, io.EOF) {
		d.err = io.ErrUnexpectedEOF
	}
	d.sum.Write(binary.AppendUvarint(nil, n)) // a non-canonical varint then changes the checksum
	return n
}

// checkEnd verifies the checksum and the end of the input.
func (d *dumpReader) checkEnd() error {
	want := d.sum.Sum(nil)
	if got := d.readBytes(sha256.Size, sha256.Size); d.err == nil && !bytes.Equal(got, want) {
		return newCorruptError("the dump's checksum is wrong: it was damaged", nil)
	}
	if d.err != nil {
		return newCorruptError("the dump breaks off or is damaged", d.err)
	}
	if _, err := d.from.ReadByte(); !errors.Is(err, io.EOF) {
		return newCorruptError("something follows the dump", err)
	}
	return nil
}

// newCorruptError returns the error of an unusable dump.
func newCorruptError(message string, cause error) error {
	return &store.Error{Code: store.CodeCorrupt, Message: message, Err: cause}
}
