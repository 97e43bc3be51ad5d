package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/engine/queue"
	"munadi/engine/vad"
)

const (
	// chunksAhead is the number of chunks that are cut before they can be decoded, so that no core waits while the next
	// block is read and searched for speech. A chunk has at most 15 s: 1 MB.
	chunksAhead = 4
	// maxWholeSeconds is the longest piece, in seconds, of audio that is treated as speech throughout.
	maxWholeSeconds = 60
	// productionPad is the padding before and after speech, in milliseconds. The service description's 30 is the debug
	// decoder's default; it loses quiet onsets: of 600 single words by six speakers the default model got 88.5 % right
	// with 30 ms, 92.8 % with 100, 94.2 % with 200, 94.7 % with 400 and without any cutting.
	productionPad = 400
)

// Transcribe transcribes the source to its end. Segments are decoded in parallel and delivered in order, each as soon
// as it and all before it are final. It returns *ErrBusy at once when the queue is full, the context's error when it
// ends (within one operator of the graph), or the source's error.
func (e *Engine) Transcribe(ctx context.Context, src SampleSource, o TranscribeOptions) (*Result, error) {
	r, err := e.admitRequest(ctx, o.Priority, priceOf(src))
	if err != nil {
		return nil, err
	}
	r.language = o.Language
	res := &Result{}
	defer func() { r.leaveQueue(res.Duration) }()
	p, err := e.requestPlan(o)
	if err != nil {
		return nil, err
	}
	var texts []string
	out := func(d decodedChunk) error {
		seg := d.segment
		if seg.Text == "" {
			return nil
		}
		seg.ID, seg.CompressionRatio = len(res.Segments), compressionRatio(seg.Text)
		res.Segments = append(res.Segments, seg)
		texts = append(texts, seg.Text)
		if o.OnSegment == nil {
			return nil
		}
		return o.OnSegment(seg)
	}
	if o.Echo != nil {
		src = o.Echo.Silence(src)
	}
	c := r.newCutter(src, o)
	started := time.Now()
	if err := r.transcribeChunks(ctx, c, p, out, o.OnProgress); err != nil {
		return nil, err
	}
	res.Text = strings.Join(texts, " ")
	res.Duration = secondsOf(c.total)
	res.Timings = r.times.totalTimings()
	res.Timings.Total = time.Since(started)
	return res, nil
}

// engineRequest is one admitted request with its ticket and timings.
type engineRequest struct {
	engine   *Engine
	ticket   *queue.QueueTicket
	times    stageTimer
	language string // as in TranscribeOptions
}

// leaveQueue ends a request that processed heard seconds.
func (r *engineRequest) leaveQueue(heard float64) {
	r.engine.queue.LeaveRequest(r.ticket, heard)
	r.engine.mu.RUnlock()
}

// acquireAhead waits for a permit of work that the request's other work depends on.
func (r *engineRequest) acquireAhead(ctx context.Context) (*queue.WorkPermit, error) {
	return r.engine.queue.Cores.AcquireAhead(ctx, r.ticket)
}

// acquirePermit waits for a permit.
func (r *engineRequest) acquirePermit(ctx context.Context) (*queue.WorkPermit, error) {
	return r.engine.queue.Cores.AcquirePermit(ctx, r.ticket)
}

// lengthSource is a source that knows its length in advance; *audio.SampleStream is one.
type lengthSource interface {
	// Length returns the length in seconds; false if the recording does not state it.
	Length() (seconds float64, known bool)
}

// priceOf returns the length of a source in seconds.
func priceOf(src SampleSource) float64 {
	if m, ok := src.(lengthSource); ok {
		if length, known := m.Length(); known {
			return length
		}
	}
	return queue.UnknownPrice
}

func (r *engineRequest) newCutter(src SampleSource, o TranscribeOptions) *speechCutter {
	timed := &timedSource{src: src, times: &r.times}
	if o.NoVAD {
		return &speechCutter{
			src:        timed,
			sampleTape: sampleTape{maxChunk: r.engine.longestChunk(maxWholeSeconds)},
			permit:     r.acquireAhead,
		}
	}
	params := vad.DefaultParams()
	params.PadMS = productionPad
	c := r.newVADCutter(timed, params, DebugDefaults().MaxChunkSeconds)
	c.least = leastSpeech
	if !o.OneChannel {
		c.level = &vad.LevelRaiser{}
	}
	return c
}

func (r *engineRequest) newVADCutter(src SampleSource, p vad.SpeechParams, maxChunkSeconds int) *speechCutter {
	return &speechCutter{
		src: src, stream: vad.NewStream(r.engine.silero), segmenter: vad.NewSegmenter(p),
		sampleTape: sampleTape{maxChunk: r.engine.longestChunk(maxChunkSeconds)}, permit: r.acquireAhead, times: &r.times,
	}
}

// longestChunk converts seconds to samples, limited by the model's positional encoding.
func (e *Engine) longestChunk(seconds int) int {
	samples := seconds * sampleRate
	if room := e.model.MaxFrames * e.model.Subsampling * sampleRate / 100; room > 0 {
		samples = min(samples, room)
	}
	return samples
}

// transcribeChunks cuts the source and decodes its chunks in parallel; out receives them in order. The detection of
// speech runs ahead of decoding, by chunksAhead chunks: at most those and threads+1 chunks are in memory.
func (r *engineRequest) transcribeChunks(
	ctx context.Context, c *speechCutter, p decodePlan, out func(decodedChunk) error, progress func(done, heard float64),
) error {
	g, ctx := errgroup.WithContext(ctx)
	line := make(chan chan decodedChunk, r.engine.threads+chunksAhead) // results in order
	g.Go(func() error {
		defer close(line)
		return recoverPanic(func() error { return r.feedChunks(ctx, g, c, p, line) })
	})
	g.Go(func() error {
		return recoverPanic(func() error { return deliverInOrder(ctx, line, out, progress) })
	})
	defer c.spareBuffer()
	return g.Wait()
}

// deliverInOrder delivers results in the order of line.
func deliverInOrder(
	ctx context.Context, line <-chan chan decodedChunk, out func(decodedChunk) error, progress func(done, heard float64),
) error {
	for next := range line {
		select {
		case d := <-next:
			if err := out(d); err != nil {
				return err
			}
			if progress != nil {
				progress(d.segment.End, secondsOf(d.heard))
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// feedChunks starts the decoding of each chunk and queues its result channel in line.
func (r *engineRequest) feedChunks(
	ctx context.Context, g *errgroup.Group, c *speechCutter, p decodePlan, line chan<- chan decodedChunk,
) error {
	for {
		ch, err := c.nextChunk(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		place, heard := make(chan decodedChunk, 1), c.total
		select {
		case line <- place:
		case <-ctx.Done():
			return ctx.Err()
		}
		g.Go(func() error {
			return recoverPanic(func() error {
				d, err := r.decodeChunk(ctx, ch, p)
				if err != nil {
					return err
				}
				d.heard = heard
				place <- d
				return nil
			})
		})
	}
}

// recoverPanic runs a part of a request; a panic becomes an error of this request alone.
func recoverPanic(part func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic while decoding: %v\n%s", value, debug.Stack())
		}
	}()
	return part()
}

// secondsOf converts samples to seconds.
func secondsOf(samples int) float64 { return roundMilliseconds(float64(samples) / sampleRate) }
