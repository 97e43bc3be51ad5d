package audio

import (
	"errors"
	"io"

	"munadi/engine/audio/internal/mp3"
)

// mp3Source decodes MPEG audio layer III. Of concatenated files (pieces) all are resampled to the first one's sample
// rate.
type mp3Source struct {
	d      *mp3.FrameDecoder
	format SoundFormat
	pcm    []float32 // not yet returned: the end of spare
	spare  []float32
	rate   int              // samples per second of the current piece
	resamp *StreamResampler // of the current piece; nil: none is needed

	resamplers map[int]*StreamResampler // by the rate they begin with
}

func openMP3(r io.Reader, channel ChannelChoice) (sampleSource, error) {
	s := &mp3Source{resamplers: map[int]*StreamResampler{}}
	err := catchPanic(func() (err error) {
		s.d, err = mp3.OpenDecoder(r, channel.channelIndex(2))
		return err
	})
	if err != nil {
		return nil, mp3Fault(err)
	}
	s.format = SoundFormat{Container: "MP3", Codec: "MPEG layer III", Rate: s.d.Rate, Channels: s.d.Channels}
	s.rate = s.d.Rate
	return &panicGuard{sampleSource: s}, nil
}

func (s *mp3Source) SoundFormat() SoundFormat   { return s.format }
func (s *mp3Source) SampleLayout() sampleLayout { return sampleLayout{s.format.Rate, 1} }
func (s *mp3Source) Close() error               { return nil }

func (s *mp3Source) Read(p []float32) (int, error) {
	n := 0
	for n < len(p) {
		if len(s.pcm) == 0 {
			if err := s.decodePiece(); err != nil {
				return n, mp3Fault(err)
			}
		}
		c := copy(p[n:], s.pcm)
		s.pcm, n = s.pcm[c:], n+c
	}
	return n, nil
}

// decodePiece decodes samples into pcm, at the first piece's rate; there may be none.
func (s *mp3Source) decodePiece() error {
	pcm, err := s.d.Next()
	if err != nil && s.resamp == nil {
		return err
	}
	s.spare = s.spare[:0]
	if s.resamp != nil && (err != nil || s.rate != s.d.Rate) {
		s.spare = s.resamp.Flush(s.spare)
		s.resamp = nil
	}
	if err != nil {
		s.pcm = s.spare
		return nil //nolint:nilerr // the next read returns the error again
	}
	if s.rate != s.d.Rate {
		s.rate = s.d.Rate
		s.resamp = s.pieceResampler()
	}
	if s.resamp != nil {
		s.spare = s.resamp.Push(s.spare, pcm)
	} else {
		s.spare = append(s.spare, pcm...)
	}
	s.pcm = s.spare
	return nil
}

// pieceResampler returns the resampler of the current piece, nil if it needs none. Resamplers are cached by rate, since
// their filters are costly and a file may have any number of pieces.
func (s *mp3Source) pieceResampler() *StreamResampler {
	if s.rate == s.format.Rate {
		return nil
	}
	r := s.resamplers[s.rate]
	if r == nil {
		r = NewResampler(s.rate, s.format.Rate)
		s.resamplers[s.rate] = r
	}
	r.resetState()
	return r
}

func mp3Fault(err error) error {
	switch {
	case errors.Is(err, mp3.ErrTruncated):
		return newTruncatedFault("it ends within a frame, or before the length stated in its header", err)
	case errors.Is(err, mp3.ErrDamaged):
		return newDamagedFault("a frame is damaged", err)
	}
	return err
}
