package tablefile

import (
	"encoding/binary"
	"errors"
	"slices"

	"munadi/store/badger/logfile"
)

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
