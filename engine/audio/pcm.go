package audio

import (
	"encoding/binary"
	"math"
)

// pcmConverter converts little-endian samples to floats and returns their number.
type pcmConverter func(p []float32, raw []byte) int

// pcmIntegers returns the converter of linear PCM with the given bytes per sample, nil if there is none.
func pcmIntegers(bytes int) pcmConverter {
	switch bytes {
	case 1:
		return pcm8
	case 2:
		return pcm16
	case 3:
		return pcm24
	case 4:
		return pcm32
	}
	return nil
}

// pcmFloats returns the converter of IEEE 754 floats, nil if there is none of that size. Its samples may exceed
// full scale: see floatLevel.
func pcmFloats(bytes int) pcmConverter {
	switch bytes {
	case 4:
		return float32s
	case 8:
		return float64s
	}
	return nil
}

func pcmLaw(tag uint16) pcmConverter {
	table := g711Table(DecodeMuLaw)
	if tag == tagALaw {
		table = g711Table(DecodeALaw)
	}
	return func(p []float32, raw []byte) int {
		for i, b := range raw {
			p[i] = table[b]
		}
		return len(raw)
	}
}

func pcm8(p []float32, raw []byte) int {
	for i, b := range raw {
		p[i] = float32(int(b)-128) * (1.0 / 128)
	}
	return len(raw)
}

func pcm16(p []float32, raw []byte) int {
	n := len(raw) / 2
	p = p[:n]
	for i := range p {
		p[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) * (1.0 / 32768)
	}
	return n
}

func pcm24(p []float32, raw []byte) int {
	n := len(raw) / 3
	for i := range n {
		b := raw[3*i : 3*i+3]
		v := int32(uint32(b[0])<<8 | uint32(b[1])<<16 | uint32(b[2])<<24)
		p[i] = float32(v>>8) * (1.0 / (1 << 23))
	}
	return n
}

func pcm32(p []float32, raw []byte) int {
	n := len(raw) / 4
	for i := range n {
		p[i] = float32(int32(binary.LittleEndian.Uint32(raw[4*i:]))) * (1.0 / (1 << 31))
	}
	return n
}

func float32s(p []float32, raw []byte) int {
	n := len(raw) / 4
	for i := range n {
		p[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return n
}

func float64s(p []float32, raw []byte) int {
	n := len(raw) / 8
	for i := range n {
		p[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
	}
	return n
}
