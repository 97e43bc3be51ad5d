package audio

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

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
