package engine

import (
	"context"
	"time"

	"munadi/engine/decode"
	"munadi/engine/features"
	"munadi/engine/model"
	"munadi/engine/queue"
)

// cachedTurn recognizes an open turn with a cache-aware encoder: the cost of a partial text is that of the new audio.
// Features, encoder and greedy search keep their state; encoded frames are kept for the final search.
type cachedTurn struct {
	span    model.AttentionSpan
	start   int // sample with which frames begin
	taken   int // samples up to here have been taken
	mel     *features.MelStream
	encoder *model.EncoderStream
	frames  model.EncodedSpeech  // of all whole chunks of sound
	greedy  *decode.GreedyStream // nil: the model has no RNNT head
}

// usesCaches reports whether the stream recognizes open turns with the encoder's caches: the model has them, and
// a client reads partial texts or has set a latency.
func (s *LiveStream) usesCaches() bool {
	wanted := s.opt.Partial > 0 || s.shown > 0 || s.opt.Latency > 0
	return wanted && s.engine.canStream()
}

// canStream reports whether the model can encode audio as it arrives (cache-aware streaming).
func (e *Engine) canStream() bool { return e.model.Streaming != nil && e.mel.IsStreamable() }

// LiveLatencies returns the latencies that a cache-aware model offers, the usual one first: how long sound may wait
// until it is encoded. None: the model encodes whole utterances, and each partial text is computed from the turn's
// start.
func (e *Engine) LiveLatencies() []time.Duration {
	if !e.mel.IsStreamable() {
		return nil
	}
	return e.model.Latencies()
}

// openCachedTurn returns the open turn's recognition, started at its first sample if necessary.
func (s *LiveStream) openCachedTurn() (*cachedTurn, error) {
	e := s.engine
	span, _ := e.model.SpanFor(s.opt.Latency)
	if c := s.cached; c != nil && c.start == s.start && c.span == span && c.encoder.Language == s.opt.Language {
		return c, nil
	}
	encoder, err := e.model.NewStream(span)
	if err != nil {
		return nil, err
	}
	encoder.Language = s.opt.Language
	s.cached = &cachedTurn{span: span, start: s.start, taken: s.start, mel: e.mel.NewStream(), encoder: encoder}
	s.cached.greedy = s.newGreedyStream()
	return s.cached, nil
}

func (s *LiveStream) newGreedyStream() *decode.GreedyStream {
	if net := s.engine.model.NewNetwork(); net != nil && s.plan.mode != CTC {
		return decode.NewGreedyStream(net, s.plan.greedy)
	}
	return nil
}

// encodeNew encodes the turn's new audio up to a sample, as far as it fills chunks. It returns false if no chunk is
// full.
func (s *LiveStream) encodeNew(ctx context.Context, r *engineRequest, u *queue.WorkPermit, until int) (bool, error) {
	c := s.cached
	if until > c.taken {
		began := time.Now()
		c.encoder.PushMel(c.mel.PushSamples(s.tape.buf[c.taken-s.tape.base : until-s.tape.base]))
		c.taken = until
		r.times.addSince(stageFeatures, began)
	}
	if !c.encoder.IsReady() {
		return false, nil
	}
	fresh, err := r.runGraph(ctx, u, c.encoder.EncodeReady)
	if err == nil && c.greedy != nil {
		err = c.greedy.PushFrames(decode.WithPause(ctx, u.YieldPermit), fresh.Joint)
	}
	if err != nil {
		s.cached = nil // frames are missing: the turn is restarted
		return false, err
	}
	c.frames.Append(fresh)
	return true, nil
}

// decodeSoFar returns the text of the turn's whole chunks; changed is false if no chunk was added since the last call.
func (s *LiveStream) decodeSoFar(ctx context.Context, r *engineRequest) (text []Segment, changed bool, err error) {
	c, err := s.openCachedTurn()
	if err != nil {
		return nil, false, err
	}
	u, err := r.acquirePermit(ctx)
	if err != nil {
		return nil, false, err
	}
	defer u.ReleasePermit()
	if changed, err = s.encodeNew(ctx, r, u, min(s.turnEnd(), s.total)); !changed || err != nil {
		return nil, false, err
	}
	d := s.newChunk(c.start, c.taken)
	if c.greedy != nil {
		d.best = c.greedy.Best()
	} else {
		d.best = decode.CTCGreedy(c.frames.CTC)
	}
	s.engine.buildSegment(&d.decodedChunk, s.plan.draftPlan())
	return s.audibleSegments(d), true, nil
}

