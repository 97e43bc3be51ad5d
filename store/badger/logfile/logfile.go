// Package logfile parses and verifies Badger's log files: the write-ahead logs of its memory tables (*.mem) and its
// value logs (*.vlog), which hold the values that are too large for a table. Badger itself stops at the first damaged
// entry of a log, as if the file ended there.
//
// File format (badger v4, memtable.go):
//
//	number of the encryption key, 8 bytes, big-endian | base of the initialization vectors, 12 bytes | entries
//
// An entry is its header, key, value and their CRC-32C, big-endian. The header is two bytes, meta and user meta, and
// three varints: length of the key, length of the value, expiry. Key and value are encrypted together (AES-CTR); the
// checksum is that of the encrypted bytes. The space behind the last entry is zero.
//
// The input may be damaged: no input makes this package panic or allocate unbounded memory.
package logfile

import (
	"bufio"
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/dgraph-io/badger/v4/y"
)

// PointerBit is the bit of an entry's meta byte that marks a value pointer in place of the value.
const PointerBit = 1 << 1

const (
	// HeaderSize is the size of a file's header in bytes; a file without entries has this size.
	HeaderSize = 20
	// maxKey is the maximum length of a key in bytes.
	maxKey = 1 << 16
	// maxPointerValue is more than the size of a value pointer; other values of a write-ahead log are skipped.
	maxPointerValue = 64
	pointerSize     = 12

	bitTxn      = 1 << 6 // the entry belongs to a transaction
	bitFinTxn   = 1 << 7 // the transaction's end
	ivBase      = HeaderSize - 8
	checksumLen = crc32.Size
)

// ValuePointer is the place of a value in a value log.
type ValuePointer struct {
	Key    []byte // internal key: the key, then its version
	File   uint32 // number of the value log
	Offset uint32 // of the value's entry
	Length uint32 // of the entry, in bytes
}

// ParsePointer returns the value pointer of an entry; false if its value is not in a value log.
func ParsePointer(meta byte, key, value []byte) (ValuePointer, bool) {
	if meta&PointerBit == 0 || len(value) != pointerSize {
		return ValuePointer{}, false
	}
	order := binary.NativeEndian // Badger writes the memory of a struct
	return ValuePointer{
		Key: bytes.Clone(key), File: order.Uint32(value), Length: order.Uint32(value[4:]), Offset: order.Uint32(value[8:]),
	}, true
}

// KeySource returns the encryption key of a number; nil for no encryption.
type KeySource func(number uint64) ([]byte, error)

// LogFile is an open log file.
type LogFile struct {
	from io.ReaderAt
	key  []byte // nil: not encrypted
	base [ivBase]byte
}

// OpenLog reads a file's header.
func OpenLog(from io.ReaderAt, keys KeySource) (*LogFile, error) {
	header := make([]byte, HeaderSize)
	if _, err := from.ReadAt(header, 0); err != nil {
		return nil, fmt.Errorf("its header cannot be read: %w", err)
	}
	key, err := keys(binary.BigEndian.Uint64(header))
	if err != nil {
		return nil, fmt.Errorf("the encryption key that its header names is unknown: %w", err)
	}
	return &LogFile{from: from, key: key, base: [ivBase]byte(header[8:])}, nil
}

// entryHeader is the header of an entry.
type entryHeader struct {
	meta       byte
	key, value uint64 // lengths
	size       uint64 // of the header
}

// errEnd means that the log's last entry was read.
var errEnd = errors.New("the end of the log")

// readHeader reads the header of the entry at the beginning of r; errEnd at zero bytes.
func readHeader(r *bufio.Reader) (h entryHeader, raw []byte, err error) {
	var fixed [2]byte
	if _, err := io.ReadFull(r, fixed[:]); err != nil {
		return h, nil, errEnd
	}
	raw = append(raw, fixed[:]...)
	var numbers [3]uint64
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(r); err != nil {
			return h, nil, fmt.Errorf("the header of an entry cannot be read: %w", err)
		}
		raw = binary.AppendUvarint(raw, numbers[i])
	}
	h = entryHeader{meta: fixed[0], key: numbers[0], value: numbers[1], size: uint64(len(raw))}
	if h.key == 0 {
		return h, nil, errEnd
	}
	if h.key > maxKey || h.value > 1<<32 {
		return h, nil, errors.New("the lengths of an entry are impossible")
	}
	return h, raw, nil
}

