package decode

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
