package decode

import (
	"math"
)

// CTCGreedy takes the best label of every frame (first of equals), merges repeats and drops blanks. The score sums the
// log-probabilities of all frames that are not blank, repeats included (NeMo ctc_greedy_decoding.py). The matrix must
// have at least T*Labels values.
func CTCGreedy(lp LogProbs) Hypothesis {
	var h Hypothesis
	for _, r := range bestPathRuns(lp) {
		h.Tokens = append(h.Tokens, r.label)
		h.Frames = append(h.Frames, r.first)
		h.LogProbs = append(h.LogProbs, r.best)
		h.Score += r.sum
	}
	return h
}

// labelRun is one label held over consecutive frames of the best path.
type labelRun struct {
	label, first, last int
	sum, best          float64 // log-probabilities over its frames: their sum, the largest
}

// bestPathRuns returns the best path of a CTC head without its blanks.
func bestPathRuns(lp LogProbs) []labelRun {
	var rs []labelRun
	before := lp.BlankID()
	for t := range lp.T {
		frame := lp.At(t)
		label := argmaxIndex(frame)
		if label != lp.BlankID() {
			if label != before {
				rs = append(rs, labelRun{label: label, first: t, best: math.Inf(-1)})
			}
			r := &rs[len(rs)-1]
			score := float64(frame[label])
			r.last, r.sum, r.best = t, r.sum+score, max(r.best, score)
		}
		before = label
	}
	return rs
}

// CTCForward returns the log-probability of a token sequence, summed over all its alignments: the forward recursion of
// Graves et al. 2006 over the labels with blanks between and around them. It is -Inf where the sequence does not fit
// into the frames or holds an id that is not a label. The matrix must have at least T*Labels values.
func CTCForward(lp LogProbs, tokens []int) float64 {
	for _, label := range tokens {
		if label < 0 || label >= lp.BlankID() {
			return negInf
		}
	}
	states := 2*len(tokens) + 1 // blank, token 0, blank, token 1, …, blank
	alpha, next := make([]float64, states), make([]float64, states)
	for s := range alpha {
		alpha[s] = negInf
	}
	alpha[0] = 0 // before the first frame, which may enter state 0 or 1
	for t := range lp.T {
		frame := lp.At(t)
		for s := range next {
			sum, label := alpha[s], lp.BlankID()
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
