package blob

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

// maxPeaks is the maximum number of intervals of a waveform.
const maxPeaks = 240

// maxWaveform is the maximum size of an encoded waveform, in bytes.
const maxWaveform = 16 << 10

// rateOffset is the offset of the sample rate in a WAV header, in bytes.
const rateOffset = 24

// Waveform is the envelope of a recording: the peaks of at most 240 equal intervals, in percent of full scale.
type Waveform struct {
	Seconds float64 `json:"seconds"`
	Left    []int   `json:"left"`  // the called person
	Right   []int   `json:"right"` // the platform
}

// ErrWaveform means that a stored waveform is malformed.
var ErrWaveform = errors.New("a stored waveform cannot be read")

// EncodeWaveform returns a waveform as it is stored.
func EncodeWaveform(w Waveform) ([]byte, error) { return json.Marshal(w) }

// DecodeWaveform parses a stored waveform.
func DecodeWaveform(content []byte) (w Waveform, err error) {
	err = json.Unmarshal(content, &w)
	valid := err == nil && len(content) <= maxWaveform && w.Seconds >= 0 &&
		len(w.Left) <= maxPeaks && len(w.Left) == len(w.Right)
	for i := 0; valid && i < len(w.Left); i++ {
		valid = w.Left[i] >= 0 && w.Left[i] <= 100 && w.Right[i] >= 0 && w.Right[i] <= 100
	}
	if !valid {
		return Waveform{}, ErrWaveform
	}
	return w, nil
}

// ReadStoredWaveform reads and parses a stored waveform.
func ReadStoredWaveform(r io.Reader) (Waveform, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxWaveform+1))
	if err != nil {
		return Waveform{}, err
	}
	return DecodeWaveform(content)
}

// ReadWaveform measures the waveform of a recording. The errors are those of [RecordingFolder.OpenRecording].
func (f *RecordingFolder) ReadWaveform(ctx context.Context, name string) (Waveform, error) {
	file, err := f.OpenRecording(ctx, name)
	if err != nil {
		return Waveform{}, err
	}
	w, err := MeasureWaveform(file)
	return w, errors.Join(err, file.Close())
}

// MeasureWaveform reads a recording to its end and returns its waveform.
func MeasureWaveform(file RecordingFile) (w Waveform, err error) {
	info, err := file.Stat()
	if err != nil {
		return w, err
	}
	r := bufio.NewReaderSize(file, 64<<10)
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return w, err
	}
	frames := int((info.Size() - headerSize) / frameBytes)
	rate := max(1, int(binary.LittleEndian.Uint32(header[rateOffset:])))
	w.Seconds = float64(frames) / float64(rate)
	interval := max(1, (frames+maxPeaks-1)/maxPeaks)
	raw := make([]byte, interval*frameBytes)
	for range (frames + interval - 1) / interval {
		n, err := io.ReadFull(r, raw)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return w, err
		}
		left, right := measurePeaks(raw[:n])
		w.Left, w.Right = append(w.Left, left), append(w.Right, right)
	}
	return w, nil
}

// measurePeaks returns the peaks of both channels of stereo frames, in percent of full scale.
func measurePeaks(raw []byte) (left, right int) {
	for ; len(raw) >= frameBytes; raw = raw[frameBytes:] {
		l, r := int(int16(binary.LittleEndian.Uint16(raw))), int(int16(binary.LittleEndian.Uint16(raw[2:])))
		left, right = max(left, l, -l), max(right, r, -r)
	}
	return left * 100 >> 15, right * 100 >> 15
}

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
