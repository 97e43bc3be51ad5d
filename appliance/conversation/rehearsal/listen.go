package rehearsal

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/engine/grammar"
)

// lineRecognizer returns typed texts as recognized, and what the recognizer hears in sounds.
type lineRecognizer struct {
	line   *typedLine
	stream conversation.StreamRecognizer // nil: nothing has a sound
}

// Push implements [conversation.StreamRecognizer].
func (w lineRecognizer) Push(ctx context.Context, samples []float32) (out []conversation.RecognizerReport, err error) {
	for len(w.line.heard) > 0 && w.line.heard[0].frame <= w.line.n {
		out = append(out, w.line.heard[0].report)
		w.line.heard, w.line.quiet = w.line.heard[1:], 0
	}
	if w.stream == nil {
		return out, nil
	}
	heard, err := w.stream.Push(ctx, samples)
	for _, h := range heard {
		switch h.Kind {
		case conversation.Started:
			w.line.talking = true
		case conversation.Final:
			w.line.talking, w.line.quiet = false, 0
		}
	}
	return append(out, heard...), err
}

// Flush implements [conversation.StreamRecognizer].
func (w lineRecognizer) Flush(ctx context.Context) ([]conversation.RecognizerReport, error) {
	if w.stream == nil {
		return nil, nil
	}
	return w.stream.Flush(ctx)
}

// ExpectPhrases implements [conversation.StreamRecognizer].
func (w lineRecognizer) ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error {
	if w.stream == nil {
		return nil
	}
	return w.stream.ExpectPhrases(phrases, answers)
}

// EndTurnsBy implements [conversation.StreamRecognizer]: written words are complete.
func (w lineRecognizer) EndTurnsBy(silenceAfter func(conversation.PausedTurn) time.Duration) {
	if w.stream != nil {
		w.stream.EndTurnsBy(silenceAfter)
	}
}

// calleeLine is the line to a callee of the simulator, whose frames and transfer it notes.
type calleeLine struct {
	carrier.Line
	noted *typedLine
}

// Next implements [carrier.Line].
func (l calleeLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := l.Line.Next(ctx)
	l.noted.n++
	return f, err
}

// Transfer implements [carrier.Line].
func (l calleeLine) Transfer(ctx context.Context, to string) error {
	err := l.Line.Transfer(ctx, to)
	if err == nil {
		l.noted.transferred = to
	}
	return err
}
