package slot

import (
	"time"

	"munadi/store/scenario"
)

// AnswerReading is one possible reading of an answer with its probability: those of an answer add up to 1, including
// words that are no answer.
type AnswerReading struct {
	Text        string
	Probability float64
}

// decisionBounds are thresholds for the probability of the likeliest value: from accept on it is accepted, from doubt
// on it is asked again or read back, below that the answer was not understood.
type decisionBounds struct{ accept, doubt float64 }

// decisions are tuned on people that the model is not trained with, so that a wrong decision costs more than a
// question; see engine/train/REPORT.md.
var decisions = map[scenario.SlotType]decisionBounds{
	scenario.YesNo:  {accept: 0.87, doubt: 0.45},
	scenario.Number: {accept: 0.77, doubt: 0.35},
	scenario.Date:   {accept: 0.7, doubt: 0.35},
	scenario.Time:   {accept: 0.7, doubt: 0.35},
	scenario.Choice: {accept: 0.7, doubt: 0.35},
}

// likeliestAnswer sums the probabilities of readings with the same meaning and classifies the likeliest value. It
// returns false if none is likely enough.
func likeliestAnswer(s scenario.AnswerSlot, readings []AnswerReading, today time.Time) (SlotAnswer, bool) {
	type candidate struct {
		answer      SlotAnswer
		best        float64 // probability of the reading that answer is of
		probability float64
	}
	candidates := map[any]*candidate{}
	var top *candidate
	for _, r := range readings {
		a, ok := parseMeaning(s, HeardAnswer{Text: r.Text, Confidence: 1}, today)
		if !ok {
			continue
		}
		c := candidates[a.Value]
		if c == nil {
			c = &candidate{}
			candidates[a.Value] = c
		}
		c.probability += r.Probability
		if r.Probability > c.best {
			c.answer, c.best = a, r.Probability
		}
		if top == nil || c.probability > top.probability {
			top = c
		}
	}
	b := decisions[s.Type]
	if top == nil || top.probability < b.doubt {
		return SlotAnswer{}, false
	}
	top.answer.Probability, top.answer.vague = top.probability, top.answer.Doubtful
	return top.answer.DoubtBelow(b.accept), true
}

// UsualBounds returns the probabilities of a value of a type from which it is usually taken, and below which it counts
// as not understood; of a text, which is not guessed, 0.
func UsualBounds(t scenario.SlotType) (accept, least float64) {
	b := decisions[t]
	return b.accept, b.doubt
}
