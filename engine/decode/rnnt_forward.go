package decode

import (
	"context"
	"fmt"

	"munadi/engine/kernel"
)

// RNNTForward returns the log-probability of a token sequence under a transducer, summed over all alignments (forward
// algorithm, Graves 2012, section 2.4). It costs T·(U+1) joints; temperature is 1. Uses [BatchJoint] if the network
// implements it.
func RNNTForward(ctx context.Context, net TransducerNetwork, f EncoderFrames, tokens []int) (float64, error) {
	if err := f.checkShape(); err != nil {
		return 0, err
	}
	states := []*PredictionState{net.StartState()}
	for _, label := range tokens {
		if label < 0 || label >= net.BlankID() {
			return 0, fmt.Errorf("%w: token %d", ErrOption, label)
		}
		states = append(states, net.NextState(states[len(states)-1], label))
	}
	if f.T == 0 {
		if len(tokens) > 0 {
			return negInf, nil
		}
		return 0, nil
	}
	l := alignmentLattice{net: net, frames: f, tokens: tokens, states: states}
	l.encs = make([]float32, len(states)*f.J)
	l.logits = make([]float32, len(states)*(net.BlankID()+1))
	return l.forwardProbability(ctx)
}

// alignmentLattice is the lattice of frames and tokens of one sequence.
type alignmentLattice struct {
	net    TransducerNetwork
	frames EncoderFrames
	tokens []int
	states []*PredictionState // after the first 0..U tokens
	encs   []float32          // one frame repeated U+1 times, [U+1, J]
	logits []float32          // [U+1, V+1]
}

// forwardProbability runs the forward recursion; alpha[u] is the log-probability of having emitted u tokens before
// leaving the current frame.
func (l *alignmentLattice) forwardProbability(ctx context.Context) (float64, error) {
	blank := l.net.BlankID()
	alpha := make([]float64, len(l.states))
	for u := range alpha {
		alpha[u] = negInf
	}
	alpha[0] = 0
	for t := range l.frames.T {
		if err := yieldTurn(ctx); err != nil {
			return 0, err
		}
		for u := range l.states {
			copy(l.encs[u*l.frames.J:], l.frames.At(t))
		}
		jointAll(l.net, l.logits, l.encs, l.states)
		emitted := negInf // arrives from u-1 on this frame
		for u := range alpha {
			r := jointRow{logits: l.logits[u*(blank+1) : (u+1)*(blank+1)], scale: 1}
			r.norm = kernel.LogSumExp(r.logits)
			here := logAdd(alpha[u], emitted)
			alpha[u] = here + r.logProb(blank)
			if u < len(l.tokens) {
				emitted = here + r.logProb(l.tokens[u])
			}
		}
	}
	return alpha[len(alpha)-1], nil
}
