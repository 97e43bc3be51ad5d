package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// blockFrames is the maximum number of frames read at once: 64 KiB of mono samples.
const blockFrames = 16384

// SampleStream reads one recording as 16 kHz mono. Not safe for concurrent use.
type SampleStream struct {
	ctx    context.Context
	src    sampleSource
	in     sampleLayout
	resamp *StreamResampler
	limit  int64 // frames of the source; more is too long. -1: no limit
	max    time.Duration
	chosen ChannelChoice
	frames int64     // read from the source
	block  []float32 // [blockFrames × channels] interleaved, nil if the source is read directly into the caller's
	ready  []float32 // resampled, not yet returned
	spare  []float32 // the backing array of ready
	err    error     // sticky
	length float64   // seconds according to the header, -1 if unknown; see Length
}

// Sample rates that are accepted.
const (
	MinRate = 1000
	MaxRate = 768000
)

func newStream(ctx context.Context, src sampleSource, opt DecodeOptions) (*SampleStream, error) {
	in, limit := src.SampleLayout(), opt.MaxDuration
	if in.rate < MinRate || in.rate > MaxRate {
		return nil, notAudio("the header states %d samples per second, not %d to %d", in.rate, MinRate, MaxRate)
	}
	if err := opt.Channel.checkCount(src.SoundFormat().Channels); err != nil {
		return nil, err
	}
	s := &SampleStream{ctx: ctx, src: src, in: in, limit: -1, max: limit, chosen: opt.Channel}
	if limit > 0 {
		s.limit = int64(limit.Seconds() * float64(in.rate))
	}
	if in.channels > 1 || in.rate != Rate {
		frames := max(1, min(blockFrames, 1<<20/in.channels))
		s.block = make([]float32, frames*in.channels)
		s.resamp = NewResampler(in.rate, Rate)
	}
	return s, nil
}

// Format returns the detected format.
func (s *SampleStream) Format() SoundFormat { return s.src.SoundFormat() }

// Read fills p with samples at Rate, mono, in [-1, 1]; fewer than len(p) only before the end. It returns io.EOF at the
// end, *DecodeError if the recording is damaged, truncated, empty or too long (after the samples before that position),
// and the context's error when it is cancelled.
func (s *SampleStream) Read(p []float32) (int, error) {
	n := 0
	for n < len(p) {
		if len(s.ready) > 0 {
			c := copy(p[n:], s.ready)
			s.ready, n = s.ready[c:], n+c
			continue
		}
		if s.err != nil {
			break
		}
		if s.block == nil {
			c, err := s.pullSource(p[n:])
			n, s.err = n+c, err
			continue
		}
		s.err = s.refillReady()
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, s.err
}

// Close ends the stream and its child process. It is idempotent.
func (s *SampleStream) Close() error {
	if s.err == nil {
		s.err = errors.New("audio: stream is closed")
	}
	s.ready = nil
	return s.src.Close()
}

// refillReady produces at least one ready sample from the source, or returns an error.
func (s *SampleStream) refillReady() error {
	n, err := s.pullSource(s.block)
	mono := s.chosen.pickChannel(s.block[:n], s.in.channels)
	s.spare = s.resamp.Push(s.spare[:0], mono)
	if errors.Is(err, io.EOF) {
		s.spare = s.resamp.Flush(s.spare)
	}
	s.ready = s.spare
	clampSamples(s.ready)
	return err
}

// pullSource reads the source and tracks duration, emptiness, cancellation and the position of errors.
func (s *SampleStream) pullSource(p []float32) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.src.Read(p)
	s.frames += int64(n / s.in.channels)
	if s.limit >= 0 && s.frames > s.limit {
		message := fmt.Sprintf("the recording is longer than the accepted maximum of %s", s.max)
		return 0, &DecodeError{Code: CodeTooLong, Message: message}
	}
	if err == nil {
		return n, nil
	}
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	if errors.Is(err, io.EOF) {
		if s.frames == 0 {
			return 0, errEmpty()
		}
		return n, io.EOF
	}
	return n, publicError(err, s.src.SoundFormat().Container, float64(s.frames)/float64(s.in.rate))
}

// mixDown averages interleaved channels in place and returns the mono part.
func mixDown(p []float32, channels int) []float32 {
	switch channels {
	case 1:
		return p
	case 2:
		for i := 0; i+1 < len(p); i += 2 {
			p[i/2] = (p[i] + p[i+1]) * 0.5
		}
		return p[:len(p)/2]
	}
	scale := 1 / float32(channels)
	for i := 0; i+channels <= len(p); i += channels {
		var sum float32
		for _, v := range p[i : i+channels] {
			sum += v
		}
		p[i/channels] = sum * scale
	}
	return p[:len(p)/channels]
}

// clampSamples clips samples to [-1, 1]; NaN becomes silence.
func clampSamples(p []float32) {
	for i, v := range p {
		switch {
		case v > 1:
			p[i] = 1
		case v < -1:
			p[i] = -1
		case v != v:
			p[i] = 0
		}
	}
}
