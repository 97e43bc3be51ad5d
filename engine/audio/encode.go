package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// EncodedRate is the sample rate of encoded speech, in samples per second: that of OpenAI's speech.
const EncodedRate = 24000

// FileFormat is a format of speech files, by OpenAI's name.
type FileFormat string

// The formats of [NewSpeechEncoder].
const (
	FormatMP3  FileFormat = "mp3"  // MPEG-2 layer III, by ffmpeg: where it is installed with that encoder
	FormatOpus FileFormat = "opus" // Ogg Opus (RFC 7845)
	FormatFLAC FileFormat = "flac" // native FLAC (RFC 9639)
	FormatWAV  FileFormat = "wav"  // 16-bit PCM
	FormatPCM  FileFormat = "pcm"  // 16-bit little-endian samples without a header
)

// MediaType returns the media type of the format's files.
func (f FileFormat) MediaType() string {
	switch f {
	case FormatMP3:
		return "audio/mpeg"
	case FormatOpus:
		return "audio/ogg"
	case FormatPCM:
		return "audio/pcm"
	}
	return "audio/" + string(f)
}

// SpeechEncoder encodes mono speech at [EncodedRate]. Close writes the end of the file; both must be called by one
// goroutine.
type SpeechEncoder interface {
	EncodeSamples(pcm []int16) error
	io.Closer
}

// EncodeOptions configures encoding.
type EncodeOptions struct {
	FFmpeg string   // path of ffmpeg; "": searched on PATH, "none": not used
	Helper []string // as in [DecodeOptions]
}

// NewSpeechEncoder returns an encoder to w of exactly samples samples. Cancelling ctx kills its child process.
func NewSpeechEncoder(
	ctx context.Context, w io.Writer, format FileFormat, samples int, o EncodeOptions,
) (SpeechEncoder, error) {
	switch format {
	case FormatWAV:
		b := &pcmEncoder{bufio.NewWriter(w)}
		_, err := b.w.Write(WAVHeader(2*int64(samples), EncodedRate))
		return b, err
	case FormatPCM:
		return &pcmEncoder{bufio.NewWriter(w)}, nil
	case FormatFLAC:
		return newFLACEncoder(w, samples)
	case FormatOpus:
		return newOpusFile(w)
	case FormatMP3:
		return newMP3Encoder(ctx, w, o)
	}
	return nil, fmt.Errorf("audio: no encoder of %q", format)
}

// EncodableFormats returns the formats that can be encoded here, the default first: MP3 if there is an encoder, else
// WAV.
func EncodableFormats(ctx context.Context, o EncodeOptions) []FileFormat {
	formats := []FileFormat{FormatWAV, FormatPCM, FormatFLAC, FormatOpus}
	if canEncodeMP3(ctx, o) {
		formats = slices.Insert(formats, 0, FormatMP3)
	}
	return formats
}

// pcmEncoder writes 16-bit little-endian samples.
type pcmEncoder struct{ w *bufio.Writer }

func (e *pcmEncoder) EncodeSamples(pcm []int16) error {
	return binary.Write(e.w, binary.LittleEndian, pcm)
}
func (e *pcmEncoder) Close() error { return e.w.Flush() }
