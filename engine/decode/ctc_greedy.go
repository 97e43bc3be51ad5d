package decode

import "math"

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
