package recognizer

import (
	"context"
	"errors"
	"time"

	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/grammar"
)

// LiveStream is a live stream that moves to the current engine: a call continues when the model is
// changed.
type LiveStream struct {
	holder *Recognizer
	on     *engine.Engine
	stream *engine.LiveStream
}

// OpenStream opens a live stream on the current engine.
func (h *Recognizer) OpenStream(o engine.StreamOptions) (*LiveStream, error) {
	e := h.current.Load()
	if e == nil {
		return nil, ErrLoading
	}
	s, err := e.OpenStream(h.withLatency(o))
	if err != nil {
		return nil, err
	}
	return &LiveStream{holder: h, on: e, stream: s}, nil
}

// OfferedLatencies returns the latencies of live text that the serving model offers; none while it is loaded.
func (h *Recognizer) OfferedLatencies() []time.Duration {
	if e := h.current.Load(); e != nil {
		return e.ModelInfo().Latencies
	}
	return nil
}

// OfferedLanguages returns the languages that requests may name; none while the model is loaded.
func (h *Recognizer) OfferedLanguages() []string {
	if e := h.current.Load(); e != nil {
		return e.ModelInfo().Languages
	}
	return nil
}

// HasLanguage reports whether requests may name a language or locale; any while the model is loaded.
func (h *Recognizer) HasLanguage(language string) bool {
	e := h.current.Load()
	return e == nil || e.HasLanguage(language)
}

// withLatency adds the configured latency to the options of a stream with partial texts.
func (h *Recognizer) withLatency(o engine.StreamOptions) engine.StreamOptions {
	if o.Latency == 0 && o.Partial > 0 && h.Latency != nil {
		o.Latency = h.Latency()
	}
	return o
}

// Push recognizes the next samples; see [engine.LiveStream.Push].
func (h *LiveStream) Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error) {
	return h.runOnEngine(len(samples), func() ([]engine.StreamEvent, error) { return h.stream.Push(ctx, samples) })
}

// runOnEngine runs ask on the current engine, and again on its successor if the engine was closed meanwhile.
func (h *LiveStream) runOnEngine(samples int, ask func() ([]engine.StreamEvent, error)) ([]engine.StreamEvent, error) {
	if err := h.followEngine(); err != nil {
		return nil, err
	}
	began := time.Now()
	events, err := ask()
	if errors.Is(err, engine.ErrClosed) && h.followEngine() == nil {
		events, err = ask()
	}
	h.countDecoding(samples, time.Since(began))
	return events, err
}

// countDecoding counts samples of audio, silence included, and the time that decoding them took.
func (h *LiveStream) countDecoding(samples int, took time.Duration) {
	if h.holder.CountLive != nil {
		h.holder.CountLive(float64(samples)/audio.Rate, took)
	}
}

// Flush ends the audio; see [engine.LiveStream.Flush].
func (h *LiveStream) Flush(ctx context.Context) ([]engine.StreamEvent, error) {
	return h.runOnEngine(0, func() ([]engine.StreamEvent, error) { return h.stream.Flush(ctx) })
}

// SetExpected changes the phrases and answers to be expected from now on; see [engine.LiveStream.SetExpected].
func (h *LiveStream) SetExpected(phrases []string, answers *grammar.RuleGrammar) error {
	return h.stream.SetExpected(phrases, answers)
}

// SetEndpointRule sets the rule that ends turns; see [engine.LiveStream.SetEndpointRule].
func (h *LiveStream) SetEndpointRule(rule engine.EndpointRule) { h.stream.SetEndpointRule(rule) }

// Tune changes the stream's options; see [engine.LiveStream.SetOptions].
func (h *LiveStream) Tune(o engine.StreamOptions) error {
	return h.stream.SetOptions(h.holder.withLatency(o))
}

// Discard drops an open turn; see [engine.LiveStream.DiscardTurn].
func (h *LiveStream) Discard() { h.stream.DiscardTurn() }

// Show sets the interval of partial results; see [engine.LiveStream.SetPartialInterval].
func (h *LiveStream) Show(every time.Duration) { h.stream.SetPartialInterval(every) }

// followEngine reopens the stream on the current engine if that has changed.
func (h *LiveStream) followEngine() error {
	e := h.holder.current.Load()
	switch e {
	case nil:
		return engine.ErrClosed
	case h.on:
		return nil
	}
	h.on = e
	return h.stream.SwitchEngine(e)
}
