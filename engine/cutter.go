package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"munadi/engine/vad"
)

const (
	sampleRate = 16000
	window     = 512          // samples of one speech probability
	block      = 500 * window // samples heard at a time: 16 s, what the VAD's graph takes in one call
	piece      = 10 * window  // samples read at a time
)

// cutter reads a source and gives out its speech. It holds one block and the speech that is not finished: its memory
// doesn't grow with the audio.
type cutter struct {
	src       Source
	stream    *vad.Stream    // nil: everything is speech
	segmenter *vad.Segmenter //
	permit    func(ctx context.Context) (*permit, error)
	times     *stopwatch // nil: nobody asks

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
	u, err := c.permit(ctx)
	if err != nil {
		return err
	}
	defer u.release()
	if err := c.read(ctx, u); err != nil {
		return err
	}
	if c.stream == nil {
		c.whole()
		return nil
	}
	probs, err := c.listen(ctx, c.buf[from:])
	if err != nil {
		return err
	}
	c.probs = append(c.probs, probs...)
	var segments []vad.Segment
	for _, p := range probs {
		segments = append(segments, c.segmenter.Push(p)...)
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
	defer c.times.since(stageVAD, time.Now())
	probs, err := c.stream.Probs(ctx, samples)
	if err != nil || !c.ended {
		return probs, err
	}
	last, err := c.stream.Flush(ctx)
	return append(probs, last...), err
}

// read appends one block, or what is left of the source, piece by piece, since decoding sound takes time too.
func (c *cutter) read(ctx context.Context, u *permit) error {
	if cap(c.buf)-len(c.buf) < block {
		c.buf = append(make([]float32, 0, len(c.buf)+block), c.buf...)
	}
	for end := len(c.buf) + block; len(c.buf) < end; {
		if err := u.pause(ctx); err != nil {
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

// readPiece reads once, up to that length of the buffer.
func (c *cutter) readPiece(ctx context.Context, u *permit, end int) (n int, err error) {
	err = u.lend(ctx, func() (err error) {
		n, err = c.src.Read(c.buf[len(c.buf):end])
		return err
	})
	c.buf = c.buf[:len(c.buf)+n]
	return n, err
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
