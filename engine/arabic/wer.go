package arabic

import "strings"

// WordErrors returns the Levenshtein distance in words of ref and hyp, both folded, and the number of words of ref: the
// word error rate is their quotient, over a set the quotient of their sums.
func WordErrors(ref, hyp string) (errors, words int) {
	r, h := strings.Fields(FoldSpelling(ref)), strings.Fields(FoldSpelling(hyp))
	return EditDistance(r, h), len(r)
}

// LetterErrors returns the same in letters, without spaces (character error rate).
func LetterErrors(ref, hyp string) (errors, letters int) {
	r, h := joinedLetters(ref), joinedLetters(hyp)
	return EditDistance(r, h), len(r)
}

func joinedLetters(s string) []rune { return []rune(strings.ReplaceAll(FoldSpelling(s), " ", "")) }

// EditDistance returns the Levenshtein distance of two sequences.
func EditDistance[T comparable](a, b []T) int { return PrefixDistances(a, b)[len(b)] }

// PrefixDistances returns the Levenshtein distance of a to each prefix of b, by its length: len(b)+1 values.
func PrefixDistances[T comparable](a, b []T) []int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i, x := range a {
		diagonal := above[0]
		above[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = above[j+1]
			above[j+1] = min(change, above[j]+1, above[j+1]+1)
		}
	}
	return above
}
