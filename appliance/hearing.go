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

// hearing is one live sound on whatever engine is current: a call goes on when the model is changed.
type hearing struct {
	holder *holder
	on     *engine.Engine
	stream *engine.Stream
}

// hear begins one.
func (h *holder) hear(o engine.StreamOptions) (*hearing, error) {
	e := h.current.Load()
	if e == nil {
		return nil, errLoading
	}
	s, err := e.Stream(o)
	if err != nil {
		return nil, err
	}
	return &hearing{holder: h, on: e, stream: s}, nil
}

// hearLive begins one for a client of the realtime protocol.
func (a *Appliance) hearLive(o engine.StreamOptions) (realtime.Hearing, error) {
	return a.engine.hear(o)
}

// Push hears the next samples; see [engine.Stream.Push].
func (h *hearing) Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error) {
	return h.work(len(samples), func() ([]engine.StreamEvent, error) { return h.stream.Push(ctx, samples) })
}

// work asks the engine that is current, and its successor if it was closed between the look and the work.
func (h *hearing) work(samples int, ask func() ([]engine.StreamEvent, error)) ([]engine.StreamEvent, error) {
	if err := h.follow(); err != nil {
		return nil, err
	}
	began := time.Now()
	events, err := ask()
	if errors.Is(err, engine.ErrClosed) && h.follow() == nil {
		events, err = ask()
	}
	h.note(samples, time.Since(began))
	return events, err
}

// note counts so many samples of sound, silence included as in a recording, and the time that hearing them took.
func (h *hearing) note(samples int, took time.Duration) {
	if h.holder.heard != nil {
		h.holder.heard(float64(samples)/audio.Rate, took)
	}
}

// Flush ends the sound; see [engine.Stream.Flush].
func (h *hearing) Flush(ctx context.Context) ([]engine.StreamEvent, error) {
	return h.work(0, func() ([]engine.StreamEvent, error) { return h.stream.Flush(ctx) })
}

// SetExpected changes what is expected to be heard from now on; see [engine.Stream.SetExpected].
func (h *hearing) SetExpected(phrases []string, answers *grammar.Grammar) error {
	return h.stream.SetExpected(phrases, answers)
}

// Tune changes the wishes; see [engine.Stream.Tune].
func (h *hearing) Tune(o engine.StreamOptions) error { return h.stream.Tune(o) }

// Discard forgets an open turn; see [engine.Stream.Discard].
func (h *hearing) Discard() { h.stream.Discard() }

// Show has texts made while somebody speaks; see [engine.Stream.Show].
func (h *hearing) Show(every time.Duration) { h.stream.Show(every) }

// follow moves to the engine that is current.
func (h *hearing) follow() error {
	e := h.holder.current.Load()
	switch e {
	case nil:
		return engine.ErrClosed
	case h.on:
		return nil
	}
	h.on = e
	return h.stream.Use(e)
}
