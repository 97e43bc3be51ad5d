package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// decodedAhead is the rest of a turn, decoded for good while the silence that will end the turn still goes on. It is thrown
// away when somebody goes on speaking after all.
type decodedAhead struct {
	start, end int // samples
	segments   []Segment
}

// settleBeginning decodes the beginning of an open turn for good when it gets long.
func (s *LiveStream) settleBeginning(ctx context.Context) error {
	if s.turns.heard*window-s.start <= s.tape.maxChunk {
		return nil
	}
	cut := s.tape.quietestWindow(s.start+s.tape.maxChunk/2, s.start+s.tape.maxChunk)
	segments, err := s.decodeSamples(ctx, s.start, cut, s.plan, Live)
	if err != nil {
		return err
	}
	s.settled, s.start = append(s.settled, segments...), cut
	return nil
}

// soFar tells the text so far of an open turn that is due for it: once a push, at its end, so that a listener who is
// behind catches up.
func (s *LiveStream) soFar(ctx context.Context, events []StreamEvent) ([]StreamEvent, error) {
	if !s.turns.open || !s.isTextDue() {
		return events, nil
	}
	s.partial = s.turns.heard
	began := time.Now()
	open, err := s.decodeRest(ctx)
	s.took = time.Since(began)
	if err != nil {
		return events, err
	}
	return append(events, s.newEvent(Partial, append(slices.Clip(s.settled), open...)...)), nil
}

// isTextDue says whether it is time for a text: the wished time has passed and as much as the last one took, so that many
// streams at once, or a slow machine, leave half of it to others; or all that the final text needs has been heard.
func (s *LiveStream) isTextDue() bool {
	every := cmp.Or(s.opt.Partial, s.shown)
	if every <= 0 {
		return false
	}
	return s.turns.heard-s.partial >= windowCount(max(every, s.took)) || s.isTurnComplete() && !s.isRestDecoded()
}

// turnEnd is where the sound of the open turn ends if nobody goes on.
func (s *LiveStream) turnEnd() int {
	return s.turns.last*window + min(streamPad, s.turns.silence*window)
}

// isTurnComplete says that the silence is so long already that the turn's sound is all there.
func (s *LiveStream) isTurnComplete() bool { return s.turns.heard*window >= s.turnEnd() }

// isRestDecoded says whether the rest of the turn is decoded for good.
func (s *LiveStream) isRestDecoded() bool {
	return s.ahead != nil && s.ahead.start == s.start && s.ahead.end == min(s.turnEnd(), s.total)
}

// decodeRest decodes what is not settled of an open turn.
func (s *LiveStream) decodeRest(ctx context.Context) ([]Segment, error) {
	if s.isTurnComplete() {
		return s.forGood(ctx)
	}
	quick := s.plan
	quick.spot, quick.answers = nil, nil
	return s.decodeSamples(ctx, s.start, s.turns.heard*window, quick, glance)
}

// forGood decodes the rest of a turn as its final text has it, unless it is decoded.
func (s *LiveStream) forGood(ctx context.Context) ([]Segment, error) {
	if s.isRestDecoded() {
		return s.ahead.segments, nil
	}
	end := min(s.turnEnd(), s.total)
	segments, err := s.decodeSamples(ctx, s.start, end, s.plan, Live)
	if err != nil {
		return nil, err
	}
	s.ahead = &decodedAhead{s.start, end, segments}
	return segments, nil
}

// finishTurn tells the text of a turn that is over.
func (s *LiveStream) finishTurn(ctx context.Context, events []StreamEvent) ([]StreamEvent, error) {
	segments, err := s.forGood(ctx)
	if err != nil {
		return events, err
	}
	events = append(events, s.newEvent(Final, append(s.settled, segments...)...))
	s.settled, s.ahead, s.free = nil, nil, min(s.turnEnd(), s.total)
	return events, nil
}

// decodeSamples hears the samples from start to end, in turns of that priority.
func (s *LiveStream) decodeSamples(ctx context.Context, start, end int, p decodePlan, turn QueuePriority) ([]Segment, error) {
	s.tape.ready = s.tape.ready[:0]
	s.tape.splitChunks(start, end)
	if len(s.tape.ready) != 1 || len(s.settled) > 0 {
		p.answers = nil // an answer is short; what is cut into pieces is something else
	}
	r := &engineRequest{engine: s.engine, ticket: s.request.ticket.atPriority(turn)}
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

// newEvent describes the turn as it stands, with the words of segments.
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
