package audio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
)

// flacSource decodes native FLAC (RFC 9639), also files joined end to end.
type flacSource struct {
	in     *bufio.Reader
	stream *flac.Stream
	frame  *frame.Frame
	at     int    // next sample of frame
	given  uint64 // inter-channel samples returned, of NSamples
	scale  float32
}

func openFLAC(r io.Reader) (sampleSource, error) {
	s := &flacSource{in: bufio.NewReaderSize(r, 64<<10)}
	if err := s.openStream(); err != nil {
		return nil, err
	}
	return &panicGuard{sampleSource: s}, nil
}

// openStream reads the header of the next stream.
func (s *flacSource) openStream() error {
	// The first block must be STREAMINFO, 34 bytes: another kind would be read whole, whatever its stated size.
	if head, err := s.in.Peek(flacHead); err != nil {
		return flacError(err, "its header is damaged")
	} else if !isStreamInfo(head) {
		return newDamagedFault("its header is damaged", nil)
	}
	var next *flac.Stream
	err := catchPanic(func() (err error) {
		next, err = flac.New(s.in)
		return err
	})
	if err != nil {
		return flacError(err, "its header is damaged")
	}
	bits := next.Info.BitsPerSample
	if bits < 4 || bits > 32 || next.Info.NChannels == 0 || next.Info.NChannels > 8 {
		return newDamagedFault("its header is damaged", nil)
	}
	s.stream = next
	s.scale, s.given = 1/float32(uint64(1)<<(bits-1)), 0
	return nil
}

// openNext opens the file that is joined to the end of this one; io.EOF without one.
func (s *flacSource) openNext() error {
	if err := s.findNext(); err != nil {
		return err
	}
	first := s.SampleLayout()
	if err := s.openStream(); err != nil {
		return err
	}
	if s.SampleLayout() != first {
		return newDamagedFault("a file of another sample rate or number of channels is joined to its end", nil)
	}
	return nil
}

// findNext skips what stands between two joined files: tags (ID3, APE) and padding. io.EOF without a further file; what
// begins like one right here is one, however damaged.
func (s *flacSource) findNext() error {
	if mark, _ := s.in.Peek(4); string(mark) == "fLaC" {
		return nil
	}
	for {
		window, err := s.in.Peek(s.in.Size())
		at := indexFLAC(window)
		if at >= 0 {
			_, err = s.in.Discard(at)
			return err
		}
		if err == nil {
			_, err = s.in.Discard(len(window) - flacHead + 1)
		}
		if err != nil {
			return err
		}
	}
}

// flacHead is the size of a file's mark and the header of its first block, in bytes.
const flacHead = 8

// indexFLAC returns where a FLAC file begins in b, -1 for nowhere; the mark alone may stand in a tag's text.
func indexFLAC(b []byte) int {
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], []byte("fLaC"))
		if at += i; i < 0 || len(b) < at+flacHead {
			return -1
		}
		if isStreamInfo(b[at:]) {
			return at
		}
	}
}

// isStreamInfo reports whether the first block of a file, of which head has 8 bytes, is STREAMINFO, of 34 bytes (RFC
// 9639 §8.1).
func isStreamInfo(head []byte) bool {
	return head[4]&0x7f == 0 && head[5] == 0 && head[6] == 0 && head[7] == 34
}

func (s *flacSource) SoundFormat() SoundFormat {
	info := s.stream.Info
	return SoundFormat{"FLAC", fmt.Sprintf("FLAC %d bit", info.BitsPerSample), int(info.SampleRate), int(info.NChannels)}
}

func (s *flacSource) SampleLayout() sampleLayout {
	return sampleLayout{int(s.stream.Info.SampleRate), int(s.stream.Info.NChannels)}
}

func (s *flacSource) Close() error { return nil }

func (s *flacSource) Read(p []float32) (int, error) {
	channels := int(s.stream.Info.NChannels)
	n := 0
	for n < len(p) {
		if s.frame == nil {
			if err := s.nextFrame(); err != nil {
				return n, err
			}
		}
		count := min(len(s.frame.Subframes[0].Samples)-s.at, (len(p)-n)/channels)
		for c, sub := range s.frame.Subframes {
			for i, v := range sub.Samples[s.at : s.at+count] {
				p[n+i*channels+c] = float32(v) * s.scale
			}
		}
		n += count * channels
		s.at += count
		if s.at == len(s.frame.Subframes[0].Samples) {
			s.frame = nil
		}
	}
	return n, nil
}

// nextFrame decodes the next frame; one that does not fit the header is a fault.
func (s *flacSource) nextFrame() error {
	info := s.stream.Info
	if info.NSamples > 0 && s.given >= info.NSamples {
		if err := s.openNext(); err != nil {
			return err
		}
		info = s.stream.Info
	}
	f, err := s.stream.Next()
	if errors.Is(err, io.EOF) && info.NSamples == 0 {
		return io.EOF
	}
	if err != nil {
		return s.frameError(err)
	}
	if f.BitsPerSample == 0 {
		f.BitsPerSample = info.BitsPerSample
	}
	if err := f.Parse(); err != nil {
		return s.frameError(err)
	}
	if len(f.Subframes) != int(info.NChannels) || len(f.Subframes[0].Samples) == 0 ||
		(f.SampleRate != 0 && f.SampleRate != info.SampleRate) {
		return newDamagedFault("a frame does not fit its header", nil)
	}
	s.frame, s.at = f, 0
	s.given += uint64(len(f.Subframes[0].Samples))
	return nil
}

// frameError returns io.EOF if the recording ends at most lengthTolerance before the length in its header, otherwise a
// fault.
func (s *flacSource) frameError(err error) error {
	info := s.stream.Info
	tolerance := lengthTolerance.Seconds() * float64(info.SampleRate)
	if isEnd(err) && info.NSamples > 0 && float64(info.NSamples-s.given) <= tolerance {
		return io.EOF
	}
	return flacError(err, "a frame is damaged")
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func flacError(err error, what string) error {
	if isEnd(err) {
		return newTruncatedFault("it ends too early", err)
	}
	return newDamagedFault(what, err)
}
