package decode

import "math"

// CTCAlign is forced alignment: it returns the first and last frame of each token's run, [U] each, in the most likely
// CTC alignment (Viterbi over the labels with optional blanks between and around them). False when the sequence does
// not fit into the frames or holds an id that is not a label.
func CTCAlign(lp LogProbs, tokens []int) (first, last []int, ok bool) {
	for _, id := range tokens {
		if id < 0 || id >= lp.BlankID() {
			return nil, nil, false
		}
	}
	if len(tokens) == 0 || lp.T == 0 {
		return nil, nil, len(tokens) == 0
	}
	steps, end, ok := viterbiSteps(lp, tokens)
	if !ok {
		return nil, nil, false
	}
	first, last = traceRuns(steps, end, lp.T, len(tokens))
	return first, last, true
}

// viterbiSteps finds the most likely path through the states blank, token 0, blank, token 1, …, blank. steps,
// [T, states], is the number of states back to the best predecessor; end is the path's last state. False when the
// tokens do not fit into the frames.
func viterbiSteps(lp LogProbs, tokens []int) (steps []int8, end int, ok bool) {
	states := 2*len(tokens) + 1
	label := func(s int) int {
		if s%2 == 1 {
			return tokens[s/2]
		}
		return lp.BlankID()
	}
	steps = make([]int8, lp.T*states)
	alpha, next := make([]float64, states), make([]float64, states)
	for s := range alpha {
		alpha[s] = negInf
		if s < 2 {
			alpha[s] = float64(lp.At(0)[label(s)])
		}
	}
	for t := 1; t < lp.T; t++ {
		for s := range next {
			best, step := alpha[s], 0
			if s > 0 && alpha[s-1] > best {
				best, step = alpha[s-1], 1
			}
			if s%2 == 1 && s > 1 && label(s) != label(s-2) && alpha[s-2] > best {
				best, step = alpha[s-2], 2
			}
			next[s], steps[t*states+s] = best+float64(lp.At(t)[label(s)]), int8(step)
		}
		alpha, next = next, alpha
	}
	end = states - 1
	if alpha[states-2] > alpha[end] {
		end = states - 2
	}
	return steps, end, !math.IsInf(alpha[end], -1)
}

// traceRuns follows the path of viterbiSteps back from its last state, and returns the first and last frame of each
// token's run.
func traceRuns(steps []int8, end, frames, tokens int) (first, last []int) {
	states := 2*tokens + 1
	first, last = make([]int, tokens), make([]int, tokens)
	for i := range last {
		last[i] = -1
	}
	s := end
	for t := frames - 1; t >= 0; t-- {
		if s%2 == 1 {
			first[s/2] = t
			last[s/2] = max(last[s/2], t)
		}
		s -= int(steps[t*states+s])
	}
	return first, last
}
