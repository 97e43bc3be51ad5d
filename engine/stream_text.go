package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/engine/queue"
)

// decodedAhead is the rest of a turn, decoded speculatively during the silence that will end it. It is discarded when
// speech continues.
type decodedAhead struct {
	start, end int // samples
	last       int // window after the last speech
	segments   []Segment
}

// wordSilence is the silence, in windows, after which a further partial text would be the same: 128 ms.
const wordSilence = 4

// settleBeginning makes the text of the beginning of a long open turn final.
func (s *LiveStream) settleBeginning(ctx context.Context) error {
	if s.turns.heard*window-s.start <= s.tape.maxChunk {
		return nil
	}
	if s.usesCaches() && (s.opt.Partial > 0 || s.opt.Latency > 0) { // an observer alone changes no cut
		if settled, err := s.settleCached(ctx); settled || err != nil {
			return err
		}
	}
	cut := s.tape.quietestWindow(s.start+s.tape.maxChunk/2, s.start+s.tape.maxChunk)
	segments, err := s.decodeSamples(ctx, s.requestAt(s.opt.priority()), s.start, cut, s.plan)
	if err != nil {
		return err
	}
	s.settled, s.start = append(s.settled, segments...), cut
	return nil
}

// emitPartial emits a partial result of an open turn when its interval has passed: once per push, at its end, so that a
// slow client catches up.
func (s *LiveStream) emitPartial(ctx context.Context, events []StreamEvent) ([]StreamEvent, error) {
	if !s.wantsText() {
		return events, nil
	}
	s.engine.pacer.noteReader(s, time.Now())
	final := s.isTurnComplete()
	if final && s.isRestDecoded() || !final && !s.isTextDue() {
		return events, nil
	}
	if !final {
		if !s.engine.pacer.tryBegin() { // retried at the next push
			return events, nil
		}
		defer s.engine.pacer.endPartial()
	}
	s.partial = s.turns.heard
	open, changed, err := s.decodeRest(ctx)
	if err != nil || !changed {
		return events, err
	}
	e := s.newEvent(Partial, append(slices.Clip(s.settled), open...)...)
	e.Stable = s.usesCaches() && s.plan.isPlainGreedy()
	return append(events, e), nil
}

// wantsText reports whether a turn is open and its partial texts are read.
func (s *LiveStream) wantsText() bool { return s.turns.open && cmp.Or(s.opt.Partial, s.shown) > 0 }

// isTextDue reports whether to emit a partial result: the interval has passed, which grows with the load, and there was
// speech since the last one, or too little silence after it for the last word to be complete.
func (s *LiveStream) isTextDue() bool {
	if s.partial >= s.turns.last+wordSilence {
		return false
	}
	_, waiting := s.engine.queue.CurrentLoad()
	every := max(cmp.Or(s.opt.Partial, s.shown), s.engine.pacer.intervalFor(s.took, waiting))
	return s.turns.heard-s.partial >= windowCount(every)
}

// turnEnd returns the end of the open turn's audio if speech does not continue.
func (s *LiveStream) turnEnd() int {
	return s.turns.last*window + min(streamPad, s.turns.silence*window)
}

// isTurnComplete reports whether the audio of the turn, with padding, is complete.
func (s *LiveStream) isTurnComplete() bool { return s.turns.heard*window >= s.turnEnd() }

// isRestDecoded reports whether the final text of the turn's rest has been computed.
func (s *LiveStream) isRestDecoded() bool { return s.isDecodedInPause() }

// decodeRest decodes the rest of an open turn; changed is false if the text is that of the last call.
func (s *LiveStream) decodeRest(ctx context.Context) (segments []Segment, changed bool, err error) {
	if s.isTurnComplete() {
		segments, err = s.decodeRestOfTurn(ctx)
		return segments, true, err
	}
	r := s.requestAt(queue.PartialText)
	defer func() { s.took = r.ticket.TimeSpent() }()
	if s.usesCaches() {
		return s.decodeSoFar(ctx, r)
	}
	segments, err = s.decodeSamples(ctx, r, s.start, s.turns.heard*window, s.plan.draftPlan())
	return segments, true, err
}

// decodeRestOfTurn returns the final text of the turn's rest, and keeps it in ahead.
func (s *LiveStream) decodeRestOfTurn(ctx context.Context) ([]Segment, error) {
	if s.isRestDecoded() {
		return s.ahead.segments, nil
	}
	end := s.restEnd()
	segments, err := s.decodeUntil(ctx, end)
	if err != nil {
		return nil, err
	}
	s.ahead = &decodedAhead{s.start, end, s.turns.last, segments}
	return segments, nil
}

// decodeUntil decodes the final text of the turn's rest, which ends at a sample.
func (s *LiveStream) decodeUntil(ctx context.Context, end int) ([]Segment, error) {
	if s.usesCaches() && end > s.start {
		return s.finishCached(ctx, end)
	}
	return s.decodeSamples(ctx, s.requestAt(s.opt.priority()), s.start, end, s.plan)
}

