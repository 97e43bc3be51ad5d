package audio

import (
	"errors"
	"io"

	"munadi/engine/audio/internal/mp3"
)

// mp3Source decodes MPEG audio layer III.
type mp3Source struct {
	d   *mp3.Decoder
	pcm []float32 // not given out yet
}

func openMP3(r io.Reader) (source, error) {
	s := &mp3Source{}
	err := guard(func() (err error) {
		s.d, err = mp3.Open(r)
		return err
	})
	if err != nil {
		return nil, mp3Fault(err)
	}
	return &guarded{source: s}, nil
}

func (s *mp3Source) Format() Format {
	return Format{Container: "MP3", Codec: "MPEG layer III", Rate: s.d.Rate, Channels: s.d.Channels}
}

func (s *mp3Source) Layout() layout { return layout{s.d.Rate, 1} }
func (s *mp3Source) Close() error   { return nil }

func (s *mp3Source) Read(p []float32) (int, error) {
	n := 0
	for n < len(p) {
		if len(s.pcm) == 0 {
			pcm, err := s.d.Next()
			if err != nil {
				return n, mp3Fault(err)
			}
			s.pcm = pcm
		}
		c := copy(p[n:], s.pcm)
		s.pcm, n = s.pcm[c:], n+c
	}
	return n, nil
}

func mp3Fault(err error) error {
	switch {
	case errors.Is(err, mp3.ErrTruncated):
		return breaksOff("it ends within a frame, or before the length that it promises", err)
	case errors.Is(err, mp3.ErrDamaged):
		return damaged("a frame of it is damaged", err)
	}
	return err
}
