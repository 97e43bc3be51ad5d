// Package slot turns an answer into the value that was asked for, and a value into words.
//
// It knows one question and one answer; neither the conversation nor the line. Spoken Arabic is engine/arabic's; what
// is decided here is when not to believe it:
//
//   - Where the recognizer knew the question's grammar, what an answer may mean is weighed by probability: likely
//     enough it is believed, less likely it is doubtful, and below that, or where other words are likelier, it is none.
//   - Else a lone yes or no of low confidence is a doubtful answer: the two words are short, and the one is heard as
//     the other now and then. The caller should ask again; two doubtful answers that agree are one.
//   - An hour without its part of the day is doubtful too: taken as people mean it in daytime (1 to 6 in the
//     afternoon, 7 to 11 in the morning, 12 at noon) and to be read back.
//   - Yes and no together, or a phrase of the slot's own against a clear yes or no, are no answer.
//   - Number, date or time outside the slot's bounds is no answer.
//   - A text is what was said; a bare refusal ("لا شكرا") leaves it unknown, and a bare "نعم" is no text.
package slot

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/conversation/phrase"
	"munadi/engine/arabic"
	"munadi/store/scenario"
)

// HeardAnswer is what was heard of an answer.
type HeardAnswer struct {
	Text       string
	Confidence float64 // 0 to 1
	// Readings are what else it may have been, likeliest first; none where the recognizer had no grammar.
	Readings []AnswerReading
}

// SlotAnswer is what it means: a boolean, a number (float64), a string, or nil where nothing is to be said.
type SlotAnswer struct {
	Value    any
	Doubtful bool // better asked again or read back
}

// sure is the confidence from which a lone yes or no is believed.
const sure = 0.5

// UnderstandAnswer finds the answer to a question, seen from today. False: there is none in what was said. Where the
// recognizer gave readings, their probabilities decide whether the answer is believed, doubted or not understood.
func UnderstandAnswer(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	if _, decided := decisions[s.Type]; decided && len(said.Readings) > 0 {
		return likeliestAnswer(s, said.Readings, today)
	}
	return meaningOf(s, said, today)
}

// meaningOf is what words mean as the answer to a question.
func meaningOf(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	switch s.Type {
	case scenario.YesNo:
		return yesNo(s, said)
	case scenario.Number:
		n, ok := numberIn(s, said.Text)
		return SlotAnswer{Value: n}, ok && isInRange(s, n)
	case scenario.Date:
		year, month, day, ok := arabic.FindDate(said.Text, today)
		return SlotAnswer{Value: fmt.Sprintf("%04d-%02d-%02d", year, month, day)}, ok
	case scenario.Time:
		return timeOfDay(said)
	case scenario.Choice:
		i, ok := arabic.FindChoice(said.Text, slotOptions(s))
		if !ok {
			return SlotAnswer{}, false
		}
		return SlotAnswer{Value: s.Choices[i].Value}, true
	}
	return freeText(said)
}

// UnderstandAside finds the answer to a question that was not asked yet in the answer to another. Only what can't be
// meant for the other counts: of a yes_no the phrases of its own, of a text nothing.
func UnderstandAside(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	switch s.Type {
	case scenario.Text:
		return SlotAnswer{}, false
	case scenario.YesNo:
		words := phrase.FoldWords(said.Text)
		yes, no := saysOneOf(s.Yes, words), saysOneOf(s.No, words)
		return SlotAnswer{Value: yes}, yes != no
	}
	a, ok := UnderstandAnswer(s, said, today)
	return a, ok && !a.Doubtful
}

func yesNo(s scenario.AnswerSlot, said HeardAnswer) (SlotAnswer, bool) {
	words := phrase.FoldWords(said.Text)
	yes, no := phrase.NewList(s.Yes).IndexIn(words) >= 0, phrase.NewList(s.No).IndexIn(words) >= 0
	usual, plain := arabic.YesNo(said.Text)
	switch {
	case yes && no, yes && plain && !usual:
		return SlotAnswer{}, false
	case no: // "yes, I want to cancel" is a no to "will you come"
		return SlotAnswer{Value: false}, true
	case yes:
		return SlotAnswer{Value: true}, true
	}
	return SlotAnswer{Value: usual, Doubtful: said.Confidence < sure && len(words) <= 2}, plain
}

