package decode

import (
	"context"
	"fmt"
)

// CTCForward returns the log-probability of a token sequence, summed over all its alignments: the forward recursion of
// Graves et al. 2006 over the labels with blanks between and around them. It is -Inf where the sequence does not fit
// into the frames or holds an id that is not a label. The matrix must have at least T*Labels values.
func CTCForward(lp LogProbs, tokens []int) float64 {
	for _, label := range tokens {
		if label < 0 || label >= lp.Blank() {
			return negInf
		}
	}
	states := 2*len(tokens) + 1 // blank, token 0, blank, token 1, …, blank
	alpha, next := make([]float64, states), make([]float64, states)
	for s := range alpha {
		alpha[s] = negInf
	}
	alpha[0] = 0 // before the first frame; entering state 0 or 1 from it is what frame 0 allows
	for t := range lp.T {
		frame := lp.At(t)
		for s := range next {
			sum, label := alpha[s], lp.Blank()
			if s > 0 {
				sum = logAdd(sum, alpha[s-1])
			}
			if s%2 == 1 {
				if t == 0 && s > 1 {
					sum = negInf
				}
				label = tokens[s/2]
				if s > 1 && label != tokens[s/2-1] {
					sum = logAdd(sum, alpha[s-2])
				}
			}
			next[s] = sum + float64(frame[label])
		}
		alpha, next = next, alpha
	}
	if states == 1 || lp.T == 0 {
		return alpha[states-1]
	}
	return logAdd(alpha[states-1], alpha[states-2])
}

// RNNTForward returns the log-probability of a token sequence under a transducer, summed over all its alignments:
// Graves 2012, section 2.4. It costs T·(U+1) joints; temperature is 1. It uses [BatchJoint] where the network has it.
func RNNTForward(ctx context.Context, net Network, f Frames, tokens []int) (float64, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	states := []*State{net.Start()}
	for _, label := range tokens {
		if label < 0 || label >= net.Blank() {
			return 0, fmt.Errorf("%w: token %d", ErrOption, label)
		}
		states = append(states, net.Next(states[len(states)-1], label))
	}
	if f.T == 0 {
		if len(tokens) > 0 {
			return negInf, nil
		}
		return 0, nil
	}
	l := lattice{net: net, frames: f, tokens: tokens, states: states}
	l.encs = make([]float32, len(states)*f.J)
	l.logits = make([]float32, len(states)*(net.Blank()+1))
	return l.forward(ctx)
}

// lattice is the grid of frames and tokens that alignments of one sequence walk through.
type lattice struct {
	net    Network
	frames Frames
	tokens []int
	states []*State  // after each of the first 0..U tokens
	encs   []float32 // one frame, U+1 times, [U+1, J]
	logits []float32 // [U+1, V+1]
}

// forward keeps in alpha[u] the probability of having emitted u tokens before leaving the frame at hand.
func (l *lattice) forward(ctx context.Context) (float64, error) {
	blank := l.net.Blank()
	alpha := make([]float64, len(l.states))
	for u := range alpha {
		alpha[u] = negInf
	}
	alpha[0] = 0
	for t := range l.frames.T {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for u := range l.states {
			copy(l.encs[u*l.frames.J:], l.frames.At(t))
		}
		jointAll(l.net, l.logits, l.encs, l.states)
		emitted := negInf // arrives from u-1 on this frame
		for u := range alpha {
			r := row{logits: l.logits[u*(blank+1) : (u+1)*(blank+1)], scale: 1}
			r.norm = logSumExp(r.logits, 1)
			here := logAdd(alpha[u], emitted)
			alpha[u] = here + r.logProb(blank)
			if u < len(l.tokens) {
				emitted = here + r.logProb(l.tokens[u])
			}
		}
	}
	return alpha[len(alpha)-1], nil
}
