package engine

import (
	"context"
	"time"

	"munadi/engine/grammar"
	"munadi/engine/vad"
)

const (
	// streamPad is how much sound before and after a turn is decoded with it, in samples; see productionPad.
	streamPad = productionPad * sampleRate / 1000
	// openSeconds is the longest open utterance that is decoded again for its partial text.
	openSeconds = 8
	// restless is how often somebody who goes on speaking is reported, in windows: 320 ms.
	restless = 10
)

// StreamOptions are the wishes of one live sound; the zero value suits a telephone call.
type StreamOptions struct {
	Phrases    []string             // what the decoder is biased towards
	Grammar    *grammar.RuleGrammar // its root is what a turn is expected to say; nil: anything
	EndSilence time.Duration        // that ends a turn; 0: 700 ms
	Partial    time.Duration        // time between two texts of an utterance that goes on; 0: never
	Threshold  float64              // probability from which a window counts as speech; 0: Silero's 0.5
}

// StreamEventType says what happened on a live sound.
type StreamEventType string

// The types. Each turn gives one SpeechStarted and one Final, in that order.
const (
	SpeechStarted   StreamEventType = "speech_started"   // 128 ms of speech were heard
	SpeechContinues StreamEventType = "speech_continues" // every 320 ms of a turn
	Partial         StreamEventType = "partial"          // the turn's text so far; the next one may change it
	Final           StreamEventType = "final"            // the turn is over; Text is empty where no words were heard
)

// StreamEvent is one thing that happened. Start and End are the turn's speech so far, At is where in the sound it was
// noticed, all in seconds of the sound.
type StreamEvent struct {
	Type       StreamEventType
	Start, End float64
	At         float64
	Text       string
	Words      []Word
	Confidence float64          // mean of the words', 0 without any
	Readings   []GrammarReading // of a Final, likeliest first; only where a grammar was given and the turn is a short one
}

// LiveStream hears one live sound: who speaks when, and what. It belongs to one goroutine.
type LiveStream struct {
	engine *Engine
	opt    StreamOptions
	plan   decodePlan

	request *engineRequest // while samples are heard

	stream *vad.ProbabilityStream
	turns  turnDetector
	tape   sampleTape
	total  int // samples

	start   int           // first sample of the turn that is not decoded for good yet
	free    int           // samples before this one belong to turns that are over
	settled []Segment     // pieces of the open turn that are decoded for good
	partial int           // window at which the last partial text was made
	took    time.Duration // to make it, with the wait for a turn
	shown   time.Duration
	ahead   *decodedAhead
}

// OpenStream begins to hear a live sound. The stream must not outlive the engine, or be moved with Use before that.
func (e *Engine) OpenStream(o StreamOptions) (*LiveStream, error) {
	s := &LiveStream{engine: e}
	if err := s.SetOptions(o); err != nil {
		return nil, err
	}
	s.stream = vad.NewStream(&streamVAD{s})
	return s, nil
}

// streamVAD runs the network of whatever engine the stream uses at present.
type streamVAD struct{ s *LiveStream }

func (v *streamVAD) RunVAD(
	ctx context.Context, input []float32, frames int, h, c []float32,
) (probs, hn, cn []float32, err error) {
	return v.s.engine.silero.RunVAD(ctx, input, frames, h, c)
}

// SwitchEngine goes on with another engine, as when the model is changed while somebody speaks.
func (s *LiveStream) SwitchEngine(e *Engine) error {
	seconds := DebugDefaults().MaxChunkSeconds
	if s.opt.Partial > 0 {
		seconds = openSeconds
	}
	s.engine = e
	s.tape.maxChunk, s.tape.least = e.longestChunk(seconds), leastSpeech
	return s.SetExpected(s.opt.Phrases, s.opt.Grammar)
}

// SetOptions changes the wishes, from the next window on; an open turn goes on.
func (s *LiveStream) SetOptions(o StreamOptions) error {
	s.opt = o
	s.turns.setThreshold(o.Threshold, o.EndSilence)
	return s.SwitchEngine(s.engine)
}

