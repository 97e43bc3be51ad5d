package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"

	"munadi/engine/audio/internal/ogg"
	"munadi/engine/audio/internal/xiph"
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

// flacBlock is the length of a FLAC frame, in samples.
const flacBlock = 4096

// flacEncoder encodes native FLAC with fixed predictors. The stream's MD5 sum is left out, as RFC 9639 §8.2 allows: the
// header is written before the samples are known.
type flacEncoder struct {
	w       *bufio.Writer
	flac    *flac.Encoder
	waiting []int32 // samples of the frame that is not full yet
}

func newFLACEncoder(w io.Writer, samples int) (*flacEncoder, error) {
	e := &flacEncoder{w: bufio.NewWriter(w), waiting: make([]int32, 0, flacBlock)}
	var err error
	e.flac, err = flac.NewEncoder(struct{ io.Writer }{e.w}, &meta.StreamInfo{
		BlockSizeMin: flacBlock, BlockSizeMax: flacBlock, SampleRate: EncodedRate, NChannels: 1, BitsPerSample: 16,
		NSamples: uint64(samples),
	})
	return e, err
}

// EncodeSamples implements [SpeechEncoder].
func (e *flacEncoder) EncodeSamples(pcm []int16) error {
	for _, v := range pcm {
		if e.waiting = append(e.waiting, int32(v)); len(e.waiting) == flacBlock {
			if err := e.writeFrame(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *flacEncoder) writeFrame() error {
	err := e.flac.WriteFrame(&frame.Frame{
		Header: frame.Header{
			HasFixedBlockSize: true, BlockSize: uint16(len(e.waiting)), SampleRate: EncodedRate,
			Channels: frame.ChannelsMono, BitsPerSample: 16,
		},
		Subframes: []*frame.Subframe{{
			SubHeader: frame.SubHeader{Pred: frame.PredVerbatim}, // the encoder chooses a better one
			Samples:   e.waiting, NSamples: len(e.waiting),
		}},
	})
	e.waiting = e.waiting[:0]
	return err
}

// Close implements [SpeechEncoder].
func (e *flacEncoder) Close() error {
	var err error
	if len(e.waiting) > 0 {
		err = e.writeFrame()
	}
	return errors.Join(err, e.flac.Close(), e.w.Flush())
}

// mp3Limit bounds ffmpeg's CPU time by the duration of the speech, see [childSeconds]: more than the longest speech.
const mp3Limit = time.Hour

// mp3Encoder encodes MP3 by ffmpeg, which runs confined as for decoding.
type mp3Encoder struct {
	p      *childProcess
	input  *io.PipeWriter
	copied chan error // of ffmpeg's output to the writer
}

func newMP3Encoder(ctx context.Context, w io.Writer, o EncodeOptions) (*mp3Encoder, error) {
	path, err := findFFmpeg(o.FFmpeg)
	if err != nil {
		return nil, fmt.Errorf("audio: MP3 is encoded by ffmpeg: %w", err)
	}
	r, input := io.Pipe()
	e := &mp3Encoder{input: input, copied: make(chan error, 1)}
	e.p, err = startChild(ctx, r, DecodeOptions{Helper: o.Helper}, jobFFmpeg, childSeconds(mp3Limit), path,
		"-nostdin", "-hide_banner", "-v", "error", "-threads", "1",
		"-f", "s16le", "-ar", fmt.Sprint(EncodedRate), "-ac", "1", "-i", "pipe:0",
		"-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0", "-bitexact", "-f", "mp3", "pipe:1")
	if err != nil {
		return nil, err
	}
	go func() { // a child that ends early reads no more
		<-e.p.done
		_ = r.CloseWithError(io.ErrClosedPipe)
	}()
	go func() {
		_, err := io.Copy(w, e.p.out)
		if err != nil {
			e.p.cancel() // the writer takes no more
		}
		e.copied <- err
	}()
	return e, nil
}

// EncodeSamples implements [SpeechEncoder].
func (e *mp3Encoder) EncodeSamples(pcm []int16) error {
	return binary.Write(e.input, binary.LittleEndian, pcm)
}

// Close implements [SpeechEncoder].
func (e *mp3Encoder) Close() error {
	err := errors.Join(e.input.Close(), <-e.copied, e.p.waitChild())
	return errors.Join(err, e.p.killChild())
}

// mp3Probes holds the [mp3Probe] of each path of ffmpeg.
var mp3Probes sync.Map

// mp3Probe says whether a program encoded MP3 when it was tried.
type mp3Probe struct {
	works bool
	at    time.Time
}

// probeAgain is the time after which a program that failed is tried again.
const probeAgain = time.Minute

// canEncodeMP3 reports whether ffmpeg is there and encodes MP3: a program that did once does.
func canEncodeMP3(ctx context.Context, o EncodeOptions) bool {
	path, err := findFFmpeg(o.FFmpeg)
	if err != nil {
		return false
	}
	if known, found := mp3Probes.Load(path); found {
		if p := known.(mp3Probe); p.works || time.Since(p.at) < probeAgain {
			return p.works
		}
	}
	var size byteCounter
	e, err := newMP3Encoder(ctx, &size, o)
	if err == nil {
		err = errors.Join(e.EncodeSamples(make([]int16, EncodedRate/10)), e.Close())
	}
	if ctx.Err() != nil {
		return false
	}
	p := mp3Probe{err == nil && size > 0, time.Now()}
	mp3Probes.Store(path, p)
	return p.works
}

type byteCounter int

func (c *byteCounter) Write(p []byte) (int, error) {
	*c += byteCounter(len(p))
	return len(p), nil
}

const (
	opusClock   = 48000                   // of Opus' granule positions, whatever the sample rate
	opusFrame   = EncodedRate * 20 / 1000 // samples
	opusTicks   = opusClock / EncodedRate
	opusMaxSize = 1275 // bytes of a frame (RFC 6716 §3.2.1)
)

// opusFileEncoder encodes Ogg Opus (RFC 7845).
type opusFileEncoder struct {
	pages   *ogg.PageWriter
	opus    *xiph.OpusEncoder
	waiting []int16 // samples of the frame that is not full yet
	skip    int64   // samples that the decoder drops at the beginning, at opusClock
	coded   int64   // samples encoded, at opusClock
	given   int64   // samples to be heard, at opusClock
	packet  [opusMaxSize]byte
}

func newOpusFile(w io.Writer) (*opusFileEncoder, error) {
	c, err := xiph.NewOpusFileEncoder(EncodedRate)
	if err != nil {
		return nil, err
	}
	e := &opusFileEncoder{
		pages: ogg.NewPageWriter(w), opus: c, waiting: make([]int16, 0, opusFrame), skip: int64(c.Lookahead()) * opusTicks,
	}
	le := binary.LittleEndian
	head := append([]byte("OpusHead"), 1, 1) // version, channels
	head = le.AppendUint16(head, uint16(e.skip))
	head = le.AppendUint32(head, EncodedRate)
	head = append(head, 0, 0, 0) // gain, mapping family
	tags := le.AppendUint32([]byte("OpusTags"), uint32(len("munadi")))
	tags = le.AppendUint32(append(tags, "munadi"...), 0)
	err = errors.Join(e.pages.WritePacket(head, 0), e.pages.FlushPage(), e.pages.WritePacket(tags, 0), e.pages.FlushPage())
	if err != nil {
		c.Close()
		return nil, err
	}
	return e, nil
}

// EncodeSamples implements [SpeechEncoder].
func (e *opusFileEncoder) EncodeSamples(pcm []int16) error {
	e.given += int64(len(pcm)) * opusTicks
	return e.encodeFrames(pcm)
}

func (e *opusFileEncoder) encodeFrames(pcm []int16) error {
	for _, v := range pcm {
		if e.waiting = append(e.waiting, v); len(e.waiting) < opusFrame {
			continue
		}
		n, err := e.opus.EncodeFrame(e.packet[:], e.waiting)
		if err != nil {
			return err
		}
		e.waiting, e.coded = e.waiting[:0], e.coded+opusFrame*opusTicks
		if err := e.pages.WritePacket(e.packet[:n], min(e.coded, e.skip+e.given)); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [SpeechEncoder]. The end is padded by what the decoder drops.
func (e *opusFileEncoder) Close() error {
	defer e.opus.Close()
	left := int((e.skip + e.given - e.coded) / opusTicks)
	frames := (left + opusFrame - 1) / opusFrame
	err := e.encodeFrames(make([]int16, frames*opusFrame-len(e.waiting)))
	return errors.Join(err, e.pages.Close())
}
