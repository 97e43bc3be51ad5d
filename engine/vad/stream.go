package vad

import (
	"context"
	"fmt"
	"slices"
)

const (
	overlap   = 64               // samples of the previous window that are repeated in the input
	inputSize = overlap + window // samples per frame of the network's input
)

// NetworkRunner is one call of Silero's network for whole sequences (silero_vad_16k_sequence.onnx). input is [frames,
// 576]; h and c, its LSTM state, are [1, 1, 128] and must not be modified. It returns the speech probabilities [frames]
// and the new state.
type NetworkRunner interface {
	RunVAD(ctx context.Context, input []float32, frames int, h, c []float32) (probs, hn, cn []float32, err error)
}

// ProbabilityStream computes the speech probability of each 512 samples of one recording, streamed in pieces. Not safe
// for concurrent use.
type ProbabilityStream struct {
	runner NetworkRunner
	memory lstmState
	tail   [overlap]float32 // the last samples of the previous window; zeros at first
	rest   []float32        // samples that do not yet fill a window
	input  []float32        // [frames, 576] of one call of the network, reused
}

// NewStream returns a ProbabilityStream at the beginning of a recording.
func NewStream(r NetworkRunner) *ProbabilityStream {
	s := &ProbabilityStream{runner: r, memory: initialState()}
	s.memory.past = make([]float32, pastSize)
	return s
}

// PushSamples processes the next samples and returns the probability of each completed window. After an error the
// stream is unusable.
func (s *ProbabilityStream) PushSamples(ctx context.Context, samples []float32) ([]float32, error) {
	windows := (len(s.rest) + len(samples)) / window
	probs := make([]float32, 0, windows)
	s.input = slices.Grow(s.input, min(windows, s.memory.roomForWindows())*inputSize)
	if need := window - len(s.rest); len(s.rest) > 0 && len(samples) >= need {
		s.rest = append(s.rest, samples[:need]...)
		samples = samples[need:]
		s.appendFrame(s.rest)
		s.rest = s.rest[:0]
	}
	for len(s.rest) == 0 && len(samples) >= window {
		if len(s.input) == s.memory.roomForWindows()*inputSize {
			var err error
			if probs, err = s.runFrames(ctx, probs); err != nil {
				return nil, err
			}
		}
		s.appendFrame(samples[:window])
		samples = samples[window:]
	}
	s.rest = append(s.rest, samples...)
	return s.runFrames(ctx, probs)
}

// Flush ends the recording: remaining samples are zero-padded to a window. It returns one probability, or none.
func (s *ProbabilityStream) Flush(ctx context.Context) ([]float32, error) {
	if len(s.rest) == 0 {
		return nil, nil
	}
	return s.PushSamples(ctx, make([]float32, window-len(s.rest)))
}

// appendFrame appends the end of the previous window and a window to the network's input.
func (s *ProbabilityStream) appendFrame(w []float32) {
	s.input = append(s.input, s.tail[:]...)
	s.input = append(s.input, w...)
	copy(s.tail[:], w[window-overlap:])
}

// runFrames runs the collected frames through the network and appends their probabilities. A call of the network ends
// where the state may be reset, so that results do not depend on how the samples are split among pushes.
func (s *ProbabilityStream) runFrames(ctx context.Context, probs []float32) ([]float32, error) {
	if len(s.input) == 0 {
		return probs, nil
	}
	got, err := s.memory.runWindows(ctx, s.runner, s.input)
	if err != nil {
		return nil, err
	}
	s.input = s.input[:0]
	return append(probs, got...), nil
}

const (
	stateSize    = 128  // size of each of the network's two LSTM states
	quiet        = 0.25 // windows with a lower probability are silent: below usual exit thresholds
	resetAfter   = 94   // consecutive silent windows after which the state is reset: 3 s
	resetWindows = 16   // windows that a reset state processes first: 0.5 s
	pastSize     = resetWindows * inputSize
)

// lstmState is the LSTM state of the network between windows.
//
// It drifts during silence: after 15 s of line noise a third of the following words are detected 0.1 to 1 s late and
// lose their beginning. Silero leaves resetting it to callers. A reset during sound makes the network report false
// speech at first; so after every 3 s of silence the last half second is processed with a reset state, which is adopted
// only if it finds silence too. A recording without such pauses is processed exactly as by Silero.
type lstmState struct {
	h, c   []float32
	silent int       // consecutive silent windows
	past   []float32 // [resetWindows, 576], the last windows: window n at n mod resetWindows
	seen   int       // windows so far
}

// initialState returns the state at the beginning of a recording.
func initialState() lstmState {
	return lstmState{h: make([]float32, stateSize), c: make([]float32, stateSize)}
}

// roomForWindows returns the number of windows that may be processed before the next check for a reset.
func (m *lstmState) roomForWindows() int { return resetAfter - m.silent }

// runWindows runs windows [frames, 576], at most roomForWindows, through the network.
func (m *lstmState) runWindows(ctx context.Context, r NetworkRunner, input []float32) ([]float32, error) {
	probs, err := m.runNetwork(ctx, r, input)
	if err != nil {
		return nil, err
	}
	m.keepWindows(input)
	for _, p := range probs {
		if m.silent++; p >= quiet {
			m.silent = 0
		}
	}
	if m.silent == resetAfter {
		m.silent = 0
		err = m.refreshState(ctx, r)
	}
	return probs, err
}

// keepWindows keeps the last windows for a reset, which comes after more than resetWindows.
func (m *lstmState) keepWindows(input []float32) {
	for w := range slices.Chunk(input, inputSize) {
		copy(m.past[m.seen%resetWindows*inputSize:], w)
		m.seen++
	}
}

func (m *lstmState) refreshState(ctx context.Context, r NetworkRunner) error {
	fresh, oldest := initialState(), m.seen%resetWindows*inputSize
	probs, err := fresh.runNetwork(ctx, r, slices.Concat(m.past[oldest:], m.past[:oldest]))
	if err == nil && slices.Max(probs) < quiet {
		m.h, m.c = fresh.h, fresh.c
	}
	return err
}

// runNetwork calls the network once and updates the state.
func (m *lstmState) runNetwork(ctx context.Context, r NetworkRunner, input []float32) ([]float32, error) {
	frames := len(input) / inputSize
	probs, h, c, err := r.RunVAD(ctx, input, frames, m.h, m.c)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if len(probs) != frames || len(h) != stateSize || len(c) != stateSize {
		return nil, fmt.Errorf("voice activity: for %d windows the network returned %d probabilities and states of %d and %d",
			frames, len(probs), len(h), len(c))
	}
	m.h, m.c = h, c
	return probs, nil
}
