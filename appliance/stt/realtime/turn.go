package realtime

import (
	"context"
	"math"

	"munadi/engine"
	"munadi/engine/audio"
)

// tell turns what was heard into events.
func (s *session) tell(ctx context.Context, events []engine.StreamEvent) error {
	for _, e := range events {
		if err := s.tellOne(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) tellOne(ctx context.Context, e engine.StreamEvent) error {
	switch e.Type {
	case engine.SpeechStarted:
		s.item = name("item_")
		s.witnessed(e)
		start := max(e.Start-float64(s.turns.PrefixMS)/1000, s.free, 0)
		return s.send(ctx, startedEvent{event("input_audio_buffer.speech_started"), s.ms(start), s.item})
	case engine.Partial:
		s.witnessed(e)
		if err := s.delta(ctx, s.agreed.next(e.Text), e.Words); err != nil || !s.includes(includePartial) {
			return err
		}
		return s.send(ctx, partialEvent{event(transcription + "partial"), s.item, 0, e.Text})
	case engine.Final:
		return s.final(ctx, e, true)
	}
	return nil
}

// ms is a time of the hearing in milliseconds of the session.
func (s *session) ms(seconds float64) int {
	return int(math.Round((float64(s.origin)/audio.Rate + seconds) * 1000))
}

// final tells of a turn that is over, by itself or by a commit.
func (s *session) final(ctx context.Context, e engine.StreamEvent, byItself bool) error {
	if s.item == "" {
		s.item = name("item_")
	}
	if byItself {
		if err := s.send(ctx, stoppedEvent{event("input_audio_buffer.speech_stopped"), s.ms(e.At), s.item}); err != nil {
			return err
		}
	}
	if err := s.committed(ctx); err != nil {
		return err
	}
	s.fresh, s.free = 0, e.End
	return s.completed(ctx, e, e.End-e.Start)
}

// committed tells of the new item.
func (s *session) committed(ctx context.Context) error {
	err := s.send(ctx, committedEvent{event("input_audio_buffer.committed"), s.previous, s.item})
	if err != nil {
		return err
	}
	kind := "conversation.item.added"
	if s.beta {
		kind = "conversation.item.created"
	}
	if err := s.send(ctx, itemEvent{event(kind), s.previous, userItem(s.item, nil)}); err != nil || s.beta {
		return err
	}
	return s.send(ctx, itemEvent{event("conversation.item.done"), s.previous, userItem(s.item, nil)})
}

// completed tells the item's text.
func (s *session) completed(ctx context.Context, e engine.StreamEvent, length float64) error {
	s.witnessed(e)
	if err := s.delta(ctx, s.agreed.last(e.Text), e.Words); err != nil {
		return err
	}
	done := completedEvent{
		head: event(transcription + "completed"), ItemID: s.item, Transcript: e.Text,
		Usage: usage{Type: "duration", Seconds: math.Round(length*1000) / 1000},
	}
	if s.includes(includeLogprobs) {
		done.Logprobs = Logprobs(e.Words, true)
	}
	s.closeItem()
	return s.send(ctx, done)
}

// delta gives out the words that the agreement has let go just now.
func (s *session) delta(ctx context.Context, fresh string, words []engine.Word) error {
	if fresh == "" {
		return nil
	}
	e := deltaEvent{head: event(transcription + "delta"), ItemID: s.item, Delta: fresh}
	if out := len(s.agreed.given); s.includes(includeLogprobs) && out <= len(words) {
		e.Logprobs = Logprobs(words[:out], true)[s.out:]
	}
	s.out = len(s.agreed.given)
	return s.send(ctx, e)
}

func (s *session) witnessed(e engine.StreamEvent) {
	if s.witness == nil {
		return
	}
	shift := float64(s.origin) / audio.Rate
	if s.turns == nil {
		shift = 0 // times of committed sound are the session's already
	}
	e.Start, e.End, e.At = e.Start+shift, e.End+shift, e.At+shift
	s.witness.Heard(e)
}
