package engine

import (
	"context"
	"errors"
	"io"
	"slices"

	"munadi/engine/vad"
)

const (
	sampleRate = 16000
	window     = 512          // samples of one speech probability
	block      = 500 * window // samples read at a time: 16 s, what the VAD's graph takes in one call
)

// cutter reads a source and gives out its speech. It holds one block and the speech that is not finished: its memory
// doesn't grow with the audio.
type cutter struct {
	src       Source
	stream    *vad.Stream    // nil: everything is speech
	segmenter *vad.Segmenter //
	turn      func(ctx context.Context, work func() error) error

	tape
	total int // samples read
	ended bool
}

// next is the next chunk, or io.EOF.
func (c *cutter) next(ctx context.Context) (chunk, error) {
	for len(c.ready) == 0 {
		if c.ended {
			return chunk{}, io.EOF
		}
		if err := c.fill(ctx); err != nil {
			return chunk{}, err
		}
	}
	first := c.ready[0]
	c.ready = c.ready[1:]
	return first, nil
}

// fill reads one block and moves what became final into ready.
func (c *cutter) fill(ctx context.Context) error {
	from := len(c.buf)
	if err := c.read(); err != nil {
		return err
	}
	if c.stream == nil {
		c.whole()
		return nil
	}
	var segments []vad.Segment
	err := c.turn(ctx, func() error {
		probs, err := c.listen(ctx, c.buf[from:])
		for _, p := range probs {
			segments = append(segments, c.segmenter.Push(p)...)
		}
		c.probs = append(c.probs, probs...)
		return err
	})
	if err != nil {
		return err
	}
	if c.ended {
		segments = append(segments, c.segmenter.Finish(c.total)...)
	}
	for _, s := range segments {
		c.split(s.Start, s.End)
	}
	c.forget(c.segmenter.Earliest())
	return nil
}

// listen gives a probability for each window of the block; the last, partial one only at the end.
func (c *cutter) listen(ctx context.Context, samples []float32) ([]float32, error) {
	probs, err := c.stream.Probs(ctx, samples)
	if err != nil || !c.ended {
		return probs, err
	}
	last, err := c.stream.Flush(ctx)
	return append(probs, last...), err
}

// read appends one block, or what is left of the source.
func (c *cutter) read() error {
	if cap(c.buf)-len(c.buf) < block {
		c.buf = append(make([]float32, 0, len(c.buf)+block), c.buf...)
	}
	for end := len(c.buf) + block; len(c.buf) < end; {
		n, err := c.src.Read(c.buf[len(c.buf):end])
		c.buf = c.buf[:len(c.buf)+n]
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

// whole takes everything as speech, in pieces of maxChunk.
func (c *cutter) whole() {
	for len(c.buf) > c.maxChunk || (c.ended && len(c.buf) > 0) {
		n := min(len(c.buf), c.maxChunk)
		c.ready = append(c.ready, chunk{start: c.base, samples: slices.Clone(c.buf[:n]), speech: 1})
		c.buf = c.buf[:copy(c.buf, c.buf[n:])]
		c.base += n
	}
}
