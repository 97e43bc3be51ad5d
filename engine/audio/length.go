package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

const (
	// usualBytes is the assumed size of compressed speech, in bytes per second, when no header states the length: 16
	// kbit/s.
	usualBytes = 2000
	// oggTail is the largest distance in bytes of the last page's start from the end of an Ogg file: a page has at most
	// 27+255+255·255 bytes.
	oggTail = 64 << 10
)

// Length returns the recording's length in seconds according to its header, for accounting before it is decoded. WAV
// and FLAC are checked against it while they are decoded; for other formats it is an estimate from the last page's time
// or the size. known is false for FLAC without a stated length, or
// joined end to end, a few bytes of which may hold hours.
func (s *SampleStream) Length() (seconds float64, known bool) { return s.length, s.length >= 0 }

// measureLength returns the length in seconds, -1 if it is unknown.
func measureLength(src sampleSource, found sniffResult) float64 {
	if g, ok := src.(*panicGuard); ok {
		src = g.sampleSource
	}
	switch s := src.(type) {
	case *wavSource:
		bytes := s.left
		if bytes < 0 {
			bytes = found.size - found.start
		}
		return float64(bytes) / float64(s.fmt.frameSize()) / float64(s.fmt.rate)
	case *flacSource:
		if s.stream.Info.NSamples == 0 || found.joined {
			return -1
		}
		return float64(s.stream.Info.NSamples) / float64(s.stream.Info.SampleRate)
	}
	if found.seconds > 0 {
		return found.seconds
	}
	return float64(found.size-found.start) / usualBytes
}

// isJoinedFLAC reports whether the mark of a FLAC file stands anywhere behind the beginning of another.
func isJoinedFLAC(r io.ReadSeeker, start int64) (bool, error) {
	mark := []byte("fLaC")
	if _, err := r.Seek(start+int64(len(mark)), io.SeekStart); err != nil {
		return false, err
	}
	block := make([]byte, oggTail)
	for kept := 0; ; {
		n, err := r.Read(block[kept:])
		n += kept
		switch {
		case bytes.Contains(block[:n], mark):
			return true, nil
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		}
		kept = copy(block, block[max(0, n-len(mark)+1):n])
	}
}

// oggSeconds reads the granule position of the last page (RFC 3533 §6), as samples of 48 kHz like Opus counts, or of
// the rate in a Vorbis header. It returns 0 if there is no page at the end of the file.
func oggSeconds(r io.ReadSeeker, found sniffResult, head []byte) (float64, error) {
	tail := make([]byte, min(oggTail, found.size-found.start))
	if _, err := r.Seek(-int64(len(tail)), io.SeekEnd); err != nil {
		return 0, err
	}
	if _, err := io.ReadFull(r, tail); err != nil {
		return 0, err
	}
	at := bytes.LastIndex(tail, []byte("OggS"))
	if at < 0 || len(tail) < at+14 {
		return 0, nil
	}
	granule := int64(binary.LittleEndian.Uint64(tail[at+6:]))
	if granule < 0 {
		return 0, nil
	}
	return float64(granule) / float64(oggRate(head)), nil
}

// oggRate returns the rate of an Ogg file's granule positions.
func oggRate(head []byte) uint32 {
	const opus = 48000
	_, vorbis, ok := bytes.Cut(head, []byte("\x01vorbis"))
	if !ok || len(vorbis) < 9 {
		return opus
	}
	return max(MinRate, binary.LittleEndian.Uint32(vorbis[5:]))
}
