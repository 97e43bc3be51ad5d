package tokenizer

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// normalizationMap is a model's table of replacements: a double-array trie in the layout of darts-clone,
// whose values point into a block of strings that end with a zero byte.
type normalizationMap struct {
	units   []uint32
	strings []byte
}

var errCharsmap = errors.New("the normalization table is truncated")

// parseCharsmap reads precompiled_charsmap: the trie's size in bytes, the trie, the strings.
func parseCharsmap(b []byte) (normalizationMap, error) {
	if len(b) == 0 {
		return normalizationMap{}, nil
	}
	if len(b) < 4 {
		return normalizationMap{}, errCharsmap
	}
	size := int64(binary.LittleEndian.Uint32(b))
	b = b[4:]
	if size > int64(len(b)) || size%4 != 0 {
		return normalizationMap{}, errCharsmap
	}
	units := make([]uint32, size/4)
	for i := range units {
		units[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return normalizationMap{units: units, strings: b[size:]}, nil
}

// A unit of the trie: bits 0-7 are the byte of its edge (bit 31 is set in a value), bit 8 says
// that a value follows, bits 10-30 are the distance to the children, times 256 if bit 9 is set.
const (
	hasValue  = 1 << 8
	labelMask = 1<<31 | 0xff
	valueMask = 1<<31 - 1
)

func childOffset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// longestMatch returns the replacement of the longest key that is a prefix of text, and that key's length; 0 if
// there is none.
func (c normalizationMap) longestMatch(text string) (replacement string, length int) {
	if len(c.units) == 0 {
		return "", 0
	}
	pos := childOffset(c.units[0])
	value := -1
	for i := range len(text) {
		pos ^= uint32(text[i])
		if uint64(pos) >= uint64(len(c.units)) {
			break
		}
		unit := c.units[pos]
		if unit&labelMask != uint32(text[i]) {
			break
		}
		pos ^= childOffset(unit)
		if unit&hasValue == 0 {
			continue
		}
		if uint64(pos) >= uint64(len(c.units)) {
			break
		}
		if v := int(c.units[pos] & valueMask); v < len(c.strings) {
			value, length = v, i+1
		}
	}
	if value < 0 {
		return "", 0
	}
	b := c.strings[value:]
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	return string(b), length
}
