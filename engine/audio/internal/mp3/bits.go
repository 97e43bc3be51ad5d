package mp3

import "encoding/binary"

// bitReader reads most significant bits first, and zeros after the end.
type bitReader struct {
	b   []byte // with at least slack bytes after end
	pos int    // in bits
	end int    // in bits
}

// slack is how far a peek may read beyond the last bit, in bytes.
const slack = 8

// newBitReader reads a padded copy of b in buf, which it returns for reuse.
func newBitReader(b, buf []byte) (*bitReader, []byte) {
	buf = append(append(buf[:0], b...), make([]byte, slack)...)
	return &bitReader{b: buf, end: 8 * len(b)}, buf
}

// peek returns the next 32 bits.
func (r *bitReader) peek() uint32 {
	i := r.pos >> 3
	if i+slack > len(r.b) {
		return 0
	}
	return uint32(binary.BigEndian.Uint64(r.b[i:]) << (r.pos & 7) >> 32)
}

// bits reads n ≤ 24 bits.
func (r *bitReader) bits(n int) int {
	v := r.peek() >> (32 - n)
	r.pos += n
	return int(v)
}

// flag reads one bit.
func (r *bitReader) flag() bool { return r.bits(1) == 1 }
