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

// A dump is all records of the database at one moment, in the order of their keys:
//
//	"munadi-dump 1\n"
//	key length, key, value length, value     for each record; lengths are unsigned varints
//	0, number of records                     varints
//	SHA-256 of everything before             32 bytes
//
// It is whole when its end is there, so that a reader needs no word of the writer's success. Nothing may follow.
const dumpMagic = "munadi-dump 1\n"

// The largest key and value that a dump may hold; more than a store writes.
const (
	maxDumpKey   = 8 << 10
	maxDumpValue = 64 << 20
)

// Backup implements [store.Store] by verifying all tables and writing a dump. What damage took is not in it.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	if _, err := s.VerifyTables(ctx); err != nil {
		return err
	}
	return s.read(ctx, func(v view) error { return dump(ctx, v.txn, v.lost, w) })
}

// dump writes all that a transaction sees.
func dump(ctx context.Context, txn *badgerdb.Txn, lost *unreadable, w io.Writer) error {
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
			continue // it is logged; what can be read is worth a backup
		}
		if err = errors.Join(err, out.record(item.Key(), value)); err != nil {
			return fmt.Errorf("back up %s: %w", maskKey(item.Key()), err)
		}
	}
	return out.end()
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
	d.write([]byte(dumpMagic))
	return d
}

// record writes one key and its value.
func (d *dumpWriter) record(key, value []byte) error {
	d.number(uint64(len(key)))
	d.write(key)
	d.number(uint64(len(value)))
	d.write(value)
	d.count++
	return d.err
}

// end writes what makes the dump whole.
func (d *dumpWriter) end() error {
	d.number(0)
	d.number(d.count)
	if d.err != nil {
		return d.err
	}
	if _, err := d.to.Write(d.sum.Sum(nil)); err != nil {
		return err
	}
	return d.to.Flush()
}

func (d *dumpWriter) number(n uint64) { d.write(binary.AppendUvarint(nil, n)) }

func (d *dumpWriter) write(p []byte) {
	if d.err == nil {
		_, d.err = d.out.Write(p)
	}
}

// Counts says how many records of each kind a dump holds: "org", "call", "delivery" and the others that the package
// comment lists.
type Counts map[string]uint64

// readDump checks a dump while it reads it and gives each record to visit, in order; the bytes are visit's to keep.
// Foreign bytes do no harm: no more memory is taken than bytes have come. The error is [store.CodeCorrupt] for what is
// no dump or a damaged one.
func readDump(r io.Reader, visit func(key, value []byte) error) (Counts, error) {
	d := &dumpReader{from: bufio.NewReaderSize(r, 64<<10), sum: sha256.New()}
	if magic := d.take(uint64(len(dumpMagic)), maxDumpKey); string(magic) != dumpMagic {
		return nil, corrupt("this is no dump of a database", d.err)
	}
	counts, last, total := Counts{}, []byte{}, uint64(0)
	for {
		size := d.number()
		if d.err != nil || size == 0 {
			break
		}
		key := d.take(size, maxDumpKey)
		value := d.take(d.number(), maxDumpValue)
		if d.err != nil {
			break
		}
		if bytes.Compare(key, last) <= 0 {
			return nil, corrupt("the dump's records are not in order", nil)
		}
		if err := visit(key, value); err != nil {
			return nil, err
		}
		kind, _, _ := strings.Cut(string(key), "/")
		counts[kind]++
		last = key
		total++
	}
	if count := d.number(); d.err == nil && count != total {
		return nil, corrupt(fmt.Sprintf("the dump says %d records and has %d", count, total), nil)
	}
	return counts, d.finish()
}

// dumpReader reads a dump.
type dumpReader struct {
	from *bufio.Reader
	sum  hash.Hash
	err  error // the first one
}

// take reads n bytes, at most limit.
func (d *dumpReader) take(n, limit uint64) []byte {
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

// number reads a varint.
func (d *dumpReader) number() uint64 {
	if d.err != nil {
		return 0
	}
	var n uint64
	if n, d.err = binary.ReadUvarint(d.from); errors.Is(d.err, io.EOF) {
		d.err = io.ErrUnexpectedEOF
	}
	d.sum.Write(binary.AppendUvarint(nil, n)) // another spelling of the same number changes the sum
	return n
}

// finish reads the checksum and the end.
func (d *dumpReader) finish() error {
	want := d.sum.Sum(nil)
	if got := d.take(sha256.Size, sha256.Size); d.err == nil && !bytes.Equal(got, want) {
		return corrupt("the dump's checksum is wrong: it was damaged", nil)
	}
	if d.err != nil {
		return corrupt("the dump breaks off or is damaged", d.err)
	}
	if _, err := d.from.ReadByte(); !errors.Is(err, io.EOF) {
		return corrupt("something follows the dump", err)
	}
	return nil
}

// corrupt is the error of a dump that cannot be used.
func corrupt(message string, cause error) error {
	return &store.Error{Code: store.CodeCorrupt, Message: message, Err: cause}
}