// SetPartialInterval has texts of an utterance made while it goes on, or ends that (0), where the options want none. Unlike
// [StreamOptions.Partial] it changes nothing about how long turns are cut, so that somebody who looks on never changes
// what is heard in the end.
func (s *LiveStream) SetPartialInterval(every time.Duration) { s.shown = every }

// DiscardTurn forgets an open turn, as if it had not been spoken.
func (s *LiveStream) DiscardTurn() {
	s.turns.finishSound()
	s.settled, s.ahead, s.free = nil, nil, s.total
}

// SetExpected changes what the decoder is biased towards and what a turn is expected to say (nil: anything), from the
// next decoding on.
func (s *LiveStream) SetExpected(phrases []string, answers *grammar.RuleGrammar) (err error) {
	s.opt.Phrases, s.opt.Grammar, s.ahead = phrases, answers, nil
	s.plan, err = s.engine.requestPlan(TranscribeOptions{Phrases: phrases, Grammar: answers})
	return err
}

// Push hears the next samples (16 kHz, in [-1, 1]) and returns what happened in them. A turn that ends, or is due for a
// partial text, is decoded before Push returns; ctx ends that. ErrClosed when the engine was closed.
func (s *LiveStream) Push(ctx context.Context, samples []float32) ([]StreamEvent, error) {
	leave, err := s.enterSound(ctx, secondsOf(len(samples)))
	if err != nil {
		return nil, err
	}
	defer leave()
	s.tape.buf = append(s.tape.buf, samples...)
	s.total += len(samples)
	probs, err := s.stream.PushSamples(ctx, samples)
	if err != nil {
		return nil, err
	}
	var events []StreamEvent
	for _, p := range probs {
		s.tape.probs = append(s.tape.probs, p)
		if events, err = s.pushWindow(ctx, events, float64(p)); err != nil {
			return events, err
		}
	}
	events, err = s.soFar(ctx, events)
	s.dropOldSound()
	return events, err
}

// Flush ends the sound: an open turn is decoded as it stands.
func (s *LiveStream) Flush(ctx context.Context) ([]StreamEvent, error) {
	leave, err := s.enterSound(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !s.turns.finishSound() {
		return nil, nil
	}
	return s.finishTurn(ctx, nil)
}

// enterSound begins to hear so many seconds.
func (s *LiveStream) enterSound(ctx context.Context, length float64) (leave func(), err error) {
	s.request, err = s.engine.admitRequest(ctx, Live, length)
	if err != nil {
		return nil, err
	}
	return func() { s.request.leaveQueue(length) }, nil
}

// IsSpeaking says whether a turn is open.
func (s *LiveStream) IsSpeaking() bool { return s.turns.open }

// pushWindow moves the turn by one window's probability.
func (s *LiveStream) pushWindow(ctx context.Context, events []StreamEvent, p float64) ([]StreamEvent, error) {
	switch s.turns.pushProbability(p) {
	case begun:
		s.start = max(s.turns.start*window-streamPad, s.free)
		s.partial = s.turns.heard
		return append(events, s.newEvent(SpeechStarted)), nil
	case ended:
		return s.finishTurn(ctx, events)
	}
	if !s.turns.open {
		return events, nil
	}
	if (s.turns.heard-s.turns.start)%restless == 0 {
		events = append(events, s.newEvent(SpeechContinues))
	}
	return events, s.settleBeginning(ctx)
}

// dropOldSound drops the sound that nothing can ask for any more: an open turn needs its own, silence the padding of the
// next turn.
func (s *LiveStream) dropOldSound() {
	earliest := s.turns.heard*window - streamPad - turnBlip*window
	if s.turns.maybe {
		earliest = min(earliest, s.turns.start*window-streamPad)
	}
	if s.turns.open {
		earliest = min(earliest, s.start)
	}
	s.tape.forgetBefore(earliest)
}
