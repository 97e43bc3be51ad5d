package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/engine/vad"
)

const (
	// maxWhole is the longest piece, in seconds, of audio that is taken as speech from end to end.
	maxWhole = 60
	// productionPad is how many milliseconds before and after speech are decoded with it. The service description's 30
	// is the debug decoder's default; quiet beginnings get lost in it: of 600 single words by six people the default
	// model got 88.5 % right with 30 ms, 92.8 % with 100, 94.2 % with 200, 94.7 % with 400 and with no cutting at all.
	productionPad = 400
)

// Transcribe hears the source to its end. Segments are decoded side by side and given out in order, each as soon as it
// and all before it are final. It returns *ErrBusy at once when the queue is full, the context's error when it ends
// (within one operator of the graph), the source's own error when that breaks off.
func (e *Engine) Transcribe(ctx context.Context, src Source, o Options) (*Result, error) {
	r, err := e.enter(ctx, o.Priority, priceOf(src))
	if err != nil {
		return nil, err
	}
	res := &Result{}
	defer func() { r.leave(res.Duration) }()
	p, err := e.plan(o)
	if err != nil {
		return nil, err
	}
	var texts []string
	out := func(d decoded) error {
		seg := d.segment
		if seg.Text == "" {
			return nil
		}
		seg.ID = len(res.Segments)
		res.Segments = append(res.Segments, seg)
		texts = append(texts, seg.Text)
		if o.OnSegment == nil {
			return nil
		}
		return o.OnSegment(seg)
	}
	c := r.cutter(src, o)
	started := time.Now()
	if err := r.run(ctx, c, p, out, o.OnProgress); err != nil {
		return nil, err
	}
	res.Text = strings.Join(texts, " ")
	res.Duration = seconds(c.total)
	res.Timings = r.times.sum()
	res.Timings.Total = time.Since(started)
	return res, nil
}

// request is one caller's work: its place in the queue, its clock.
type request struct {
	engine *Engine
	ticket *ticket
	times  stopwatch
}

// leave ends a request that heard so many seconds.
func (r *request) leave(heard float64) {
	r.engine.queue.leave(r.ticket, heard)
	r.engine.mu.RUnlock()
}

// acquire waits for a turn.
func (r *request) acquire(ctx context.Context) (*permit, error) {
	return r.engine.queue.cores.acquire(ctx, r.ticket)
}

// measured is a source that knows, before it is read, how long it is; *audio.Stream is one.
type measured interface {
	// Length is the length in seconds, as far as the recording tells it; false where it does not.
	Length() (seconds float64, known bool)
}

// priceOf is the length that a source decodes to.
func priceOf(src Source) float64 {
	if m, ok := src.(measured); ok {
		if length, known := m.Length(); known {
			return length
		}
	}
	return unknownPrice
}

func (r *request) cutter(src Source, o Options) *cutter {
	timed := &timedSource{src: src, times: &r.times}
	if o.NoVAD {
		return &cutter{src: timed, tape: tape{maxChunk: r.engine.longest(maxWhole)}, permit: r.acquire}
	}
	params := vad.Defaults()
	params.PadMS = productionPad
	c := r.cutterBy(timed, params, DebugDefaults().MaxChunkSeconds)
	c.least = leastSpeech
	return c
}

func (r *request) cutterBy(src Source, p vad.Params, maxChunkSeconds int) *cutter {
	return &cutter{
		src: src, stream: vad.NewStream(r.engine.silero), segmenter: vad.NewSegmenter(p),
		tape: tape{maxChunk: r.engine.longest(maxChunkSeconds)}, permit: r.acquire, times: &r.times,
	}
}

// longest is so many seconds in samples, or what the model's positional table has room for.
func (e *Engine) longest(seconds int) int {
	samples := seconds * sampleRate
	if room := e.model.MaxFrames * e.model.Subsampling * sampleRate / 100; room > 0 {
		samples = min(samples, room)
	}
	return samples
}

// run cuts the source and decodes its chunks side by side; out gets them in order. As many chunks as the engine has
// threads, and one more, are in memory at a time.
func (r *request) run(
	ctx context.Context, c *cutter, p plan, out func(decoded) error, progress func(done, heard float64),
) error {
	g, ctx := errgroup.WithContext(ctx)
	line := make(chan chan decoded, r.engine.threads) // results in order; its capacity bounds what is on
	g.Go(func() error {
		defer close(line)
		return survive(func() error { return r.feed(ctx, g, c, p, line) })
	})
	g.Go(func() error {
		return survive(func() error { return deliver(ctx, line, out, progress) })
	})
	return g.Wait()
}

// deliver gives out results in the order of line.
func deliver(
	ctx context.Context, line <-chan chan decoded, out func(decoded) error, progress func(done, heard float64),
) error {
	for next := range line {
		select {
		case d := <-next:
			if err := out(d); err != nil {
				return err
			}
			if progress != nil {
				progress(d.segment.End, seconds(d.heard))
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// feed starts a decoding for each chunk and puts the place of its result in line.
func (r *request) feed(ctx context.Context, g *errgroup.Group, c *cutter, p plan, line chan<- chan decoded) error {
	for {
		ch, err := c.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		place, heard := make(chan decoded, 1), c.total
		select {
		case line <- place:
		case <-ctx.Done():
			return ctx.Err()
		}
		g.Go(func() error {
			return survive(func() error {
				d, err := r.decode(ctx, ch, p)
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

// survive does a part of a request where a panic ends this request alone: calls and other people's uploads run beside
// it.
func survive(part func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("decoding broke down: %v\n%s", value, debug.Stack())
		}
	}()
	return part()
}

// seconds is the length of so many samples.
func seconds(samples int) float64 { return round3(float64(samples) / sampleRate) }

// stage is a part of the pipeline that is timed.
type stage int

const (
	stageSource stage = iota
	stageVAD
	stageFeatures
	stageEncoder
	stageRNNT
	stageCTC
	stageSpot
	stages
)

// stopwatch sums durations of stages that run side by side.
type stopwatch struct {
	mu    sync.Mutex
	spent [stages]time.Duration
}

func (s *stopwatch) since(st stage, start time.Time) {
	s.mu.Lock()
	s.spent[st] += time.Since(start)
	s.mu.Unlock()
}

func (s *stopwatch) sum() Timings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Timings{
		DecodeAudio: s.spent[stageSource], VAD: s.spent[stageVAD], Features: s.spent[stageFeatures],
		Encoder: s.spent[stageEncoder], RNNT: s.spent[stageRNNT], CTC: s.spent[stageCTC], CTCWS: s.spent[stageSpot],
	}
}

// timedSource counts the time that decoding the audio takes.
type timedSource struct {
	src   Source
	times *stopwatch
}

func (t *timedSource) Read(p []float32) (int, error) {
	defer t.times.since(stageSource, time.Now())
	return t.src.Read(p)
}
