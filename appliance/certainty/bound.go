// Package certainty bounds how many answers of people are taken wrongly. A question with a bound (a step's max_wrong)
// reads answers back that are less certain than a threshold, and the threshold comes from the organization's own calls:
// by conformal risk control (Angelopoulos, Bates, Fisch, Lei, Schuster, 2022, arXiv:2208.02814) over the answers whose
// truth is known.
//
// The truth of an answer is known from the person's reply when the value was read back by lot, whatever its score, so
// that the sample is like the answers to come; and from the corrections of staff, which only add errors. An answer that
// was read back because it was doubtful does not count: a sample of the doubtful ones says nothing about the others.
// Nor does one whose read-back was not answered. While the sample is too small, every answer is read back.
package certainty

import (
	"cmp"
	"math"
	"slices"
)

// perMille is the unit of a bound: wrong answers of 1,000.
const perMille = 1000

// Sample is an answer whose truth is known.
type Sample struct {
	Score float64 // probability of the value by the recognizer
	Right bool
}

// FitThreshold returns the lowest score from which answers may be taken so that of 1,000 answers at most maxWrong are
// expected to be taken and wrong: with n samples of which w(t) are wrong and have a score of t or more, the lowest t
// with (w(t) + 1) / (n + 1) ≤ maxWrong / 1000. It is not below least. False: n is too small for any threshold.
func FitThreshold(samples []Sample, maxWrong int, least float64) (threshold float64, enough bool) {
	allowed := maxWrong*(len(samples)+1)/perMille - 1
	if allowed < 0 {
		return 0, false
	}
	var wrong []float64
	for _, s := range samples {
		if !s.Right {
			wrong = append(wrong, s.Score)
		}
	}
	if len(wrong) <= allowed {
		return least, true
	}
	slices.SortFunc(wrong, func(a, b float64) int { return cmp.Compare(b, a) })
	return max(least, math.Nextafter(wrong[allowed], 2)), true
}

// BoundAt returns the bound that n samples prove for a threshold, as wrong answers of 1,000.
func BoundAt(samples []Sample, threshold float64) float64 {
	taken := 0
	for _, s := range samples {
		if !s.Right && s.Score >= threshold {
			taken++
		}
	}
	return perMille * float64(taken+1) / float64(len(samples)+1)
}

// NeededSamples returns how many answers of known truth a bound needs at least, if none of them is wrong.
func NeededSamples(maxWrong int) int { return (perMille+maxWrong-1)/maxWrong - 1 }
