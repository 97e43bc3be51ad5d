package blob

import (
	"encoding/binary"
	"errors"
	"io"
	"time"
)

// ReadPersonSpan returns the called person's samples of a recording from a time until another, at [Rate]; less if the
// recording is shorter.
func ReadPersonSpan(file io.ReadSeeker, from, to time.Duration) ([]int16, error) {
	first := int64(max(0, from) * Rate / time.Second)
	count := int64(max(0, to)*Rate/time.Second) - first
	if count <= 0 {
		return nil, nil
	}
	if _, err := file.Seek(headerSize+first*frameBytes, io.SeekStart); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, count*frameBytes))
	if err != nil {
		return nil, err
	}
	samples := make([]int16, len(raw)/frameBytes)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(raw[i*frameBytes:]))
	}
	if len(samples) == 0 {
		return nil, errors.New("the recording ends before it")
	}
	return samples, nil
}
