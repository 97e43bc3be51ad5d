package audio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WriteWAV writes mono samples in [-1, 1] as a WAV file of 16-bit PCM. Samples are clipped, and NaN becomes silence.
func WriteWAV(w io.Writer, samples []float32, rate int) error {
	size := 2 * int64(len(samples))
	if size > math.MaxUint32-36 {
		return fmt.Errorf("audio: %d samples do not fit in a WAV file", len(samples))
	}
	if _, err := w.Write(WAVHeader(size, rate)); err != nil {
		return err
	}
	return writePCM16(w, samples)
}

// WAVHeaderSize is the length of a [WAVHeader], in bytes.
const WAVHeaderSize = 44

// WAVHeader returns the WAV header of mono 16-bit PCM with the given number of bytes.
func WAVHeader(size int64, rate int) []byte {
	le := binary.LittleEndian
	head := append(make([]byte, 0, WAVHeaderSize), "RIFF"...)
	head = le.AppendUint32(head, uint32(WAVHeaderSize-8+size))
	head = append(head, "WAVEfmt "...)
	head = le.AppendUint32(head, 16)
	head = le.AppendUint16(head, tagPCM)
	head = le.AppendUint16(head, 1)
	head = le.AppendUint32(head, uint32(rate))
	head = le.AppendUint32(head, uint32(2*rate))
	head = le.AppendUint16(head, 2)
	head = le.AppendUint16(head, 16)
	head = append(head, "data"...)
	return le.AppendUint32(head, uint32(size))
}

func writePCM16(w io.Writer, samples []float32) error {
	raw := make([]byte, 0, 2*blockFrames)
	for len(samples) > 0 {
		n := min(len(samples), blockFrames)
		raw = raw[:0]
		for _, v := range samples[:n] {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(toInt16(v)))
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
		samples = samples[n:]
	}
	return nil
}

// AppendInt16 appends samples in [-1, 1] to dst as 16-bit integers.
func AppendInt16(dst []int16, samples []float32) []int16 {
	for _, v := range samples {
		dst = append(dst, toInt16(v))
	}
	return dst
}

// ToFloats returns 16-bit samples as numbers in [-1, 1].
func ToFloats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}

// toInt16 rounds to the nearest and clips.
func toInt16(v float32) int16 {
	if v != v {
		return 0
	}
	return int16(max(-32768, min(32767, math.RoundToEven(float64(v)*32768))))
}
