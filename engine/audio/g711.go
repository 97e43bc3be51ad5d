package audio

import "math/bits"

// G.711 (ITU-T, 11/88): one byte a sample, by A-law or µ-law, of 16-bit linear PCM.

// DecodeALaw returns the linear sample of an A-law byte.
func DecodeALaw(b byte) int16 {
	b ^= 0x55
	v := int(b&0x0f)<<4 + 8
	if exp := b >> 4 & 7; exp > 0 {
		v = (v + 0x100) << (exp - 1)
	}
	if b&0x80 == 0 {
		v = -v
	}
	return int16(v)
}

// EncodeALaw returns the A-law byte nearest to a linear sample.
func EncodeALaw(s int16) byte {
	v, sign := int(s), byte(0x80)
	if v < 0 {
		v, sign = -v-1, 0
	}
	exp := max(0, bits.Len(uint(v))-8)
	mantissa := v >> max(4, exp+3) & 0x0f
	return (sign | byte(exp<<4) | byte(mantissa)) ^ 0x55
}

const muBias = 0x84

// DecodeMuLaw returns the linear sample of a µ-law byte.
func DecodeMuLaw(b byte) int16 {
	b = ^b
	v := (int(b&0x0f)<<3+muBias)<<(b>>4&7) - muBias
	if b&0x80 != 0 {
		v = -v
	}
	return int16(v)
}

// EncodeMuLaw returns the µ-law byte nearest to a linear sample.
func EncodeMuLaw(s int16) byte {
	v, sign := int(s), byte(0)
	if v < 0 {
		v, sign = -v, 0x80
	}
	v = min(v, 32635) + muBias
	exp := bits.Len(uint(v)) - 8
	return ^(sign | byte(exp<<4) | byte(v>>(exp+3)&0x0f))
}

// g711Table returns a law as floats, by byte.
func g711Table(decode func(byte) int16) *[256]float32 {
	var t [256]float32
	for i := range t {
		t[i] = float32(decode(byte(i))) / 32768
	}
	return &t
}
