package vad

import (
	"context"
	"fmt"
)

const (
	overlap   = 64               // samples of the window before that the network hears again
	inputSize = overlap + window // samples a frame of the network's input
	stateSize = 128              // of each of the network's two memories
	maxFrames = 512              // windows a call of the network: 16 s
)

// Runner is one call of Silero's network for whole sequences (silero_vad_16k_sequence.onnx).
// input is [frames, 576]; h and c, its LSTM's memory, are [1, 1, 128] and must not be changed.
// It returns the speech probabilities [frames] and the memory afterwards.
type Runner interface {
	RunVAD(ctx context.Context, input []float32, frames int, h, c []float32) (probs, hn, cn []float32, err error)
}

// Stream gives the speech probability of each 512 samples of one recording that comes piece by
// piece. It belongs to one goroutine.
type Stream struct {
	runner Runner
	h, c   []float32
	tail   [overlap]float32 // the last samples of the window before; zeros at first
	rest   []float32        // samples that don't fill a window yet
	input  []float32        // [frames, 576], kept from call to call
}

// NewStream returns a Stream at the beginning of a recording.
func NewStream(r Runner) *Stream {
	return &Stream{runner: r, h: make([]float32, stateSize), c: make([]float32, stateSize)}
}

// Probs takes the next samples and returns the probability of each window that they complete.
// After an error the Stream can't go on.
func (s *Stream) Probs(ctx context.Context, samples []float32) ([]float32, error) {
	var probs []float32
	if need := window - len(s.rest); len(s.rest) > 0 && len(samples) >= need {
		s.rest = append(s.rest, samples[:need]...)
		samples = samples[need:]
		s.frame(s.rest)
		s.rest = s.rest[:0]
	}
	for len(s.rest) == 0 && len(samples) >= window {
		if len(s.input) == maxFrames*inputSize {
			var err error
			if probs, err = s.run(ctx, probs); err != nil {
				return nil, err
			}
		}
		s.frame(samples[:window])
		samples = samples[window:]
	}
	s.rest = append(s.rest, samples...)
	return s.run(ctx, probs)
}

// Flush ends the recording: the samples left over are filled up with zeros to a window.
// It returns one probability, or none if nothing was left over.
func (s *Stream) Flush(ctx context.Context) ([]float32, error) {
	if len(s.rest) == 0 {
		return nil, nil
	}
	return s.Probs(ctx, make([]float32, window-len(s.rest)))
}

// frame appends one window, led by the end of the window before, to the network's input.
func (s *Stream) frame(w []float32) {
	s.input = append(s.input, s.tail[:]...)
	s.input = append(s.input, w...)
	copy(s.tail[:], w[window-overlap:])
}

// run passes the frames gathered so far through the network and appends their probabilities.
func (s *Stream) run(ctx context.Context, probs []float32) ([]float32, error) {
	frames := len(s.input) / inputSize
	if frames == 0 {
		return probs, nil
	}
	got, h, c, err := s.runner.RunVAD(ctx, s.input, frames, s.h, s.c)
	s.input = s.input[:0]
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if len(got) != frames || len(h) != stateSize || len(c) != stateSize {
		return nil, fmt.Errorf("voice activity: %d windows gave %d probabilities and memories of %d and %d",
			frames, len(got), len(h), len(c))
	}
	s.h, s.c = h, c
	return append(probs, got...), nil
}
