package realtime

import (
	"context"
	"math"

	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/audio"
)

// sendEvents converts recognition events into protocol events.
func (s *realtimeSession) sendEvents(ctx context.Context, events []engine.StreamEvent) error {
	for _, e := range events {
		if err := s.sendRecognized(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *realtimeSession) sendRecognized(ctx context.Context, e engine.StreamEvent) error {
	switch e.Type {
	case engine.SpeechStarted:
		s.item = newID("item_")
		s.notifyObserver(e)
		start := max(e.Start-float64(s.turns.PrefixMS)/1000, s.free, 0)
		return s.sendEvent(
			ctx,
			startedEvent{newEventHeader("input_audio_buffer.speech_started"), s.sessionMilliseconds(start), s.item},
		)
	case engine.Partial:
		if s.text.Changes() {
			return nil // a number may go on
		}
		s.notifyObserver(e)
		if err := s.sendDelta(ctx, s.agreed.pushText(e.Text, e.Stable), e.Words); err != nil || !s.includes(includePartial) {
			return err
		}
		return s.sendEvent(ctx, partialEvent{newEventHeader(transcription + "partial"), s.item, 0, e.Text})
	case engine.Final:
		return s.finishTurn(ctx, e, true)
	}
	return nil
}

// sessionMilliseconds converts a time of the recognition stream into milliseconds of the session.
func (s *realtimeSession) sessionMilliseconds(seconds float64) int {
	return int(math.Round((float64(s.origin)/audio.Rate + seconds) * 1000))
}

// finishTurn sends the events of an ended turn; byItself is false after a commit.
func (s *realtimeSession) finishTurn(ctx context.Context, e engine.StreamEvent, byItself bool) error {
	if s.item == "" {
		s.item = newID("item_")
	}
	if byItself {
		if err := s.sendEvent(
			ctx,
			stoppedEvent{newEventHeader("input_audio_buffer.speech_stopped"), s.sessionMilliseconds(e.At), s.item},
		); err != nil {
			return err
		}
	}
	if err := s.sendCommitted(ctx); err != nil {
		return err
	}
	s.fresh, s.free = 0, e.End
	return s.sendCompleted(ctx, e, e.End-e.Start)
}

// sendCommitted sends the committed event of a new item.
func (s *realtimeSession) sendCommitted(ctx context.Context) error {
	err := s.sendEvent(ctx, committedEvent{newEventHeader("input_audio_buffer.committed"), s.previous, s.item})
	if err != nil {
		return err
	}
	kind := "conversation.item.added"
	if s.beta {
		kind = "conversation.item.created"
	}
	if err := s.sendEvent(ctx, itemEvent{newEventHeader(kind), s.previous, userItem(s.item, nil)}); err != nil || s.beta {
		return err
	}
	return s.sendEvent(ctx, itemEvent{newEventHeader("conversation.item.done"), s.previous, userItem(s.item, nil)})
}

// sendCompleted sends the item's final text.
func (s *realtimeSession) sendCompleted(ctx context.Context, e engine.StreamEvent, length float64) error {
	said := e.Text
	e = s.text.FormatEvent(s.said, e)
	s.said = textform.KeepHeard(s.said, said)
	s.notifyObserver(e)
	if err := s.sendDelta(ctx, s.agreed.pushFinal(e.Text), e.Words); err != nil {
		return err
	}
	done := completedEvent{
		eventHeader: newEventHeader(transcription + "completed"), ItemID: s.item, Transcript: e.Text,
		Usage: usageBody{Type: "duration", Seconds: math.Round(length*1000) / 1000},
	}
	if s.includes(includeLogprobs) {
		done.Logprobs = WordLogprobs(e.Words, true)
	}
	s.closeItem()
	return s.sendEvent(ctx, done)
}

// sendDelta sends newly stable words.
func (s *realtimeSession) sendDelta(ctx context.Context, fresh string, words []engine.Word) error {
	if fresh == "" {
		return nil
	}
	e := deltaEvent{eventHeader: newEventHeader(transcription + "delta"), ItemID: s.item, Delta: fresh}
	if out := len(s.agreed.given); s.includes(includeLogprobs) && out <= len(words) {
		e.Logprobs = WordLogprobs(words[:out], true)[s.out:]
	}
	s.out = len(s.agreed.given)
	return s.sendEvent(ctx, e)
}

func (s *realtimeSession) notifyObserver(e engine.StreamEvent) {
	if s.observer == nil {
		return
	}
	shift := float64(s.origin) / audio.Rate
	if s.turns == nil {
		shift = 0 // times of committed audio are session times already
	}
	e.Start, e.End, e.At = e.Start+shift, e.End+shift, e.At+shift
	s.observer.AddEvent(e)
}
