// Package slot turns an answer into the value that was asked for, and a value into words.
//
// It knows one question and one answer; neither the conversation nor the line. Spoken Arabic is engine/text's; what is
// decided here is when not to believe it:
//
//   - Where the recognizer knew the question's grammar, what an answer may mean is weighed by probability: likely enough
//     it is believed, less likely it is doubtful, and below that, or where other words are likelier, it is none.
//   - Else a lone yes or no of low confidence is a doubtful answer: the two words are short, and the one is heard as the
//     other now and then. Whoever asks should ask once more; two doubtful answers that agree are one.
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

	"munadi/appliance/dialogue/phrase"
	"munadi/engine/text"
	"munadi/store/scenario"
)

// Said is what was heard of an answer.
type Said struct {
	Text       string
	Confidence float64 // 0 to 1
	// Readings are what else it may have been, likeliest first; none where the recognizer had no grammar.
	Readings []Reading
}

// Answer is what it means: a boolean, a number (float64), a string, or nil where nothing is to be said.
type Answer struct {
	Value    any
	Doubtful bool // better asked again or read back
}

// sure is the confidence from which a lone yes or no is believed.
const sure = 0.5

// Understand finds the answer to a question, seen from today. False: there is none in what was said. Where the
// recognizer gave readings, their probabilities decide whether the answer is believed, doubted or not understood.
func Understand(s scenario.Slot, said Said, today time.Time) (Answer, bool) {
	if _, decided := decisions[s.Type]; decided && len(said.Readings) > 0 {
		return likeliest(s, said.Readings, today)
	}
	return meaning(s, said, today)
}

// meaning is what words mean as the answer to a question.
func meaning(s scenario.Slot, said Said, today time.Time) (Answer, bool) {
	switch s.Type {
	case scenario.YesNo:
		return yesNo(s, said)
	case scenario.Number:
		n, ok := numberIn(s, said.Text)
		return Answer{Value: n}, ok && within(s, n)
	case scenario.Date:
		year, month, day, ok := text.Date(said.Text, today)
		return Answer{Value: fmt.Sprintf("%04d-%02d-%02d", year, month, day)}, ok
	case scenario.Time:
		return timeOfDay(said)
	case scenario.Choice:
		i, ok := text.Choice(said.Text, options(s))
		if !ok {
			return Answer{}, false
		}
		return Answer{Value: s.Choices[i].Value}, true
	}
	return free(said)
}

// Aside finds the answer to a question that was not asked yet in the answer to another. Only what can't be meant for
// the other counts: of a yes_no the phrases of its own, of a text nothing.
func Aside(s scenario.Slot, said Said, today time.Time) (Answer, bool) {
	switch s.Type {
	case scenario.Text:
		return Answer{}, false
	case scenario.YesNo:
		words := phrase.Words(said.Text)
		yes, no := wanted(s.Yes, words), wanted(s.No, words)
		return Answer{Value: yes}, yes != no
	}
	a, ok := Understand(s, said, today)
	return a, ok && !a.Doubtful
}

func yesNo(s scenario.Slot, said Said) (Answer, bool) {
	words := phrase.Words(said.Text)
	yes, no := phrase.New(s.Yes).In(words) >= 0, phrase.New(s.No).In(words) >= 0
	usual, plain := text.YesNo(said.Text)
	switch {
	case yes && no, yes && plain && !usual:
		return Answer{}, false
	case no: // "yes, I want to cancel" is a no to "will you come"
		return Answer{Value: false}, true
	case yes:
		return Answer{Value: true}, true
	}
	return Answer{Value: usual, Doubtful: said.Confidence < sure && len(words) <= 2}, plain
}

// negators before a phrase, or one word before it ("I don't want to move it"), turn it round.
var negators = phrase.New([]string{"لا", "ما", "مو", "مش", "لن", "لم", "بدون"})

// wanted says whether one of the phrases was said, and not refused.
func wanted(phrases, words []string) bool {
	i := phrase.New(phrases).In(words)
	return i >= 0 && negators.In(words[max(i-2, 0):i]) < 0
}

// numberIn reads a number. One that has several digits may be said digit by digit, and has as many.
func numberIn(s scenario.Slot, said string) (float64, bool) {
	if s.Digits < 2 {
		return text.Number(said)
	}
	digits, ok := text.ReadDigits(said)
	n, err := strconv.ParseFloat(digits, 64)
	return n, ok && err == nil && len(digits) == s.Digits
}

func within(s scenario.Slot, n float64) bool {
	return (s.Min == nil || n >= *s.Min) && (s.Max == nil || n <= *s.Max)
}

func timeOfDay(said Said) (Answer, bool) {
	c, ok := text.TimeOfDay(said.Text)
	if !ok {
		return Answer{}, false
	}
	if c.Ambiguous && (c.Hour < 7) {
		c.Hour += 12
	}
	return Answer{Value: fmt.Sprintf("%02d:%02d", c.Hour, c.Minute), Doubtful: c.Ambiguous}, true
}

func options(s scenario.Slot) []text.Option {
	out := make([]text.Option, len(s.Choices))
	for i, o := range s.Choices {
		out[i] = text.Option{Value: o.Value, Phrases: o.Phrases}
	}
	return out
}

// What alone is no text: refusals, which leave it unknown, and assent, which does not say it.
var (
	refusals = phrase.New([]string{
		"لا", "كلا", "لا شكرا", "شكرا", "لا يوجد", "لا داعي", "ما في", "ما فيه", "بدون", "لا أريد", "ما أبغى", "ما بدي",
	})
	assent = phrase.New([]string{"نعم", "أيوه", "أيوا", "اي", "تمام", "طيب", "أكيد", "ألو", "حاضر", "ماشي", "أوكي"})
)

func free(said Said) (Answer, bool) {
	words := phrase.Words(said.Text)
	switch {
	case len(words) == 0 || assent.Covers(words):
		return Answer{}, false
	case refusals.Covers(words):
		return Answer{}, true
	}
	return Answer{Value: strings.TrimSpace(said.Text)}, true
}

// Words are a value as it is spoken.
func Words(s scenario.Slot, value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "نعم"
		}
		return "لا"
	case float64:
		return number(v)
	case string:
		return spoken(s, v)
	}
	return ""
}

func spoken(s scenario.Slot, v string) string {
	switch s.Type {
	case scenario.Date:
		if d, err := time.Parse(time.DateOnly, v); err == nil {
			return text.SpellDate(d)
		}
	case scenario.Time:
		if t, err := time.Parse("15:04", v); err == nil {
			return text.SpellTime(t.Hour(), t.Minute())
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

// number says a number; a part of one digit after the point, and a half by its name.
func number(v float64) string {
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
		return text.SpellNumber(n)
	case part == "5":
		return text.SpellNumber(n) + " والنصف"
	}
	return text.SpellNumber(n) + " فاصلة " + text.SpellDigits(part)
}
