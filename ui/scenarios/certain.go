package scenarios

import (
	"math"
	"strconv"
	"time"

	"munadi/ui/list"
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
	Holds bool
	Bound float64 // wrong ones of 1,000 that were proven at its end
}

// boundText says what was proven at the end of the week.
func (w CertainWeek) boundText(l locale.Language) string {
	if !w.Holds {
		return CertainUnproven.In(l)
	}
	return formatPerMille(w.Bound)
}

// state says whether the bound holds, and what follows.
func (q CertainQuestion) state(l locale.Language) string {
	if !q.Holds {
		return locale.FillSentence(CertainMissing.In(l),
			"known", locale.FormatCount(q.All.Known), "needed", locale.FormatCount(q.Needed))
	}
	return locale.FillSentence(CertainHolds.In(l), "bound", formatPerMille(q.Bound),
		"threshold", formatShare(q.Threshold))
}

// text says the counts in a sentence.
func (c AnswerCounts) text(l locale.Language) string {
	return locale.FillSentence(CertainCounts.In(l), "answers", locale.FormatCount(c.Answers), "share",
		formatShare(c.askedShare()), "known", locale.FormatCount(c.Known), "wrong", locale.FormatCount(c.Wrong))
}

// weekTable returns the weeks of a question: how the bound and the share asked again moved.
func weekTable(l locale.Language) list.Table[CertainWeek] {
	return list.Table[CertainWeek]{
		{Title: CertainWeekBegin, Text: func(w CertainWeek) string { return locale.DayText(l, w.Begin) }},
		{Title: CertainBound, Text: func(w CertainWeek) string { return w.boundText(l) }},
		{Title: CertainAsked, Text: func(w CertainWeek) string { return formatShare(w.askedShare()) }},
		{Title: CertainAnswers, Text: func(w CertainWeek) string { return locale.FormatCount(w.Answers) }},
		{Title: CertainWrong, Text: func(w CertainWeek) string {
			return locale.FillSentence(CertainWrongOf.In(l),
				"wrong", locale.FormatCount(w.Wrong), "known", locale.FormatCount(w.Known))
		}},
	}
}

// askedShare returns the share of answers that were read back or asked again.
func (c AnswerCounts) askedShare() float64 { return float64(c.Asked) / float64(max(1, c.Answers)) }

// formatPerMille writes wrong answers of 1,000.
func formatPerMille(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// formatShare writes a share of 1 in percent.
func formatShare(x float64) string { return strconv.Itoa(int(math.Round(100*x))) + "%" }
