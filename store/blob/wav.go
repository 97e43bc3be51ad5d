package blob

import (
	"encoding/binary"
	"errors"
)

// Audio format: 16-bit PCM, stereo, 8000 samples per second (RIFF/WAVE, "Multimedia Programming Interface and Data
// Specifications 1.0", 1991).
const (
	Rate       = 8000
	frameBytes = 4 // left and right, 16 bits each
	headerSize = 44

	// maxSound is the most bytes of audio that the header's 32-bit sizes can express, in whole frames: 37 hours.
	maxSound = (1<<32 - 1 - (headerSize - 8)) / frameBytes * frameBytes
)

// wavHeader returns the WAV header of a file with sound bytes of audio.
func wavHeader(sound int64) []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(headerSize-8+sound))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 2) // channels
	b = binary.LittleEndian.AppendUint32(b, Rate)
	b = binary.LittleEndian.AppendUint32(b, Rate*frameBytes)
	b = binary.LittleEndian.AppendUint16(b, frameBytes)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = append(b, "data"...)
	return binary.LittleEndian.AppendUint32(b, uint32(sound))
}

// errTooLong ends a recording at the size limit of a WAV file.
var errTooLong = errors.New("the recording is longer than a WAV file can be")

// interleaveFrames appends the samples of left and right to b, interleaved.
func interleaveFrames(b []byte, left, right []int16) []byte {
	for i := range left {
		b = binary.LittleEndian.AppendUint16(b, uint16(left[i]))
		b = binary.LittleEndian.AppendUint16(b, uint16(right[i]))
	}
	return b
}
