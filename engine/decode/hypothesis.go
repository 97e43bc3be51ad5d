// Package decode holds the decoders (search algorithms): from the scores of an acoustic model to token sequences.
//
// It is a leaf package that only deals with frames and token ids: no ONNX, audio, files or seconds. A model is the
// small interface [TransducerNetwork] for a transducer (RNNT), or a matrix of [LogProbs] for CTC; tests use models with
// five labels.
//
//	RNNT   GreedySearch (label looping or frame looping), BeamSearch, MAESSearch, ALSDSearch, TSDSearch, MALSDSearch,
//	       RNNTForward, RNNTGrammar
//	CTC    CTCGreedy, CTCPrefixBeam, CTCForward, CTCAlign, CTCGrammar
//	both   RescoreHybrid: the n-best of one head rescored by both; ScoreReadings: a grammar beside an open search
//	words  ContextGraph and SpotPhrases detect given phrases in CTC scores, MergeCTC and MergeRNNT merge them
//
// The algorithms are those of NVIDIA NeMo 2.7.3 (nemo/collections/asr/parts/{submodules,context_biasing}); options have
// NeMo's names where they exist, and tests compare with NeMo's own results. Where NeMo has no equivalent
// (RescoreHybrid, CTCPrefixBeam) the comment on the function is the definition.
//
// Sequences grow inside a search as linked lists: [prefixNode] for labels, where equal sequences are the same node, so
// that comparison is by pointer and a prediction is computed once; [emissionTrace] for the frames. They become slices
// only in the returned [Hypothesis]. Scores are summed in float64 (NeMo: float32), which differs from NeMo by less than
// 1e-4 on the test recordings.
//
// Every long search takes a context and checks it at least once per frame; see [WithPause]. [WorkBudget] limits its
// work.
package decode

import (
	"cmp"
	"slices"
)

// Hypothesis is one decoded token sequence of an utterance.
type Hypothesis struct {
	Tokens   []int     // label ids without blanks, [U]
	Frames   []int     // encoder frame on which each token was emitted (CTC: the first frame of its run), [U]
	LogProbs []float64 // log-probability of each token where it was emitted (CTC: the best of its run), [U]
	Score    float64   // log-probability, as defined by the search, which states whether blanks are included
}

// prefixNode is a label sequence in one search (trie node). A sequence has exactly one node, so equal sequences are
// equal pointers.
type prefixNode struct {
	parent   *prefixNode // nil at the root, the empty sequence
	label    int
	len      int // number of labels
	children []*prefixNode
	state    *PredictionState // prediction after this sequence, computed lazily
	row      *jointRow        // cached joint of this sequence with frame rowAt-1, see jointScorer
	rowAt    int
	held     int // last round of a [sequencePruner] that kept it
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

// knownChild returns the sequence extended by label, if it exists.
func (p *prefixNode) knownChild(label int) (*prefixNode, bool) {
	for _, c := range p.children {
		if c.label == label {
			return c, true
		}
	}
	return nil, false
}

// predictState returns the prediction after the sequence, computing missing ones from the root.
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

// emissionTrace is the linked list of a sequence's emission frames and log-probabilities, last label first.
type emissionTrace struct {
	prev    *emissionTrace
	frame   int
	logProb float64
}

// newHypothesis converts the linked lists into slices. The trace must be as long as the sequence.
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

// sortBest sorts best first (stable). With norm the key is score/(U+1), NeMo's score_norm, whose length counts the
// start symbol.
func sortBest(hs []Hypothesis, norm bool) {
	measure := func(h Hypothesis) float64 {
		if norm {
			return h.Score / float64(len(h.Tokens)+1)
		}
		return h.Score
	}
	slices.SortStableFunc(hs, func(a, b Hypothesis) int { return cmp.Compare(measure(b), measure(a)) })
}
