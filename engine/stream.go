package engine

import (
	"context"
	"time"

	"munadi/engine/grammar"
	"munadi/engine/vad"
)

const (
	// streamPad is the padding before and after a turn, in samples; see productionPad.
	streamPad = productionPad * sampleRate / 1000
	// openSeconds is the longest open utterance that is decoded again for partial results.
	openSeconds = 8
	// continuesEvery is the interval of SpeechContinues, in windows: 320 ms.
	continuesEvery = 10
)

// StreamOptions are the options of one live stream; the zero value suits a telephone call.
type StreamOptions struct {
	Phrases    []string             // phrases for context biasing
	Grammar    *grammar.RuleGrammar // expected answers; nil: unconstrained
	EndSilence time.Duration        // silence that ends a turn (endpointing); 0: 700 ms
	// IncompleteSilence ends a turn whose words only begin an expected answer, as two of four digits do (MRCP's
	// Speech-Incomplete-Timeout, RFC 6787 section 9.4.16). At most EndSilence (0 too): such a turn ends like any other.
	IncompleteSilence time.Duration
	Endpoint          EndpointRule  // ends turns in place of both silences; nil: none
	Onset             bool          // report SpeechLikely
	Partial           time.Duration // interval of partial results; 0: never
	Threshold         float64       // VAD threshold of a window; 0: Silero's 0.5
	// Latency is how long sound may wait until a cache-aware model encodes it; see [Engine.LiveLatencies]. 0: the model's
	// usual one. Other models ignore it.
	Latency time.Duration
	// Language is the one that a model with prompts is asked for; empty: its usual one. It holds from the next turn on.
	Language string
	// Background means recorded sound that nobody waits for: it is decoded after live speech and uploads, as jobs are.
	Background bool
}

// priority returns the priority of the stream's final texts.
func (o StreamOptions) priority() QueuePriority {
	if o.Background {
		return Batch
	}
	return Live
}

// StreamEventType is the type of a stream event.
type StreamEventType string

// Event types. Each turn has one SpeechStarted and one Final, in that order; SpeechLikely only for streams with Onset.
const (
	SpeechLikely    StreamEventType = "speech_likely"    // 64 ms of it; a turn may follow, or not
	SpeechStarted   StreamEventType = "speech_started"   // 128 ms of speech were detected
	SpeechContinues StreamEventType = "speech_continues" // every 320 ms of a turn
	Partial         StreamEventType = "partial"          // text of the open turn so far; may change
	Final           StreamEventType = "final"            // the turn ended; Text is empty without words
)

// StreamEvent is one event. Start and End are the turn's speech so far, At is the stream position of its detection, all
// in seconds of the audio.
type StreamEvent struct {
	Type       StreamEventType
	Start, End float64
	At         float64
	Text       string
	Words      []Word
	Confidence float64          // mean of the words', 0 without any
	Stable     bool             // of a Partial: words before the last one won't change
	Readings   []GrammarReading // of a Final, most likely first; only for a short turn with a grammar
}

// LiveStream is streaming recognition of one live audio source: endpointing and transcripts. Not safe for concurrent
// use.
type LiveStream struct {
	engine *Engine
	opt    StreamOptions
	plan   decodePlan

	request *engineRequest // during a Push or Flush

	stream *vad.ProbabilityStream
	turns  turnDetector
	tape   sampleTape
	total  int // samples

	start   int           // first sample of the turn that is not finally decoded yet
	free    int           // samples before this one belong to ended turns
	settled []Segment     // parts of the open turn whose text is final
	partial int           // window of the last partial result
	took    time.Duration // time to compute it, without waiting for a permit; 0 at the start of a turn
	shown   time.Duration
	ahead   *decodedAhead
	cached  *cachedTurn // of the open turn; nil: not begun, or without caches
}

// OpenStream starts streaming recognition. The stream must not outlive the engine, unless it was moved by SwitchEngine.
func (e *Engine) OpenStream(o StreamOptions) (*LiveStream, error) {
	s := &LiveStream{engine: e, tape: sampleTape{borrows: true}}
	if err := s.SetOptions(o); err != nil {
		return nil, err
	}
	s.stream = vad.NewStream(&streamVAD{s})
	return s, nil
}

// streamVAD runs the VAD of the stream's current engine.
type streamVAD struct{ s *LiveStream }

func (v *streamVAD) RunVAD(
	ctx context.Context, input []float32, frames int, h, c []float32,
) (probs, hn, cn []float32, err error) {
	return v.s.engine.live.RunVAD(ctx, input, frames, h, c)
}

