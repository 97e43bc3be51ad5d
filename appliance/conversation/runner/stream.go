package runner

import (
	"context"
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/recognizer"
	"munadi/engine"
	"munadi/engine/grammar"
)

// partialPublisher gets partial results; [publisher.CallPublisher] is one.
type partialPublisher interface {
	// PartialInterval returns how often they are wanted; 0: not at all.
	PartialInterval() time.Duration
	PublishPartial(start, end float64, text string)
	PublishNoWords()
}

// publishedStream adapts a live stream to package conversation and publishes partial results to the call's viewers.
type publishedStream struct {
	*recognizer.LiveStream
	progress partialPublisher
	redacts  bool // partial results have no text, since a number may go on
}

// unseenProgress is the progress of a conversation that nobody watches.
type unseenProgress struct{}

// PartialInterval implements [partialPublisher].
func (unseenProgress) PartialInterval() time.Duration { return 0 }

// PublishPartial implements [partialPublisher].
func (unseenProgress) PublishPartial(_, _ float64, _ string) {}

// PublishNoWords implements [partialPublisher].
func (unseenProgress) PublishNoWords() {}

// OpenBackground opens a stream for sound that was recorded before: tests and replays. Calls go first.
func OpenBackground(r *recognizer.Recognizer) (conversation.StreamRecognizer, error) {
	stream, err := r.OpenStream(engine.StreamOptions{Onset: true, Background: true})
	if err != nil {
		return nil, err
	}
	return publishedStream{stream, unseenProgress{}, false}, nil
}

// Push implements [conversation.StreamRecognizer].
func (s publishedStream) Push(ctx context.Context, samples []float32) ([]conversation.RecognizerReport, error) {
	s.Show(s.progress.PartialInterval())
	events, err := s.LiveStream.Push(ctx, samples)
	for _, h := range events {
		switch {
		case h.Type == engine.SpeechLikely:
		case h.Type != engine.Final:
			text := h.Text
			if s.redacts {
				text = ""
			}
			s.progress.PublishPartial(h.Start, h.End, text)
		case h.Text == "":
			s.progress.PublishNoWords()
		}
	}
	return reportsOf(events), err
}

// Flush implements [conversation.StreamRecognizer].
func (s publishedStream) Flush(ctx context.Context) ([]conversation.RecognizerReport, error) {
	events, err := s.LiveStream.Flush(ctx)
	return reportsOf(events), err
}

// ExpectPhrases implements [conversation.StreamRecognizer].
func (s publishedStream) ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error {
	return s.SetExpected(phrases, answers)
}

// EndTurnsBy implements [conversation.StreamRecognizer].
func (s publishedStream) EndTurnsBy(silenceAfter func(conversation.PausedTurn) time.Duration) {
	s.SetEndpointRule(func(t engine.PausedTurn) time.Duration {
		return silenceAfter(conversation.PausedTurn{
			Start: t.Start, End: t.End, Text: t.Text, Confidence: t.Confidence, Readings: slotReadings(t.Readings),
		})
	})
}

// reportsOf converts stream events.
func reportsOf(events []engine.StreamEvent) []conversation.RecognizerReport {
	kinds := map[engine.StreamEventType]conversation.HeardKind{
		engine.SpeechLikely:    conversation.Likely,
		engine.SpeechStarted:   conversation.Started,
		engine.SpeechContinues: conversation.Continues,
		engine.Final:           conversation.Final,
	}
	var all []conversation.RecognizerReport
	for _, e := range events {
		if kind, known := kinds[e.Type]; known {
			all = append(all, conversation.RecognizerReport{
				Kind: kind, Start: e.Start, End: e.End, Text: e.Text, Confidence: e.Confidence,
				Readings: slotReadings(e.Readings),
			})
		}
	}
	return all
}

// slotReadings converts the readings of a grammar.
func slotReadings(all []engine.GrammarReading) []slot.AnswerReading {
	var out []slot.AnswerReading
	for _, r := range all {
		out = append(out, slot.AnswerReading{Text: r.Text, Probability: r.Probability})
	}
	return out
}
