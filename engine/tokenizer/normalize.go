package tokenizer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// textNormalizer prepares text as SentencePiece's Normalizer does.
type textNormalizer struct {
	table    normalizationMap
	verbatim []string // user-defined symbols, the longest first: never changed
	prefix   bool     // a space is added before the text (after it if suffix is set)
	suffix   bool
	trim     bool // spaces at the ends are dropped, repeated ones merged
	escape   bool // spaces become space, U+2581
}

func (n *textNormalizer) normalizeText(text string) string {
	if n.trim {
		text = n.trimLeft(text)
	}
	if text == "" {
		return ""
	}
	blank := " "
	if n.escape {
		blank = space
	}
	var out strings.Builder
	if n.prefix && !n.suffix {
		out.WriteString(blank)
	}
	afterSpace := n.trim
	for text != "" {
		part, length := n.normalizePrefix(text)
		text = text[length:]
		if afterSpace {
			part = strings.TrimLeft(part, " ")
		}
		if part != "" {
			out.WriteString(strings.ReplaceAll(part, " ", blank))
			afterSpace = n.trim && strings.HasSuffix(part, " ")
		}
	}
	done := out.String()
	if n.trim {
		for strings.HasSuffix(done, blank) {
			done = strings.TrimSuffix(done, blank)
		}
	}
	if n.prefix && n.suffix {
		done += blank
	}
	return done
}

// trimLeft drops leading text that normalizes to a single space.
func (n *textNormalizer) trimLeft(text string) string {
	for text != "" {
		part, length := n.normalizePrefix(text)
		if part != " " {
			break
		}
		text = text[length:]
	}
	return text
}

// normalizePrefix normalizes the longest known prefix of text, and returns its length in text.
func (n *textNormalizer) normalizePrefix(text string) (part string, length int) {
	if length = n.verbatimPrefix(text); length > 0 {
		return text[:length], length
	}
	if part, length = n.table.longestMatch(text); length > 0 {
		return part, length
	}
	r, length := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && length == 1 { // not UTF-8
		return string(utf8.RuneError), 1
	}
	return text[:length], length
}

// verbatimPrefix returns the length of the user-defined symbol at the beginning of text; 0 if there is none.
func (n *textNormalizer) verbatimPrefix(text string) int {
	for _, v := range n.verbatim {
		if strings.HasPrefix(text, v) {
			return len(v)
		}
	}
	return 0
}

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
