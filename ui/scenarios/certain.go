package scenarios

import (
	"math"
	"strconv"
	"time"

	"munadi/ui/locale"
)

// CertainQuestion is a question with a bound on wrong answers, and what calls say about it.
type CertainQuestion struct {
	Label     string
	MaxWrong  int // of 1,000 answers
	Holds     bool
	Bound     float64 // wrong ones of 1,000 that are proven
	Needed    int     // answers of known truth that the bound needs at least
	Threshold float64
	All       AnswerCounts
	Weeks     []CertainWeek // latest first
}

// AnswerCounts counts answers: all, those that were read back or asked again, those of known truth, and of these those
// that were heard wrongly.
type AnswerCounts struct{ Answers, Asked, Known, Wrong int }

// CertainWeek is a week of answers.
type CertainWeek struct {
	Begin time.Time
	AnswerCounts
}

// state says whether the bound holds, and what follows.
func (q CertainQuestion) state(l locale.Language) string {
	if !q.Holds {
		return locale.FillSentence(CertainMissing.In(l),
			"known", locale.FormatCount(q.All.Known), "needed", locale.FormatCount(q.Needed))
	}
	return locale.FillSentence(CertainHolds.In(l), "bound", strconv.FormatFloat(q.Bound, 'f', 1, 64),
		"threshold", formatShare(q.Threshold))
}

// text says the counts in a sentence.
func (c AnswerCounts) text(l locale.Language) string {
	share := 0.0
	if c.Answers > 0 {
		share = float64(c.Asked) / float64(c.Answers)
	}
	return locale.FillSentence(CertainCounts.In(l), "answers", locale.FormatCount(c.Answers), "share",
		formatShare(share), "known", locale.FormatCount(c.Known), "wrong", locale.FormatCount(c.Wrong))
}

// formatShare writes a share of 1 in percent.
func formatShare(x float64) string { return strconv.Itoa(int(math.Round(100*x))) + "%" }
