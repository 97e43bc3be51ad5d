package conversation

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/tts"
)

// A long text is played while the rest of it is still synthesized, where its voice can: the last utterance grows. Its
// line gets the parts as speeches of their own.

// growingSound is the sound of the last utterance, playing or held, of which parts still come.
type growingSound struct {
	stream *tts.SpeechStream
	whole  <-chan besideResult[tts.SpokenSound] // receives once nothing comes any more
	cancel context.CancelFunc
	paused bool      // a pause follows
	came   time.Time // when the last part came
	over   bool      // whole has received
}

// streamedSpeech is a text's sound: whole, or its beginning.
type streamedSpeech struct {
	tts.SpokenSound
	rest    time.Duration
	growing *growingSound // nil: it is whole
}

// streamText synthesizes a text. It returns as soon as its beginning is there, within [synthesisTimeout]; each further
// part has as long.
func (s *conversationSession) streamText(ctx context.Context, text string) (streamedSpeech, error) {
	inner, cancel := context.WithCancel(ctx)
	g := &growingSound{stream: tts.NewStream(), cancel: cancel}
	g.whole = startBeside(inner, func(ctx context.Context) (tts.SpokenSound, error) {
		r := s.speechRequest(text)
		r.Stream = g.stream
		return s.Speak.Speak(ctx, r)
	})
	said, err := runBesideLine(ctx, s, synthesisTimeout, nil, func(ctx context.Context) (streamedSpeech, error) {
		select {
		case r := <-g.whole:
			return streamedSpeech{SpokenSound: r.value}, r.err
		case <-g.stream.Changed():
			begun := g.stream.TakeParts()
			g.came = time.Now()
			return streamedSpeech{begun.Sound, begun.Rest, g}, nil
		case <-ctx.Done():
			return streamedSpeech{}, ctx.Err()
		}
	})
	if said.growing == nil {
		cancel()
	}
	return said, voiceError(said.SpokenSound, err)
}

// growSpeech adds what has come of the last utterance's sound, and plays it unless the prompt is held.
func (s *conversationSession) growSpeech(ctx context.Context) {
	g := s.growing
	if g == nil {
		return
	}
	if s.held == nil && s.Line.Queued() < carrier.Tick && carrier.CountUnread(s.Line) == 0 { // nothing is left to play
		g.stream.AwaitParts(ctx, clockGrace)
	}
	came := g.take()
	u := s.lastUtterance()
	if came.Ended {
		s.endGrowth()
		if came.Err != nil {
			s.addError("speech_failed", "The end of a line was left out, because its voice failed: %s",
				s.Text.FormatText(u.text))
			there := time.Duration(len(u.sound.PCM)+len(came.Sound.PCM)) * time.Second / carrier.Rate
			u.cutText(float64(there) / float64(max(there, u.length)))
		}
	}
	s.extendUtterance(u, came, g.paused)
}

// take returns what has come. A voice that failed without an end of its stream has ended, too, and one that stalls.
func (g *growingSound) take() tts.StreamedParts {
	select {
	case <-g.whole:
		g.over = true
	default:
	}
	came := g.stream.TakeParts()
	if len(came.Sound.PCM) > 0 {
		g.came = time.Now()
	}
	if !came.Ended && (g.over || time.Since(g.came) >= synthesisTimeout) {
		came.Ended, came.Err = true, errVoice
	}
	return came
}

// lastUtterance returns the utterance that grows.
func (s *conversationSession) lastUtterance() *queuedUtterance {
	if s.held != nil {
		return &s.held.rest[len(s.held.rest)-1]
	}
	return &s.playing[len(s.playing)-1]
}

// extendUtterance appends sound to an utterance.
func (s *conversationSession) extendUtterance(u *queuedUtterance, came tts.StreamedParts, paused bool) {
	more := carrier.Speech{PCM: came.Sound.PCM, Wide: came.Sound.Wide}
	if more.Wide == nil && u.sound.Wide != nil {
		more.Wide = []int16{}
	}
	spoken := len(u.sound.PCM) + len(more.PCM)
	after := time.Duration(0) // of the utterance's end to that of what is queued
	if !came.Ended {
		more.Rest = max(came.Rest, carrier.Tick)
		after = -more.Rest
	} else if paused {
		more, after = withPause(more), pause
	}
	u.length = time.Duration(spoken)*time.Second/carrier.Rate + more.Rest
	u.sound.ContinueWith(more)
	if s.held != nil {
		return
	}
	if len(more.PCM) > 0 || came.Ended {
		s.Line.Say(more)
	}
	u.end = s.now + s.Line.Queued() - after
}

// endGrowth ends the growth of the last utterance: what still comes of its sound is not played.
func (s *conversationSession) endGrowth() {
	if s.growing != nil {
		s.growing.cancel()
		s.growing = nil
	}
}

// awaitGrown reads frames until the last utterance is whole.
func (s *conversationSession) awaitGrown(ctx context.Context) error {
	for s.growing != nil {
		if err := s.nextFrame(ctx); err != nil {
			return err
		}
	}
	return nil
}
