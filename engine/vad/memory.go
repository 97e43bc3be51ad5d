package vad

import (
	"context"
	"fmt"
	"slices"
)

const (
	stateSize    = 128  // size of each of the network's two LSTM states
	quiet        = 0.25 // windows with a lower probability are silent: below usual exit thresholds
	resetAfter   = 94   // consecutive silent windows after which the state is reset: 3 s
	resetWindows = 16   // windows that a reset state processes first: 0.5 s
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
	past   []float32 // [≤ resetWindows, 576], the last windows
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
	m.past = append(m.past, input[max(0, len(input)-resetWindows*inputSize):]...)
	m.past = slices.Delete(m.past, 0, max(0, len(m.past)-resetWindows*inputSize))
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

func (m *lstmState) refreshState(ctx context.Context, r NetworkRunner) error {
	fresh := initialState()
	probs, err := fresh.runNetwork(ctx, r, m.past)
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