// logEntry is an entry whose checksum is right.
type logEntry struct {
	meta   byte
	key    []byte
	value  []byte // nil if it is longer than maxPointerValue
	length uint64 // of the entry
}

// readEntry reads and verifies the entry at an offset.
func (f *LogFile) readEntry(r *bufio.Reader, offset uint64) (e logEntry, err error) {
	h, raw, err := readHeader(r)
	if err != nil {
		return e, err
	}
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	sum.Write(raw)
	kept := h.key
	if h.value <= maxPointerValue {
		kept += h.value
	}
	start := make([]byte, kept)
	if _, err := io.ReadFull(io.TeeReader(r, sum), start); err != nil {
		return e, fmt.Errorf("an entry cannot be read: %w", err)
	}
	if _, err := io.CopyN(sum, r, int64(h.key+h.value-kept)); err != nil {
		return e, fmt.Errorf("an entry cannot be read: %w", err)
	}
	var want [checksumLen]byte
	if _, err := io.ReadFull(r, want[:]); err != nil {
		return e, fmt.Errorf("the checksum of an entry cannot be read: %w", err)
	}
	if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return e, errors.New("the checksum of an entry is wrong")
	}
	if start, err = f.decrypt(start, offset); err != nil {
		return e, err
	}
	e = logEntry{meta: h.meta, key: start[:h.key], length: h.size + h.key + h.value + checksumLen}
	if kept > h.key {
		e.value = start[h.key:]
	}
	return e, nil
}

// decrypt decrypts the beginning of an entry's key and value.
func (f *LogFile) decrypt(content []byte, offset uint64) ([]byte, error) {
	if f.key == nil {
		return content, nil
	}
	vector := make([]byte, 0, aes.BlockSize)
	vector = binary.BigEndian.AppendUint32(append(vector, f.base[:]...), uint32(offset))
	plain := make([]byte, len(content))
	return plain, y.XORBlock(plain, content, f.key, vector)
}

// section returns a reader of the file from an offset on.
func (f *LogFile) section(offset, length int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(f.from, offset, length), 64<<10)
}

// VerifyValue reads the value of a pointer and verifies its checksum, and that it is the value of the pointer's key.
func (f *LogFile) VerifyValue(p ValuePointer) error {
	e, err := f.readEntry(f.section(int64(p.Offset), int64(p.Length)), uint64(p.Offset))
	if errors.Is(err, errEnd) || err == nil && (e.length != uint64(p.Length) || !bytes.Equal(e.key, p.Key)) {
		return errors.New("it is another value")
	}
	return err
}

// IntactEnd reads entries until one cannot be read, and returns its offset: that up to which Badger would read the log.
func (f *LogFile) IntactEnd() uint64 {
	r, offset := f.section(HeaderSize, 1<<32), uint64(HeaderSize)
	for {
		e, err := f.readEntry(r, offset)
		if err != nil {
			return offset
		}
		offset += e.length
	}
}

// FirstKey returns the internal key of a log's first entry; nil without one.
func (f *LogFile) FirstKey() []byte {
	e, err := f.readEntry(f.section(HeaderSize, 1<<32), HeaderSize)
	if err != nil {
		return nil
	}
	return e.key
}

// ReadPointers returns the value pointers in a write-ahead log, the oldest first, up to the end of its last complete
// transaction.
func (f *LogFile) ReadPointers() (all []ValuePointer) {
	r, offset := f.section(HeaderSize, 1<<32), uint64(HeaderSize)
	var open []ValuePointer // of the transaction that has not ended
	for {
		e, err := f.readEntry(r, offset)
		if err != nil {
			return all
		}
		offset += e.length
		if p, found := ParsePointer(e.meta, e.key, e.value); found {
			open = append(open, p)
		}
		if e.meta&bitFinTxn != 0 || e.meta&bitTxn == 0 {
			all, open = append(all, open...), nil
		}
	}
}
