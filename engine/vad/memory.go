package vad

import (
	"context"
	"fmt"
	"slices"
)

const (
	stateSize = 128  // of each of the network's two memories
	quiet     = 0.25 // a window with less is quiet: under where speech is left at any usual threshold
	patience  = 94   // quiet windows in a row after which the memory is made again: 3 s
	afresh    = 16   // windows that a new memory has heard: 0.5 s
)

// lstmState is what the network's LSTM keeps from window to window.
//
// It drifts while nobody speaks: after 15 s of a hissing line a third of the words that follow are noticed 0.1 to 1 s
// late, and their beginning is lost. Silero leaves it to its callers to clear it. Cleared in the middle of a sound, the
// network takes much for speech at first, a choir for one; so every 3 s of quiet the last half second is heard again
// without a memory, and only if that finds it quiet, too, it goes on from there. A recording that has no such pause is
// heard as Silero hears it.
type lstmState struct {
	h, c []float32
	calm int       // quiet windows in a row
	past []float32 // [≤ afresh, 576], the last windows
}

// initialState returns the memory at the beginning of a recording.
func initialState() lstmState {
	return lstmState{h: make([]float32, stateSize), c: make([]float32, stateSize)}
}

// roomForWindows returns how many windows may be heard before it has to be looked at again.
func (m *lstmState) roomForWindows() int { return patience - m.calm }

// runWindows passes windows [frames, 576], as many as it holds at most, through the network.
func (m *lstmState) runWindows(ctx context.Context, r NetworkRunner, input []float32) ([]float32, error) {
	probs, err := m.runNetwork(ctx, r, input)
	if err != nil {
		return nil, err
	}
	m.past = append(m.past, input[max(0, len(input)-afresh*inputSize):]...)
	m.past = slices.Delete(m.past, 0, max(0, len(m.past)-afresh*inputSize))
	for _, p := range probs {
		if m.calm++; p >= quiet {
			m.calm = 0
		}
	}
	if m.calm == patience {
		m.calm = 0
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

// runNetwork returns one call of the network.
func (m *lstmState) runNetwork(ctx context.Context, r NetworkRunner, input []float32) ([]float32, error) {
	frames := len(input) / inputSize
	probs, h, c, err := r.RunVAD(ctx, input, frames, m.h, m.c)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if len(probs) != frames || len(h) != stateSize || len(c) != stateSize {
		return nil, fmt.Errorf("voice activity: %d windows gave %d probabilities and memories of %d and %d",
			frames, len(probs), len(h), len(c))
	}
	m.h, m.c = h, c
	return probs, nil
}
