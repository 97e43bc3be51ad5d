// Package dump is the file format of a backup of the store: all records of a database at one moment, with a checksum.
// It is independent of the database.
package dump

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"munadi/store"
)

// DumpMagic is the first line of a dump, a backup of all records at one moment, in the order of their keys:
//
//	"munadi-dump 1\n"
//	key length, key, value length, value     for each record; lengths are unsigned varints
//	0, number of records                     varints
//	SHA-256 of everything before             32 bytes
//
// The count and checksum at the end prove that it is complete. No bytes may follow.
const DumpMagic = "munadi-dump 1\n"

// IndexFreeKey is the key of a record that marks a dump without index entries, written by a database other than the
// embedded one. It sorts before all others.
const IndexFreeKey = "#index-free"

// Limits of the keys and values in a dump, larger than a store writes.
const (
	maxDumpKey   = 8 << 10
	maxDumpValue = 64 << 20
)

// DumpWriter writes a dump.
type DumpWriter struct {
	to    *bufio.Writer
	sum   hash.Hash
	out   io.Writer // both
	count uint64
	err   error // the first one
}

// NewDumpWriter begins a dump.
func NewDumpWriter(w io.Writer) *DumpWriter {
	d := &DumpWriter{to: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
	d.out = io.MultiWriter(d.to, d.sum)
	d.writeBytes([]byte(DumpMagic))
	return d
}

// WriteRecord writes one key and its value.
func (d *DumpWriter) WriteRecord(key, value []byte) error {
	d.writeVarint(uint64(len(key)))
	d.writeBytes(key)
	d.writeVarint(uint64(len(value)))
	d.writeBytes(value)
	d.count++
	return d.err
}

// WriteEnd writes the trailer: count and checksum.
func (d *DumpWriter) WriteEnd() error {
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

func (d *DumpWriter) writeVarint(n uint64) { d.writeBytes(binary.AppendUvarint(nil, n)) }

func (d *DumpWriter) writeBytes(p []byte) {
	if d.err == nil {
		_, d.err = d.out.Write(p)
	}
}

// RecordCounts is the number of records of each kind in a dump: "org", "call", "delivery" and the others that the
// package comment lists.
type RecordCounts map[string]uint64

// ReadDump verifies a dump while reading it and passes each record to visit, in order; visit may keep the bytes. It is
// safe on untrusted input: it allocates no more memory than it has read bytes. The error is [store.CodeCorrupt] for a
// damaged dump or another file, and an [*IncompleteError] for a whole dump that was written without damaged records.
func ReadDump(r io.Reader, visit func(key, value []byte) error) (RecordCounts, error) {
	d := &dumpReader{from: bufio.NewReaderSize(r, 64<<10), sum: sha256.New()}
	if magic := d.readBytes(uint64(len(DumpMagic)), maxDumpKey); string(magic) != DumpMagic {
		return nil, NewCorruptError("this is not a dump of a database", d.err)
	}
	counts, last, total := RecordCounts{}, []byte{}, uint64(0)
	var missing error
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
			return nil, NewCorruptError("the dump's records are not in order", nil)
		}
		if string(key) == MissingKey {
			missing = readMissing(value)
		} else if err := visit(key, value); err != nil {
			return nil, err
		}
		kind, _, _ := strings.Cut(string(key), "/")
		counts[kind]++
		last = key
		total++
	}
	if count := d.readVarint(); d.err == nil && count != total {
		return nil, NewCorruptError(fmt.Sprintf("the dump should have %d records but has %d", count, total), nil)
	}
	if err := d.checkEnd(); err != nil {
		return counts, err
	}
	return counts, missing
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
		d.err = fmt.Errorf("a length of %d bytes, where at most %d are valid", n, limit)
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
		return NewCorruptError("the dump's checksum is wrong: it was damaged", nil)
	}
	if d.err != nil {
		return NewCorruptError("the dump is truncated or damaged", d.err)
	}
	if _, err := d.from.ReadByte(); !errors.Is(err, io.EOF) {
		return NewCorruptError("there are bytes after the end of the dump", err)
	}
	return nil
}

// NewCorruptError returns the error of an unusable dump.
func NewCorruptError(message string, cause error) error {
	return &store.Error{Code: store.CodeCorrupt, Message: message, Err: cause}
}
