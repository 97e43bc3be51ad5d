// Package tablefile parses the files of Badger's sorted string tables (SSTable, *.sst), block by block, and verifies
// every checksum (integrity check). Badger itself treats a block with a wrong checksum as the end of its table, so that
// records vanish without an error, and exits the process on a truncated table.
//
// File format, all numbers big-endian (badger v4, table/builder.go):
//
//	blocks | index | length of index, 4 bytes | checksum of index | length of that checksum, 4 bytes
//
// The index is a flatbuffer with each block's offset, length and first key. A block is compressed, then encrypted (its
// initialization vector follows); inside, its entries are followed by its own checksum and that one's length.
//
// The input may be damaged: no input makes this package panic or allocate unbounded memory.
package tablefile

import (
	"crypto/aes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/proto"

	"munadi/store/badger/logfile"
)

// maxBlock is the maximum size of a decompressed block in bytes: a value in a table has 1 MiB at most.
const maxBlock = 16 << 20

// TableForm is the encryption and compression that a table was written with.
type TableForm struct {
	Compression options.CompressionType
	Key         []byte // AES key of its blocks; nil: not encrypted
}

// TableFile is the content of a table file with a valid index.
type TableFile struct {
	form       TableForm
	content    []byte
	indexStart int
	index      *fb.TableIndex
	blocks     []TableBlock
}

// TableBlock is a block of a table.
type TableBlock struct {
	FirstKey      []byte // internal key: the key, then its version
	offset, bytes int
}

// ParseTable parses the index of a table. Its error is the reason why the table cannot be read.
func ParseTable(content []byte, form TableForm) (t *TableFile, err error) {
	defer func() {
		if value := recover(); value != nil { // malformed flatbuffer
			err = fmt.Errorf("its index is damaged: %v", value)
		}
	}()
	rest, checksum, ok := cutTail(content)
	if !ok {
		return nil, errors.New("it is truncated")
	}
	rest, index, ok := cutTail(rest)
	if !ok {
		return nil, errors.New("it is truncated or its index is damaged")
	}
	if err := verifyChecksum(index, checksum); err != nil {
		return nil, fmt.Errorf("it is truncated or its index is damaged: %w", err)
	}
	if form.Key != nil {
		if index, err = decryptBlock(index, form.Key); err != nil {
			return nil, err
		}
	}
	t = &TableFile{form: form, content: content, indexStart: len(rest), index: fb.GetRootAsTableIndex(index, 0)}
	return t, t.readBlocks()
}

// cutTail splits a part that is followed by its length off the end.
func cutTail(content []byte) (rest, part []byte, ok bool) {
	end := len(content) - 4
	if end < 0 {
		return nil, nil, false
	}
	size := binary.BigEndian.Uint32(content[end:])
	if uint64(size) > uint64(end) {
		return nil, nil, false
	}
	start := end - int(size)
	return content[:start], content[start:end], true
}

// readBlocks lists the blocks of the index.
func (t *TableFile) readBlocks() error {
	for i := range t.index.OffsetsLength() {
		var at fb.BlockOffset
		if !t.index.Offsets(&at, i) {
			return errors.New("its index is damaged")
		}
		b := TableBlock{FirstKey: at.KeyBytes(), offset: int(at.Offset()), bytes: int(at.Len())}
		if b.offset+b.bytes > t.indexStart || len(b.FirstKey) <= 8 {
			return errors.New("its index refers to blocks outside the file")
		}
		t.blocks = append(t.blocks, b)
	}
	if len(t.blocks) == 0 {
		return errors.New("its index lists no block")
	}
	return nil
}

// ListBlocks returns the table's blocks, in the order of their keys.
func (t *TableFile) ListBlocks() []TableBlock { return t.blocks }

// FileContent returns the whole content of the file.
func (t *TableFile) FileContent() []byte { return t.content }

// MaxVersion returns the highest version of the table's entries.
func (t *TableFile) MaxVersion() uint64 { return t.index.MaxVersion() }

// VerifyBlocks verifies all blocks. It returns the numbers of those that are unreadable or have a wrong checksum, and
// the value pointers in the others.
func (t *TableFile) VerifyBlocks() (damaged []int, pointers []logfile.ValuePointer) {
	for i, b := range t.blocks {
		some, err := t.verifyBlock(b)
		if err != nil {
			damaged = append(damaged, i)
			continue
		}
		pointers = append(pointers, some...)
	}
	return damaged, pointers
}

// DamagedBlocks verifies all blocks and returns the numbers of those that are unreadable or have a wrong checksum.
func (t *TableFile) DamagedBlocks() []int {
	damaged, _ := t.VerifyBlocks()
	return damaged
}

