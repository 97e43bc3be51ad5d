package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"munadi/engine/queue"
	"munadi/engine/vad"
)

const (
	sampleRate = 16000
	window     = 512          // samples per speech probability
	firstBlock = 100 * window // samples read before the first chunks are decoded: 3 s
	block      = 500 * window // the same later, at most: 16 s
	piece      = 10 * window  // samples per read
)

// speechCutter reads a source and segments it into speech chunks with the VAD. It buffers one block and the unfinished
// speech: its memory does not grow with the audio. Blocks grow from firstBlock, so that decoding starts early and runs
// beside the detection of later speech.
type speechCutter struct {
	src       SampleSource
	stream    *vad.ProbabilityStream // nil: no VAD, everything is speech
	level     *vad.LevelRaiser       // for the VAD; nil: it gets the sound as it is
	segmenter *vad.StreamSegmenter
	permit    func(ctx context.Context) (*queue.WorkPermit, error)
	times     *stageTimer // nil: not timed

	sampleTape
	total int // samples read
	size  int // of the last block; 0: none was read
	ended bool
}

// spareBuffers are the buffers of ended requests: new ones would be most of what a short request allocates.
var spareBuffers = sync.Pool{New: func() any { return &[]float32{} }}

// spareBuffer leaves the buffer to a later request. The cutter is not usable any more; its chunks are.
func (c *speechCutter) spareBuffer() {
	buf := c.buf[:0]
	spareBuffers.Put(&buf)
	c.buf = nil
}

// nextChunk returns the next chunk, or io.EOF.
func (c *speechCutter) nextChunk(ctx context.Context) (speechChunk, error) {
	for len(c.ready) == 0 {
		if c.ended {
			return speechChunk{}, io.EOF
		}
		if err := c.fillBlock(ctx); err != nil {
			return speechChunk{}, err
		}
	}
	first := c.ready[0]
	c.ready = c.ready[1:]
	return first, nil
}

// fillBlock reads one block and moves finished segments into ready.
func (c *speechCutter) fillBlock(ctx context.Context) error {
	from := len(c.buf)
	u, err := c.permit(ctx)
	if err != nil {
		return err
	}
	defer u.ReleasePermit()
	if err := c.readBlock(ctx, u); err != nil {
		return err
	}
	if c.stream == nil {
		c.takeWhole()
		return nil
	}
	probs, err := c.detectSpeech(ctx, c.buf[from:])
	if err != nil {
		return err
	}
	c.probs = append(c.probs, probs...)
	var segments []vad.SpeechSegment
	for _, p := range probs {
		segments = append(segments, c.segmenter.Push(p)...)
	}
	if c.ended {
		segments = append(segments, c.segmenter.FinishRecording(c.total)...)
	}
	for _, s := range segments {
		c.splitChunks(s.Start, s.End)
	}
	c.forgetBefore(c.segmenter.EarliestSample())
	return nil
}

// detectSpeech returns the speech probability of each window of the block; the last, partial one only at the end.
func (c *speechCutter) detectSpeech(ctx context.Context, samples []float32) ([]float32, error) {
	defer c.times.addSince(stageVAD, time.Now())
	if c.level != nil {
		samples = c.level.RaiseBlock(samples)
	}
	probs, err := c.stream.PushSamples(ctx, samples)
	if err != nil || !c.ended {
		return probs, err
	}
	last, err := c.stream.Flush(ctx)
	return append(probs, last...), err
}

// readBlock appends one block, or the rest of the source, in small reads, since audio decoding takes time too.
func (c *speechCutter) readBlock(ctx context.Context, u *queue.WorkPermit) error {
	c.size = min(max(2*c.size, firstBlock), block)
	if c.buf == nil {
		spare, _ := spareBuffers.Get().(*[]float32)
		c.buf = *spare
	}
	if cap(c.buf)-len(c.buf) < c.size {
		c.buf = append(make([]float32, 0, len(c.buf)+c.size), c.buf...)
	}
	for end := len(c.buf) + c.size; len(c.buf) < end; {
		if err := u.YieldPermit(ctx); err != nil {
			return err
		}
		n, err := c.readPiece(ctx, u, min(end, len(c.buf)+piece))
		c.total += n
		if errors.Is(err, io.EOF) {
			c.ended = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readPiece reads once, up to end of the buffer.
func (c *speechCutter) readPiece(ctx context.Context, u *queue.WorkPermit, end int) (n int, err error) {
	err = u.LendPermit(ctx, func() (err error) {
		n, err = c.src.Read(c.buf[len(c.buf):end])
		return err
	})
	c.buf = c.buf[:len(c.buf)+n]
	return n, err
}

// takeWhole cuts all audio into chunks of maxChunk samples, without VAD.
func (c *speechCutter) takeWhole() {
	for len(c.buf) > c.maxChunk || (c.ended && len(c.buf) > 0) {
		n := min(len(c.buf), c.maxChunk)
		c.ready = append(c.ready, speechChunk{start: c.base, samples: slices.Clone(c.buf[:n]), speech: 1})
		c.buf = c.buf[:copy(c.buf, c.buf[n:])]
		c.base += n
	}
}
