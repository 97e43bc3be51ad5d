package audio

import (
	"context"
	"errors"
	"io"
	"time"
)

// Rate is the engine's sample rate, in samples per second.
const Rate = 16000

// DecodeOptions configures decoding. The zero value sets no limits and mixes the channels.
type DecodeOptions struct {
	MaxDuration time.Duration // maximum decoded duration, else *DecodeError with CodeTooLong; 0: unlimited
	Helper      []string      // command of the child that runs RunHelper; nil: this program with "decode-audio"
	Channel     ChannelChoice // channels to decode
	FFmpeg      string        // path of ffmpeg; "": searched on PATH, "none": not used
	// AcquireSlot waits for a slot of a decoder process, which is released when the process has ended; nil: unlimited.
	AcquireSlot func(context.Context) (release func(), err error)
}

// SoundFormat is the detected format of a recording.
type SoundFormat struct {
	Container string // "WAV", "FLAC", "MP3", "Ogg", "WebM", or ffmpeg's kinds: "MP4", "AMR", …
	Codec     string // "PCM 16 bit", "Opus", …
	Rate      int    // samples per second as recorded
	Channels  int    // as recorded
}

// sampleSource is a decoder: interleaved samples in its own layout.
type sampleSource interface {
	SoundFormat() SoundFormat
	// SampleLayout is the layout of the returned samples; it differs from SoundFormat if the decoder converts.
	SampleLayout() sampleLayout
	// Read fills p, whose length must be a multiple of the channels, with whole frames and returns the number of samples.
	// It returns io.EOF at the end and a *sourceFault or *DecodeError if the recording is invalid.
	Read(p []float32) (int, error)
	io.Closer
}

type sampleLayout struct{ rate, channels int }

// OpenStream detects the format of r by content and returns it as a stream. r is read from its beginning and must not
// be used otherwise until Close. The error is a *DecodeError for an invalid recording, ctx's cause if ctx has ended.
// Cancelling ctx ends the stream and kills its child process.
func OpenStream(ctx context.Context, r io.ReadSeeker, opt DecodeOptions) (*SampleStream, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	src, found, err := openSource(ctx, r, opt)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	s, err := newStream(ctx, src, opt)
	if err != nil {
		return nil, closeWith(err, src)
	}
	s.length = measureLength(src, found)
	return s, nil
}

// openSource detects the format of r and selects the decoder. Errors are public ones.
func openSource(ctx context.Context, r io.ReadSeeker, opt DecodeOptions) (sampleSource, sniffResult, error) {
	found, err := sniffContent(r)
	if err != nil {
		return nil, found, err
	}
	if _, err := r.Seek(found.start, io.SeekStart); err != nil {
		return nil, found, err
	}
	src, err := openFound(ctx, r, found, opt)
	return src, found, err
}

// openFound opens the decoder of a detected format. Errors are public ones.
func openFound(
	ctx context.Context, r io.ReadSeeker, found sniffResult, opt DecodeOptions,
) (src sampleSource, err error) {
	switch found.kind {
	case kindWAV:
		src, err = openWAV(r, found.size-found.start)
	case kindFLAC:
		src, err = openFLAC(r)
	case kindMP3:
		src, err = openMP3(r, opt.Channel)
	case kindOgg, kindWebM:
		src, err = openChild(ctx, r, found, opt)
	case kindForeign:
		return openFFmpeg(ctx, r, found.name, opt)
	default:
		return nil, notAudio("this is %s, not audio", found.name)
	}
	if foreign, ok := errors.AsType[*foreignCodec](err); ok {
		return openFFmpeg(ctx, r, foreign.name, opt)
	}
	if err != nil {
		return nil, publicError(err, found.name, 0)
	}
	return src, nil
}

// DecodeAll returns the whole recording as samples at Rate, in [-1, 1], in memory: for short recordings.
func DecodeAll(ctx context.Context, r io.ReadSeeker, opt DecodeOptions) (samples []float32, err error) {
	s, err := OpenStream(ctx, r, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	block := make([]float32, Rate)
	for {
		n, err := s.Read(block)
		samples = append(samples, block[:n]...)
		if errors.Is(err, io.EOF) {
			return samples, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
