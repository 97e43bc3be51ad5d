package webm

import (
	"errors"
	"io"
	"math/bits"
)

// readVint reads a variable-size integer of at most most bytes (RFC 8794 §4); keep keeps its length marker, as in ids.
// A size of all ones is unknownSize. io.EOF is returned only before the first byte.
func (w *WebMReader) readVint(most int, keep bool) (int64, error) {
	first, err := w.r.ReadByte()
	if err != nil {
		return 0, err
	}
	w.pos++
	length := bits.LeadingZeros8(first) + 1
	if length > most {
		return 0, ErrDamaged
	}
	v := int64(first)
	if !keep {
		v &= 1<<(8-length) - 1
	}
	for range length - 1 {
		b, err := w.r.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, ErrTruncated
		}
		if err != nil {
			return 0, err
		}
		w.pos++
		v = v<<8 | int64(b)
	}
	if !keep && v == 1<<(7*length)-1 {
		return unknownSize, nil
	}
	return v, nil
}

// parseVint reads a variable-size integer at the beginning of b and returns its length, 0 if b is too short.
func parseVint(b []byte) (v int64, length int) {
	if len(b) == 0 {
		return 0, 0
	}
	length = bits.LeadingZeros8(b[0]) + 1
	if length > 8 || length > len(b) {
		return 0, 0
	}
	v = int64(b[0]) & (1<<(8-length) - 1)
	for _, c := range b[1:length] {
		v = v<<8 | int64(c)
	}
	return v, length
}

// eachChild calls f for each element directly inside b.
func eachChild(b []byte, f func(id uint32, body []byte) error) error {
	for len(b) > 0 {
		idLength := bits.LeadingZeros8(b[0]) + 1
		if idLength > 4 || idLength > len(b) {
			return ErrDamaged
		}
		id := uint32(0)
		for _, c := range b[:idLength] {
			id = id<<8 | uint32(c)
		}
		size, n := parseVint(b[idLength:])
		b = b[idLength+n:]
		if n == 0 || size > int64(len(b)) {
			return ErrDamaged
		}
		if err := f(id, b[:size]); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}

func parseUnsigned(b []byte) (v uint64) {
	for _, c := range b[:min(len(b), 8)] {
		v = v<<8 | uint64(c)
	}
	return v
}

func parseSigned(b []byte) int64 {
	if len(b) == 0 || len(b) > 8 {
		return 0
	}
	shift := 64 - 8*len(b)
	return int64(parseUnsigned(b)<<shift) >> shift
}
