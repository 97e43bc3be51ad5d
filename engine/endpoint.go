package engine

import (
	"context"
	"time"
)

const (
	// earlyPause is the silence in windows after which the words of a turn are judged first: 192 ms.
	earlyPause = 6
	// fullPause is the silence in windows after which they are judged again, if the turn is still open: 416 ms, from when
	// on the audio has all the padding of a final text.
	fullPause = 13
)

// PausedTurn is an open turn in a pause of its speech.
type PausedTurn struct {
	Text       string
	Confidence float64 // mean of the words', 0 without any
	Readings   []GrammarReading
	Start, End float64 // of its speech so far, in seconds of the audio
}

// EndpointRule decides how long the silence after a turn's speech must be in total to end the turn (semantic
// endpointing). It is asked twice in a pause, after 192 and after 416 ms, and not at all in a shorter one.
type EndpointRule func(PausedTurn) time.Duration

// SetEndpointRule sets the rule that ends turns in place of EndSilence and IncompleteSilence, from the next pause on;
// nil: none.
func (s *LiveStream) SetEndpointRule(rule EndpointRule) { s.opt.Endpoint = rule }

// judgePause asks the rule when the pause has one of the two lengths, and reports whether the turn is over.
func (s *LiveStream) judgePause(ctx context.Context) (over bool, err error) {
	gap := s.turns.pauseLength()
	if s.opt.Endpoint == nil || gap != earlyPause && gap != fullPause {
		return false, nil
	}
	segments, err := s.decodeRestOfTurn(ctx)
	if err != nil {
		return false, err
	}
	e := s.newEvent(Final, append(s.settled[:len(s.settled):len(s.settled)], segments...)...)
	want := s.opt.Endpoint(PausedTurn{
		Text: e.Text, Confidence: e.Confidence, Readings: e.Readings, Start: e.Start, End: e.End,
	})
	return s.turns.awaitSilence(windowCount(want)), nil
}

// isDecodedInPause reports whether the turn's rest was decoded in this pause, with all padding or before it was
// complete.
func (s *LiveStream) isDecodedInPause() bool {
	a := s.ahead
	if a == nil || a.start != s.start {
		return false
	}
	return a.end == s.restEnd() || s.opt.Endpoint != nil && a.last == s.turns.last &&
		s.turns.pauseLength() < fullPause
}

// restEnd returns the end of the turn's audio that is decoded now. With a rule it is the end of the last window, so
// that decisions do not depend on how much audio is pushed at a time.
func (s *LiveStream) restEnd() int {
	if s.opt.Endpoint != nil {
		return min(s.turnEnd(), s.turns.heard*window)
	}
	return min(s.turnEnd(), s.total)
}
