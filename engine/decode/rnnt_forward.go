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

// RNNTForwardAll is [RNNTForward] for several token sequences at once: common prefixes are computed once, so that the
// readings of one answer cost little more than the longest of them.
func RNNTForwardAll(ctx context.Context, net TransducerNetwork, f EncoderFrames, sequences [][]int) ([]float64, error) {
	if err := f.checkShape(); err != nil {
		return nil, err
	}
	tree := sequenceTree{net: net, frames: f}
	ends := make([]int, len(sequences))
	tree.addNode(-1, 0, net.StartState())
	for i, tokens := range sequences {
		at := 0
		for _, label := range tokens {
			if label < 0 || label >= net.BlankID() {
				return nil, fmt.Errorf("%w: token %d", ErrOption, label)
			}
			at = tree.childNode(at, label)
		}
		ends[i] = at
	}
	alpha, err := tree.forwardProbabilities(ctx)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(sequences))
	for i, at := range ends {
		scores[i] = alpha[at]
	}
	return scores, nil
}

// sequenceTree is the prefix tree (trie) of the sequences; a node comes after its parent.
type sequenceTree struct {
	net    TransducerNetwork
	frames EncoderFrames
	parent []int // -1 at the root, the empty sequence
	label  []int
	states []*PredictionState
}

func (s *sequenceTree) addNode(parent, label int, state *PredictionState) int {
	s.parent, s.label, s.states = append(s.parent, parent), append(s.label, label), append(s.states, state)
	return len(s.states) - 1
}

func (s *sequenceTree) childNode(at, label int) int {
	for i := at + 1; i < len(s.parent); i++ {
		if s.parent[i] == at && s.label[i] == label {
			return i
		}
	}
	return s.addNode(at, label, s.net.NextState(s.states[at], label))
}

// forwardProbabilities runs the forward recursion (Graves 2012, section 2.4) over the tree: the log-probability of
// having emitted a node's tokens before leaving the last frame.
func (s *sequenceTree) forwardProbabilities(ctx context.Context) ([]float64, error) {
	n, blank := len(s.states), s.net.BlankID()
	alpha, here := make([]float64, n), make([]float64, n)
	for i := range alpha {
		alpha[i] = negInf
	}
	alpha[0] = 0
	encs, logits := make([]float32, n*s.frames.J), make([]float32, n*(blank+1))
	rows := make([]jointRow, n)
	for t := range s.frames.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		for i := range n {
			copy(encs[i*s.frames.J:], s.frames.At(t))
		}
		jointAll(s.net, logits, encs, s.states)
		for i := range n {
			rows[i] = jointRow{logits: logits[i*(blank+1) : (i+1)*(blank+1)], scale: 1}
			rows[i].norm = kernel.LogSumExp(rows[i].logits)
			here[i] = alpha[i]
			if p := s.parent[i]; p >= 0 {
				here[i] = logAdd(here[i], here[p]+rows[p].logProb(s.label[i]))
			}
			alpha[i] = here[i] + rows[i].logProb(blank)
		}
	}
	return alpha, nil
}
