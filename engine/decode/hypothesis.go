// Package decode searches: it turns the scores of an acoustic model into token sequences.
//
// It is a leaf. It knows frames and token ids and nothing else of the house: no ONNX, no audio, no files, no seconds.
// What a search needs from a model is the small [TransducerNetwork] of a transducer (RNNT), or a matrix of [LogProbs] for CTC;
// tests use toys with five labels.
//
//	RNNT   Greedy (label looping or frame loop), Beam, MAES, ALSD, TSD, MALSD, RNNTForward, RNNTGrammar
//	CTC    CTCGreedy, CTCPrefixBeam, CTCBeamBatch, CTCForward, CTCGrammar
//	both   Rescore: the n best of one head judged by both; Readings: a grammar beside a free search
//	words  ContextGraph and Spot find given phrases in CTC scores, MergeCTC and MergeRNNT put them into a text
//
// The algorithms are those of NVIDIA NeMo 2.7.3 (nemo/collections/asr/parts/{submodules,context_biasing}); options
// keep NeMo's names where it has them, and the tests hold its own answers. Where NeMo has none (Rescore,
// CTCPrefixBeam) the comment on the function is the definition.
//
// Sequences grow inside a search as linked lists: [prefixNode] for labels, where equal sequences are the same node, so
// that comparing is comparing pointers and a prediction is computed once; [emissionTrace] for the frames. They become slices
// only in the [Hypothesis] that is returned. Scores are summed in float64 (NeMo: float32), which differs from NeMo
// by less than 1e-4 on the recordings that the tests are made from.
//
// Every search that can take long has a context and looks at it at least once a frame; see [WithPause]. [WorkBudget] bounds
// what it may compute.
package decode

import (
	"cmp"
	"slices"
)

// Hypothesis is one way to read an utterance.
type Hypothesis struct {
	Tokens   []int     // label ids without blanks, [U]
	Frames   []int     // encoder frame on which each token was emitted (CTC: the first frame of its run), [U]
	LogProbs []float64 // log-probability of each token where it was emitted (CTC: the best of its run), [U]
	Score    float64   // log-probability as the search defines it; see there whether blanks are part of it
}

// prefixNode is a label sequence met by one search. A sequence has exactly one node, so equal sequences are equal
// pointers.
type prefixNode struct {
	parent   *prefixNode // nil at the root, the empty sequence
	label    int
	len      int // labels from the root to here
	children []*prefixNode
	state    *PredictionState // prediction after this sequence, computed when first asked for
	row      *jointRow        // joint of this sequence with frame rowAt-1, see scorer
	rowAt    int
	held     int // round of a [sequencePruner] in which it was held last
}

// childPrefix returns the sequence extended by label.
func (p *prefixNode) childPrefix(label int) *prefixNode {
	if c, ok := p.knownChild(label); ok {
		return c
	}
	c := &prefixNode{parent: p, label: label, len: p.len + 1}
	p.children = append(p.children, c)
	return c
}

// knownChild tells whether the sequence extended by label was met before, and is it.
func (p *prefixNode) knownChild(label int) (*prefixNode, bool) {
	for _, c := range p.children {
		if c.label == label {
			return c, true
		}
	}
	return nil, false
}

// predictState returns the prediction after the sequence, computing what is missing on the way from the root.
func (p *prefixNode) predictState(net TransducerNetwork) *PredictionState {
	if p.state == nil {
		if p.parent == nil {
			p.state = net.StartState()
		} else {
			p.state = net.NextState(p.parent.predictState(net), p.label)
		}
	}
	return p.state
}

// ancestorPrefix returns the first n labels of the sequence; n must not exceed its length.
func (p *prefixNode) ancestorPrefix(n int) *prefixNode {
	for p.len > n {
		p = p.parent
	}
	return p
}

// emissionTrace says when each label of a sequence was emitted, last one first.
type emissionTrace struct {
	prev    *emissionTrace
	frame   int
	logProb float64
}

// newHypothesis writes the linked lists out. The trace must be as long as the sequence.
func newHypothesis(p *prefixNode, tr *emissionTrace, score float64) Hypothesis {
	h := Hypothesis{
		Tokens: make([]int, p.len), Frames: make([]int, p.len), LogProbs: make([]float64, p.len), Score: score,
	}
	for u := p.len - 1; u >= 0; u-- {
		h.Tokens[u], h.Frames[u], h.LogProbs[u] = p.label, tr.frame, tr.logProb
		p, tr = p.parent, tr.prev
	}
	return h
}

// sortBest puts the best first. With norm the measure is score/(U+1), NeMo's score_norm, whose length counts the
// start symbol. Equals keep their order.
func sortBest(hs []Hypothesis, norm bool) {
	measure := func(h Hypothesis) float64 {
		if norm {
			return h.Score / float64(len(h.Tokens)+1)
		}
		return h.Score
	}
	slices.SortStableFunc(hs, func(a, b Hypothesis) int { return cmp.Compare(measure(b), measure(a)) })
}