// awaitRest reopens the turn that has ended if its words are only the beginning of an expected answer, for
// IncompleteSilence.
func (s *LiveStream) awaitRest(ctx context.Context) (bool, error) {
	if s.opt.Endpoint != nil || s.opt.IncompleteSilence <= 0 || s.plan.answers == nil || len(s.settled) > 0 {
		return false, nil
	}
	segments, err := s.decodeRestOfTurn(ctx)
	if err != nil || len(segments) != 1 || len(segments[0].Readings) == 0 || !segments[0].Readings[0].Incomplete {
		return false, err
	}
	return s.turns.extendTurn(windowCount(s.opt.IncompleteSilence)), nil
}

// finishTurn emits the final text of a turn.
func (s *LiveStream) finishTurn(ctx context.Context, events []StreamEvent) ([]StreamEvent, error) {
	segments, err := s.decodeRestOfTurn(ctx)
	if err != nil {
		return events, err
	}
	events = append(events, s.newEvent(Final, append(s.settled, segments...)...))
	s.closeTurn(s.restEnd())
	return events, nil
}

// decodeSamples decodes the samples from start to end, with permits of the request's priority.
func (s *LiveStream) decodeSamples(
	ctx context.Context, r *engineRequest, start, end int, p decodePlan,
) ([]Segment, error) {
	s.tape.ready = s.tape.ready[:0]
	s.tape.splitChunks(start, end)
	if len(s.tape.ready) != 1 || len(s.settled) > 0 {
		p.answers = nil // answers are short: a longer turn is not one
	}
	var segments []Segment
	for _, ch := range s.tape.ready {
		d, err := r.decodeChunk(ctx, ch, p)
		if err != nil {
			return nil, err
		}
		if d.segment.Text != "" {
			segments = append(segments, d.segment)
		}
	}
	return segments, nil
}

// newEvent returns an event of the turn with the words of segments.
func (s *LiveStream) newEvent(kind StreamEventType, segments ...Segment) StreamEvent {
	e := StreamEvent{
		Type: kind, Start: secondsOf(s.turns.start * window), End: secondsOf(s.turns.last * window),
		At: secondsOf(s.turns.heard * window),
	}
	var texts []string
	for _, segment := range segments {
		texts = append(texts, segment.Text)
		e.Words = append(e.Words, segment.Words...)
	}
	e.Text = strings.Join(texts, " ")
	if kind == Final && len(segments) == 1 {
		e.Readings = segments[0].Readings
	}
	for _, w := range e.Words {
		e.Confidence += w.Confidence / float64(len(e.Words))
	}
	return e
}

const (
	// partialShare is the share of the encoder's time that the partial texts of all streams may take together, so that
	// final texts rarely wait for it, whatever the number of streams.
	partialShare = 0.5
	// streamShare is the share of one run that the partial texts of one stream take, unless they would come less often
	// than every slowestDraft. A model without caches encodes the turn again for each, so that the cost of a text grows
	// with it.
	streamShare  = 0.1
	slowestDraft = 500 * time.Millisecond
	// maxSlowdown limits how much the interval grows while other work waits.
	maxSlowdown = 4
	// readerTimeout is how long a stream is counted after its last push.
	readerTimeout = time.Second
)

// partialPacer shares the encoder among the partial texts of all streams (adaptive interval under load). It is safe for
// concurrent use.
type partialPacer struct {
	runs int // of the encoder at once, in the time of one

	mu      sync.Mutex
	readers map[*LiveStream]time.Time // open turns that want partial texts, and when they last pushed sound
	pruned  time.Time
	begun   int // partial texts that are computed or wait for a permit
}

func newPartialPacer(runs int) *partialPacer {
	return &partialPacer{runs: runs, readers: map[*LiveStream]time.Time{}}
}

// noteReader counts a stream whose open turn wants partial texts.
func (p *partialPacer) noteReader(s *LiveStream, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readers[s] = now
	if now.Sub(p.pruned) >= readerTimeout {
		maps.DeleteFunc(p.readers, func(_ *LiveStream, at time.Time) bool { return now.Sub(at) > readerTimeout })
		p.pruned = now
	}
}

// forgetReader ends the count of a stream whose turn has ended.
func (p *partialPacer) forgetReader(s *LiveStream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.readers, s)
}

// intervalFor returns the shortest interval of a stream's partial texts, if computing one takes took: the stream keeps
// to streamShare, and all streams together to partialShare. It is longer while pieces of work wait for a core.
func (p *partialPacer) intervalFor(took time.Duration, waiting int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := time.Duration(float64(took) * float64(len(p.readers)) / float64(p.runs) / partialShare)
	own := min(time.Duration(float64(took)/streamShare), slowestDraft)
	return max(all, own) * time.Duration(min(1+waiting, maxSlowdown))
}

// tryBegin admits a partial text if fewer are running than the encoder has runs: a stream that waited behind other
// streams' partial texts would notice the end of its turn late. endPartial must follow if it is true.
func (p *partialPacer) tryBegin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun >= p.runs {
		return false
	}
	p.begun++
	return true
}

func (p *partialPacer) endPartial() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun--
}