// verifyBlock decrypts, decompresses and verifies one block, and returns its value pointers.
func (t *TableFile) verifyBlock(b TableBlock) (_ []logfile.ValuePointer, err error) {
	content := t.content[b.offset : b.offset+b.bytes]
	if t.form.Key != nil {
		if content, err = decryptBlock(content, t.form.Key); err != nil {
			return nil, err
		}
	}
	if content, err = decompressBlock(content, t.form.Compression); err != nil {
		return nil, err
	}
	entries, checksum, ok := cutTail(content)
	if !ok {
		return nil, errors.New("the block is truncated")
	}
	if err := verifyChecksum(entries, checksum); err != nil {
		return nil, err
	}
	return findPointers(entries)
}

// verifyChecksum compares bytes with their encoded checksum.
func verifyChecksum(content, encoded []byte) error {
	var sum pb.Checksum
	if err := proto.Unmarshal(encoded, &sum); err != nil {
		return err
	}
	if sum.Algo != pb.Checksum_CRC32C && sum.Algo != pb.Checksum_XXHash64 {
		return errors.New("the checksum's algorithm is unknown") // Badger would panic on it
	}
	return y.VerifyChecksum(content, &sum)
}

// decryptBlock decrypts AES-CTR data that ends in its initialization vector.
func decryptBlock(content, key []byte) ([]byte, error) {
	end := len(content) - aes.BlockSize
	if end < 0 {
		return nil, errors.New("it is too short to be encrypted")
	}
	plain := make([]byte, end)
	return plain, y.XORBlock(plain, content[:end], key, content[end:])
}

// decompressBlock decompresses a block.
func decompressBlock(content []byte, how options.CompressionType) ([]byte, error) {
	switch how {
	case options.None:
		return content, nil
	case options.Snappy:
		if size, err := snappy.DecodedLen(content); err != nil || size > maxBlock {
			return nil, errors.New("the block cannot be decompressed")
		}
		return snappy.Decode(nil, content)
	}
	return nil, errors.New("the compression is unknown")
}

// errEntries means that the entries of a block with a right checksum do not have the format of badger v4.
var errEntries = errors.New("the block's entries cannot be read")

// entryHead is the size of an entry's lengths: of the part of its key that is that of the block's first key, and of the
// rest, 2 bytes each.
const entryHead = 4

// findPointers returns the value pointers in the verified content of a block:
//
//	entries | offset of each entry, 4 bytes | number of entries, 4 bytes, big-endian
//
// An entry is its two lengths, the rest of its key, meta, user meta, expiry (a varint) and its value. All numbers but
// the last are written as they are in memory.
func findPointers(block []byte) (all []logfile.ValuePointer, err error) {
	rest, number, ok := cutNumber(block)
	if !ok || number == 0 || uint64(len(rest)) < 4*number {
		return nil, errEntries
	}
	offsets := rest[uint64(len(rest))-4*number:]
	entries := rest[:uint64(len(rest))-4*number]
	var first []byte
	for end := uint64(0); len(offsets) > 0; {
		start := uint64(binary.NativeEndian.Uint32(offsets))
		if offsets = offsets[4:]; len(offsets) > 0 {
			end = uint64(binary.NativeEndian.Uint32(offsets))
		} else {
			end = uint64(len(entries))
		}
		if start > end || end > uint64(len(entries)) {
			return nil, errEntries
		}
		shared, own, value, ok := splitEntry(entries[start:end])
		if !ok || shared > len(first) {
			return nil, errEntries
		}
		if first == nil {
			first = own
		}
		if p, found := parsePointer(first[:shared], own, value); found {
			all = append(all, p)
		}
	}
	return all, nil
}

// cutNumber splits a number off the end.
func cutNumber(content []byte) (rest []byte, number uint64, ok bool) {
	end := len(content) - 4
	if end < 0 {
		return nil, 0, false
	}
	return content[:end], uint64(binary.BigEndian.Uint32(content[end:])), true
}

// splitEntry splits an entry into the length of its key's shared part, the rest of the key, and the value with its
// meta.
func splitEntry(entry []byte) (shared int, own, value []byte, ok bool) {
	if len(entry) < entryHead {
		return 0, nil, nil, false
	}
	shared = int(binary.NativeEndian.Uint16(entry))
	end := entryHead + int(binary.NativeEndian.Uint16(entry[2:]))
	if end+2 > len(entry) {
		return 0, nil, nil, false
	}
	return shared, entry[entryHead:end], entry[end:], true
}

// parsePointer returns the value pointer of an entry, if its value is one.
func parsePointer(shared, own, value []byte) (logfile.ValuePointer, bool) {
	_, size := binary.Uvarint(value[2:])
	if size <= 0 || value[0]&logfile.PointerBit == 0 {
		return logfile.ValuePointer{}, false
	}
	return logfile.ParsePointer(value[0], slices.Concat(shared, own), value[2+size:])
}
