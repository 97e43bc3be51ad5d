package text

import "strings"

// WordErrors counts the words that must be changed, added or dropped to make hyp out of ref (Levenshtein), both
// folded, and the words of ref: the word error rate is their quotient, over a set the quotient of their sums.
func WordErrors(ref, hyp string) (errors, words int) {
	r, h := strings.Fields(Fold(ref)), strings.Fields(Fold(hyp))
	above := make([]int, len(h)+1) // distances of the reference's words so far to each prefix of h
	for j := range above {
		above[j] = j
	}
	for i, word := range r {
		diagonal := above[0]
		above[0] = i + 1
		for j, other := range h {
			change := diagonal
			if word != other {
				change++
			}
			diagonal = above[j+1]
			above[j+1] = min(change, above[j]+1, above[j+1]+1)
		}
	}
	return above[len(h)], len(r)
}