// negators before a phrase, or one word before it ("I don't want to move it"), turn it round.
var negators = phrase.NewList([]string{"لا", "ما", "مو", "مش", "لن", "لم", "بدون"})

// saysOneOf says whether one of the phrases was said, and not refused.
func saysOneOf(phrases, words []string) bool {
	i := phrase.NewList(phrases).IndexIn(words)
	return i >= 0 && negators.IndexIn(words[max(i-2, 0):i]) < 0
}

// numberIn reads a number. One that has several digits may be said digit by digit, and keeps its digits.
func numberIn(s scenario.AnswerSlot, said string) (float64, bool) {
	if s.Digits < 2 {
		return arabic.FindNumber(said)
	}
	digits, ok := arabic.ReadDigits(said)
	n, err := strconv.ParseFloat(digits, 64)
	return n, ok && err == nil && len(digits) == s.Digits
}

func isInRange(s scenario.AnswerSlot, n float64) bool {
	return (s.Min == nil || n >= *s.Min) && (s.Max == nil || n <= *s.Max)
}

func timeOfDay(said HeardAnswer) (SlotAnswer, bool) {
	c, ok := arabic.TimeOfDay(said.Text)
	if !ok {
		return SlotAnswer{}, false
	}
	if c.Ambiguous && (c.Hour < 7) {
		c.Hour += 12
	}
	return SlotAnswer{Value: fmt.Sprintf("%02d:%02d", c.Hour, c.Minute), Doubtful: c.Ambiguous}, true
}

func slotOptions(s scenario.AnswerSlot) []arabic.ChoiceOption {
	out := make([]arabic.ChoiceOption, len(s.Choices))
	for i, o := range s.Choices {
		out[i] = arabic.ChoiceOption{Value: o.Value, Phrases: o.Phrases}
	}
	return out
}

// What alone is no text: refusals, which leave it unknown, and assent, which does not say it.
var (
	refusals = phrase.NewList([]string{
		"لا", "كلا", "لا شكرا", "شكرا", "لا يوجد", "لا داعي", "ما في", "ما فيه", "بدون", "لا أريد", "ما أبغى", "ما بدي",
	})
	assent = phrase.NewList([]string{"نعم", "أيوه", "أيوا", "اي", "تمام", "طيب", "أكيد", "ألو", "حاضر", "ماشي", "أوكي"})
)

func freeText(said HeardAnswer) (SlotAnswer, bool) {
	words := phrase.FoldWords(said.Text)
	switch {
	case len(words) == 0 || assent.CoversAll(words):
		return SlotAnswer{}, false
	case refusals.CoversAll(words):
		return SlotAnswer{}, true
	}
	return SlotAnswer{Value: strings.TrimSpace(said.Text)}, true
}

// SpokenValue are a value as it is spoken.
func SpokenValue(s scenario.AnswerSlot, value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "نعم"
		}
		return "لا"
	case float64:
		return spokenNumber(v)
	case string:
		return spokenText(s, v)
	}
	return ""
}

func spokenText(s scenario.AnswerSlot, v string) string {
	switch s.Type {
	case scenario.Date:
		if d, err := time.Parse(time.DateOnly, v); err == nil {
			return arabic.SpellDate(d)
		}
	case scenario.Time:
		if t, err := time.Parse("15:04", v); err == nil {
			return arabic.SpellTime(t.Hour(), t.Minute())
		}
	case scenario.Choice:
		for _, o := range s.Choices {
			if o.Value == v && len(o.Phrases) > 0 {
				return o.Phrases[0]
			}
		}
	}
	return v
}

// spokenNumber says a number; a part of one digit after the point, and a half by its name.
func spokenNumber(v float64) string {
	if v != v || v > 1e12 || v < -1e12 {
		return ""
	}
	digits := strconv.FormatFloat(v, 'f', -1, 64)
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.Atoi(whole)
	switch {
	case err != nil:
		return ""
	case part == "":
		return arabic.SpellNumber(n)
	case part == "5":
		return arabic.SpellNumber(n) + " والنصف"
	}
	return arabic.SpellNumber(n) + " فاصلة " + arabic.SpellDigits(part)
}