// SwitchEngine continues with another engine, as after a model change.
func (s *LiveStream) SwitchEngine(e *Engine) error {
	seconds := DebugDefaults().MaxChunkSeconds
	if s.opt.Partial > 0 && !e.canStream() {
		seconds = openSeconds
	}
	s.engine, s.cached = e, nil
	s.tape.maxChunk, s.tape.least = e.longestChunk(seconds), leastSpeech
	return s.SetExpected(s.opt.Phrases, s.opt.Grammar)
}

// SetOptions changes the options from the next window on; an open turn continues.
func (s *LiveStream) SetOptions(o StreamOptions) error {
	s.opt = o
	s.turns.setThreshold(o.Threshold, o.EndSilence)
	return s.SwitchEngine(s.engine)
}

// SetPartialInterval enables partial results (0 disables them), if the options have none. Unlike
// [StreamOptions.Partial] it does not change where long turns are cut, so that an observer never changes the
// final result.
func (s *LiveStream) SetPartialInterval(every time.Duration) { s.shown = every }

// DiscardTurn discards an open turn.
func (s *LiveStream) DiscardTurn() {
	s.turns.endAudio()
	s.closeTurn(s.total)
}

// SetExpected changes the biasing phrases and the grammar (nil: unconstrained), from the next decoding on.
func (s *LiveStream) SetExpected(phrases []string, answers *grammar.RuleGrammar) (err error) {
	s.opt.Phrases, s.opt.Grammar, s.ahead = phrases, answers, nil
	s.plan, err = s.engine.requestPlan(TranscribeOptions{Phrases: phrases, Grammar: answers})
	return err
}

// Push processes the next samples (16 kHz, in [-1, 1]) and returns their events. Ended turns and due partial results
// are decoded before Push returns; ctx cancels that. ErrClosed when the engine was closed.
func (s *LiveStream) Push(ctx context.Context, samples []float32) ([]StreamEvent, error) {
	leave, err := s.admitAudio(ctx, secondsOf(len(samples)))
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
	events, err = s.emitPartial(ctx, events)
	s.dropOldAudio()
	return events, err
}

// Flush ends the audio: an open turn is decoded and finished.
func (s *LiveStream) Flush(ctx context.Context) ([]StreamEvent, error) {
	leave, err := s.admitAudio(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !s.turns.endAudio() {
		return nil, nil
	}
	return s.finishTurn(ctx, nil)
}

// admitAudio admits length seconds of audio as a request, which leave ends.
func (s *LiveStream) admitAudio(ctx context.Context, length float64) (leave func(), err error) {
	s.request, err = s.engine.admitRequest(ctx, s.opt.priority(), length)
	if err != nil {
		return nil, err
	}
	return func() { s.request.leaveQueue(length) }, nil
}

// closeTurn resets the state of the ended turn; the next one begins at the sample free or later.
func (s *LiveStream) closeTurn(free int) {
	s.settled, s.ahead, s.cached, s.free = nil, nil, nil, free
	s.engine.pacer.forgetReader(s)
}

// pushWindow advances the turn by one window's speech probability.
func (s *LiveStream) pushWindow(ctx context.Context, events []StreamEvent, p float64) ([]StreamEvent, error) {
	switch s.turns.pushProbability(p) {
	case likely:
		if s.opt.Onset {
			events = append(events, s.newEvent(SpeechLikely))
		}
		return events, nil
	case begun:
		s.start = max(s.turns.start*window-streamPad, s.free)
		s.partial, s.took = s.turns.heard, 0
		return append(events, s.newEvent(SpeechStarted)), nil
	case ended:
		if more, err := s.awaitRest(ctx); more || err != nil {
			return events, err
		}
		return s.finishTurn(ctx, events)
	}
	if !s.turns.open {
		return events, nil
	}
	if (s.turns.heard-s.turns.start)%continuesEvery == 0 {
		events = append(events, s.newEvent(SpeechContinues))
	}
	if over, err := s.judgePause(ctx); over && err == nil {
		return s.finishTurn(ctx, events)
	} else if err != nil {
		return events, err
	}
	return events, s.settleBeginning(ctx)
}

// dropOldAudio drops audio that is not needed any more: an open turn needs its own, silence the padding of the next
// turn.
func (s *LiveStream) dropOldAudio() {
	earliest := s.turns.heard*window - streamPad - blipSilence*window
	if s.turns.maybe {
		earliest = min(earliest, s.turns.start*window-streamPad)
	}
	if s.turns.open {
		earliest = min(earliest, s.start)
	}
	s.tape.forgetBefore(earliest)
}
