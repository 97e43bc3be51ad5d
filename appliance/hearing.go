package appliance

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/stt/realtime"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/grammar"
)

// liveHearing is a live recognizer stream that moves to the current engine: a call continues when the model is
// changed.
type liveHearing struct {
	holder *engineHolder
	on     *engine.Engine
	stream *engine.LiveStream
}

// openHearing opens a live stream on the current engine.
func (h *engineHolder) openHearing(o engine.StreamOptions) (*liveHearing, error) {
	e := h.current.Load()
	if e == nil {
		return nil, errLoading
	}
	s, err := e.OpenStream(o)
	if err != nil {
		return nil, err
	}
	return &liveHearing{holder: h, on: e, stream: s}, nil
}

// hearLive opens a live stream for a client of the realtime protocol.
func (a *Appliance) hearLive(o engine.StreamOptions) (realtime.LiveHearing, error) {
	return a.engine.openHearing(o)
}

// Push recognizes the next samples; see [engine.LiveStream.Push].
func (h *liveHearing) Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error) {
	return h.runOnEngine(len(samples), func() ([]engine.StreamEvent, error) { return h.stream.Push(ctx, samples) })
}

// runOnEngine runs ask on the current engine, and again on its successor if the engine was closed meanwhile.
func (h *liveHearing) runOnEngine(samples int, ask func() ([]engine.StreamEvent, error)) ([]engine.StreamEvent, error) {
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
func (h *liveHearing) countDecoding(samples int, took time.Duration) {
	if h.holder.heard != nil {
		h.holder.heard(float64(samples)/audio.Rate, took)
	}
}

// Flush ends the audio; see [engine.LiveStream.Flush].
func (h *liveHearing) Flush(ctx context.Context) ([]engine.StreamEvent, error) {
	return h.runOnEngine(0, func() ([]engine.StreamEvent, error) { return h.stream.Flush(ctx) })
}

// SetExpected changes the phrases and answers to be expected from now on; see [engine.LiveStream.SetExpected].
func (h *liveHearing) SetExpected(phrases []string, answers *grammar.RuleGrammar) error {
	return h.stream.SetExpected(phrases, answers)
}

// Tune changes the stream's options; see [engine.LiveStream.SetOptions].
func (h *liveHearing) Tune(o engine.StreamOptions) error { return h.stream.SetOptions(o) }

// Discard drops an open turn; see [engine.LiveStream.DiscardTurn].
func (h *liveHearing) Discard() { h.stream.DiscardTurn() }

// Show sets the interval of partial results; see [engine.LiveStream.SetPartialInterval].
func (h *liveHearing) Show(every time.Duration) { h.stream.SetPartialInterval(every) }

// followEngine reopens the stream on the current engine if that has changed.
func (h *liveHearing) followEngine() error {
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