// requestAt returns the current request at another priority.
func (s *LiveStream) requestAt(turn QueuePriority) *engineRequest {
	return &engineRequest{
		engine: s.engine, ticket: s.request.ticket.AtPriority(turn), language: s.opt.Language,
	}
}

// finishCached returns the final text of the turn, which ends at a sample.
func (s *LiveStream) finishCached(ctx context.Context, end int) ([]Segment, error) {
	c, err := s.openCachedTurn()
	if err != nil {
		return nil, err
	}
	r := s.requestAt(s.opt.priority())
	u, err := r.acquirePermit(ctx)
	if err != nil {
		return nil, err
	}
	defer u.ReleasePermit()
	if _, err := s.encodeNew(ctx, r, u, end); err != nil {
		return nil, err
	}
	rest, err := r.runGraph(ctx, u, func(ctx context.Context) (model.EncodedSpeech, error) {
		return c.encoder.EncodeEnd(ctx, c.mel.LastFrames())
	})
	if err != nil {
		return nil, err
	}
	all := model.EncodedSpeech{}
	all.Append(c.frames)
	all.Append(rest)
	return s.searchFrames(ctx, r, u, all, end)
}

// searchFrames decodes a part of the turn, from where its frames begin to a sample.
func (s *LiveStream) searchFrames(
	ctx context.Context, r *engineRequest, u *queue.WorkPermit, frames model.EncodedSpeech, end int,
) ([]Segment, error) {
	p := s.plan
	if len(s.settled) > 0 {
		p.answers = nil
	}
	d := s.newChunk(s.cached.start, end)
	if frames.T == 0 {
		return nil, nil
	}
	if err := r.finishChunk(decode.WithPause(ctx, u.YieldPermit), &d.decodedChunk, d.chunk, frames, p); err != nil {
		return nil, err
	}
	return s.audibleSegments(d), nil
}

// settleCached makes the text of the beginning of a long turn final, up to the quietest window of its encoded frames.
// It returns false if there are too few.
func (s *LiveStream) settleCached(ctx context.Context) (bool, error) {
	c, err := s.openCachedTurn()
	if err != nil {
		return false, err
	}
	r := s.requestAt(s.opt.priority())
	u, err := r.acquirePermit(ctx)
	if err != nil {
		return false, err
	}
	defer u.ReleasePermit()
	if _, err := s.encodeNew(ctx, r, u, min(s.turnEnd(), s.total)); err != nil {
		return false, err
	}
	frame := s.engine.frameSamples()
	first, last := c.start+s.tape.maxChunk/2, min(c.start+s.tape.maxChunk, c.start+c.frames.T*frame)
	if last <= first {
		return false, nil
	}
	n := (s.tape.quietestWindow(first, last) - c.start) / frame
	head, tail := c.frames.Split(n)
	segments, err := s.searchFrames(ctx, r, u, head, c.start+n*frame)
	if err != nil {
		return false, err
	}
	s.settled = append(s.settled, segments...)
	c.start, c.frames, c.greedy = c.start+n*frame, tail, s.newGreedyStream()
	s.start = c.start
	if c.greedy == nil {
		return true, nil
	}
	if err := c.greedy.PushFrames(decode.WithPause(ctx, u.YieldPermit), tail.Joint); err != nil {
		s.cached = nil
		return false, err
	}
	return true, nil
}

// frameSamples returns the samples of an encoder frame.
func (e *Engine) frameSamples() int { return e.model.Subsampling * sampleRate / 100 }

// turnChunk is a stretch of the turn with its decoding.
type turnChunk struct {
	decodedChunk
	chunk speechChunk
}

// newChunk returns the samples from start to end, not yet decoded.
func (s *LiveStream) newChunk(start, end int) turnChunk {
	from, to := start-s.tape.base, min(end-s.tape.base, len(s.tape.buf))
	ch := speechChunk{start: start, samples: s.tape.buf[from:to], speech: s.tape.peakLikelihood(from, to)}
	return turnChunk{s.engine.newDecodedChunk(ch, s.plan), ch}
}

// audibleSegments returns a decoded stretch as segments: none without words, or where it is hardly speech.
func (s *LiveStream) audibleSegments(d turnChunk) []Segment {
	if d.segment.Text == "" || d.chunk.speech < s.tape.least {
		return nil
	}
	return []Segment{d.segment}
}
