// Package slot interprets an answer as the value of a slot, and turns a value into words.
//
// It handles one question and one answer, independent of the conversation and the line. Spoken Arabic is parsed by
// engine/arabic; this package decides when to doubt or reject a value:
//
//   - If the recognizer had the question's grammar, the readings' probabilities decide: a likely value is accepted, a
//     less likely one is doubtful, and below that, or if other words are likelier, there is no answer.
//   - Otherwise a lone yes or no of low confidence is a doubtful answer: the two words are short, and are sometimes
//     confused. The caller should ask again; two doubtful answers that agree are one.
//   - An hour without its part of the day is doubtful too: it is taken as meant in daytime (1 to 6 in the afternoon, 7
//     to 11 in the morning, 12 at noon) and should be read back.
//   - So is a choice of which a part or a similar word was heard among other words.
//   - So is a date counted in weeks or months ("الأسبوع القادم"), and what is a guess or depends on something ("يمكن
//     الخميس"). Refused days, hours and choices ("الخميس ما أقدر") are none.
//   - A wish to move or cancel what was agreed is the yes or no of the slot's phrases that wish the same, in any words.
//   - Yes and no together, or a slot phrase that contradicts a clear yes or no, are no answer.
//   - A number, date or time outside the slot's bounds is no answer.
//   - A text slot takes the spoken words; a bare refusal ("لا شكرا") leaves it unknown, and a bare "نعم" is no text.
package slot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/conversation/phrase"
	"munadi/appliance/conversation/prayer"
	"munadi/engine/arabic"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// HeardAnswer is a recognized answer.
type HeardAnswer struct {
	Text       string
	Confidence float64 // 0 to 1
	// Readings are its possible readings, likeliest first; none if the recognizer had no grammar.
	Readings []AnswerReading
}

// WithoutReadings returns the words alone, to be understood as the answer to another question than the readings are of.
func (h HeardAnswer) WithoutReadings() HeardAnswer {
	h.Readings = nil
	return h
}

// SlotAnswer is the value of an answer: a boolean, a number (float64), a string, or nil for a refusal to answer.
type SlotAnswer struct {
	Value    any
	Doubtful bool // better asked again or read back
	// Probability is that of the value among the recognizer's readings; 0 without readings.
	Probability float64
	vague       bool // doubtful whatever its probability
}

// DoubtBelow returns the answer as it is judged by another bound than its type's.
func (a SlotAnswer) DoubtBelow(accept float64) SlotAnswer {
	a.Doubtful = a.vague || a.Probability < accept
	return a
}

// sureConfidence is the confidence from which a lone yes or no is accepted.
const sureConfidence = 0.5

// UnderstandAnswer returns the value of an answer, relative to today; false if it is none. If the recognizer returned
// readings, their probabilities decide whether the answer is accepted, doubtful or not understood.
func UnderstandAnswer(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	if _, decided := decisions[s.Type]; decided && len(said.Readings) > 0 {
		return likeliestAnswer(s, said.Readings, today)
	}
	a, ok := parseMeaning(s, said, today)
	a.vague = a.Doubtful
	return a, ok
}

// isHedged reports whether words doubt the value that they name, unless the slot's own phrases do.
func isHedged(s scenario.AnswerSlot, said string) bool {
	phrases := append(append(optionPhrases(s), s.Yes...), s.No...)
	return s.Type != scenario.Text && arabic.IsHedged(said) && !slices.ContainsFunc(phrases, arabic.IsHedged)
}

// IsUnderstood reports whether a question takes typed words as one of its values.
func IsUnderstood(s scenario.AnswerSlot, words string, today time.Time) bool {
	_, ok := parseMeaning(s, HeardAnswer{Text: words, Confidence: 1}, today)
	return ok
}

// parseMeaning returns the value of words as the answer to the question.
func parseMeaning(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	a, ok := parseValue(s, said, today)
	a.Doubtful = a.Doubtful || ok && isHedged(s, said.Text)
	return a, ok
}

func parseValue(s scenario.AnswerSlot, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	switch s.Type {
	case scenario.YesNo:
		return parseYesNo(s, said)
	case scenario.Number:
		n, ok := parseNumber(s, said.Text)
		return SlotAnswer{Value: n}, ok && isInRange(s, n)
	case scenario.Date:
		year, month, day, ok := arabic.FindDate(said.Text, today)
		value := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
		return SlotAnswer{Value: value, Doubtful: arabic.NamesNoDay(said.Text)}, ok
	case scenario.Time:
		return parseTimeOfDay(said, today)
	case scenario.Choice:
		return parseChoice(s, said)
	}
	return parseFreeText(said)
}

// UnderstandAside finds the answer to a later question in the answer to another. Only unambiguous words count: of a
// yes_no slot its own phrases, of a text none. A doubtful day or hour ("الساعة أربعة") is to be read back before it
// counts. The words of others, phrases of other slots, are not taken for misheard ones.
func UnderstandAside(s scenario.AnswerSlot, said HeardAnswer, today time.Time, others ...string) (SlotAnswer, bool) {
	switch s.Type {
	case scenario.Text:
		return SlotAnswer{}, false
	case scenario.YesNo:
		words := phrase.FoldWords(said.Text)
		yes, no := saysOneOf(s.Yes, words, invertsYes), saysOneOf(s.No, words, invertsNo)
		if wanted, _ := arabic.FindChangeRequest(said.Text); !yes && !no && wanted != arabic.NoChange {
			yes, no = wishesChange(s.Yes, wanted), wishesChange(s.No, wanted)
		}
		return SlotAnswer{Value: yes}, yes != no
	case scenario.Choice: // a place in a list is one of the list that was read out, a refusal one of what was asked
		i, ok := arabic.FindWholeChoice(said.Text, namedOptions(s), others...)
		if !ok {
			return SlotAnswer{}, false
		}
		return SlotAnswer{Value: s.Choices[i].Value}, true
	}
	a, ok := UnderstandAnswer(s, said, today)
	return a, ok && (!a.Doubtful || s.Type == scenario.Date || s.Type == scenario.Time)
}

// UnderstandCorrection finds the value in a reply to one that was read back: any that [UnderstandAside] finds, or, of a
// time, the part of the day alone ("لا، الصبح").
func UnderstandCorrection(s scenario.AnswerSlot, value any, said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	if a, ok := UnderstandAside(s, said, today); ok || s.Type != scenario.Time {
		return a, ok
	}
	read, err := time.Parse("15:04", fmt.Sprint(value))
	if err != nil {
		return SlotAnswer{}, false
	}
	part := strings.Join(slices.DeleteFunc(phrase.FoldWords(said.Text), func(w string) bool { return w == "لا" }), " ")
	c, ok := arabic.TimeOfDay("الساعة " + read.Format("3:04 ") + part)
	return SlotAnswer{Value: fmt.Sprintf("%02d:%02d", c.Hour, c.Minute)}, ok && !c.Ambiguous
}

func parseYesNo(s scenario.AnswerSlot, said HeardAnswer) (SlotAnswer, bool) {
	words := phrase.FoldWords(said.Text)
	yes, no := saysOneOf(s.Yes, words, invertsYes), saysOneOf(s.No, words, invertsNo)
	inverted := !yes && saysOneOf(s.Yes, words, invertsNo) || !no && namesOneOf(s.No, words)
	usual, plain := arabic.YesNo(said.Text)
	if wished, refused := readChange(s, said.Text); !yes && !no && wished != refused {
		return SlotAnswer{Value: wished}, true
	}
	switch {
	case yes && no, inverted && plain && !usual, yes && plain && !usual, yes && arabic.IsUnclear(said.Text):
		return SlotAnswer{}, false
	case no: // "yes, I want to cancel" is a no to "will you come"
		return SlotAnswer{Value: false}, true
	case yes:
		return SlotAnswer{Value: true}, true
	}
	return SlotAnswer{Value: usual, Doubtful: said.Confidence < sureConfidence && len(words) <= 2}, plain
}

// readChange reads a wish to move or cancel something, or not to, in any words. It is the yes or no of the slot's
// phrases that wish the same: with "إلغاء الموعد" among the phrases of a no, "كنسلوه" is a no and "لا تلغوه" a yes.
func readChange(s scenario.AnswerSlot, said string) (yes, no bool) {
	wanted, denied := arabic.FindChangeRequest(said)
	switch {
	case wanted != arabic.NoChange:
		return wishesChange(s.Yes, wanted), wishesChange(s.No, wanted)
	case denied != arabic.NoChange:
		return wishesChange(s.No, denied), wishesChange(s.Yes, denied)
	}
	return false, false
}

// wishesChange reports whether one of the phrases is a wish for a change.
func wishesChange(phrases []string, change arabic.ChangeRequest) bool {
	return slices.ContainsFunc(phrases, func(p string) bool {
		wanted, _ := arabic.FindChangeRequest(p)
		return wanted == change
	})
}

// invertsYes reports whether a word before a phrase, or one word before it ("I don't want to move it"), inverts it.
func invertsYes(w string) bool { return w == "بدون" || arabic.IsNegator(w) }

// invertsNo is [invertsYes] for a refusal: "لا" before it is one itself ("لا أنا مسافر").
func invertsNo(w string) bool { return w != "لا" && invertsYes(w) }

func namesOneOf(phrases, words []string) bool { return phrase.NewList(phrases).IndexIn(words) >= 0 }

// saysOneOf reports whether one of the phrases was said without a word before it that inverts it.
func saysOneOf(phrases, words []string, inverts func(word string) bool) bool {
	i := phrase.NewList(phrases).IndexIn(words)
	return i >= 0 && !slices.ContainsFunc(words[max(i-2, 0):i], inverts)
}

// parseNumber reads a number. One that has several digits may be said digit by digit, and keeps its digits.
func parseNumber(s scenario.AnswerSlot, said string) (float64, bool) {
	if s.Digits < 2 {
		if of, scaled := arabic.FindScale(said); scaled && s.Max != nil && of != *s.Max {
			return 0, false // "four of ten" on a scale to five
		}
		return arabic.FindNumber(said)
	}
	digits, ok := arabic.ReadDigits(said)
	n, err := strconv.ParseFloat(digits, 64)
	return n, ok && err == nil && hasDigits(s, digits)
}

// hasDigits reports whether a number, spoken digit by digit or keyed in, has as many digits as it must have.
func hasDigits(s scenario.AnswerSlot, digits string) bool {
	return s.Digits < 2 || len(digits) == s.Digits
}

func isInRange(s scenario.AnswerSlot, n float64) bool {
	return (s.Min == nil || n >= *s.Min) && (s.Max == nil || n <= *s.Max)
}

// parseChoice finds the option whose phrases are all that was said, else by its phrases, else by its place in the list
// ("الخيار الثاني").
func parseChoice(s scenario.AnswerSlot, said HeardAnswer) (SlotAnswer, bool) {
	words := phrase.FoldWords(said.Text)
	for _, o := range s.Choices {
		if slices.ContainsFunc(o.Phrases, func(p string) bool { return slices.Equal(phrase.FoldWords(p), words) }) {
			return SlotAnswer{Value: o.Value}, true
		}
	}
	m, ok := arabic.FindChoice(said.Text, slotOptions(s))
	if !ok {
		m.Guessed = false
		m.Index, ok = arabic.FindPlace(said.Text, len(s.Choices))
	}
	if !ok {
		return SlotAnswer{}, false
	}
	return SlotAnswer{Value: s.Choices[m.Index].Value, Doubtful: m.Guessed}, true
}

// parseTimeOfDay reads a time; "now" is today's clock time, and doubtful.
func parseTimeOfDay(said HeardAnswer, today time.Time) (SlotAnswer, bool) {
	c, ok := arabic.TimeOfDay(said.Text)
	if !ok && arabic.SaysNow(said.Text) {
		return SlotAnswer{Value: today.Format("15:04"), Doubtful: true}, true
	}
	if !ok {
		return SlotAnswer{}, false
	}
	if c.Ambiguous && (c.Hour < 7) {
		c.Hour += 12
	}
	return SlotAnswer{Value: fmt.Sprintf("%02d:%02d", c.Hour, c.Minute), Doubtful: c.Ambiguous || c.Bounded}, true
}

// prayerMargin is what people mean by "after the prayer": the prayer itself and the way.
const prayerMargin = 30 * time.Minute

// UnderstandPrayerTime returns the time that an answer names by a prayer in a city on a day: half an hour after the
// call for "after", half an hour before it for "before", to five minutes. It is doubtful, to be read back.
func UnderstandPrayerTime(said HeardAnswer, city callrules.City, day time.Time) (SlotAnswer, bool) {
	named, ok := arabic.FindPrayerTime(said.Text)
	if !ok {
		return SlotAnswer{}, false
	}
	at, ok := prayer.TimeAt(prayer.Prayer(named.Prayer), city, day)
	if !ok {
		return SlotAnswer{}, false
	}
	switch named.Side {
	case arabic.AfterPrayer:
		at = at.Add(prayerMargin + 4*time.Minute)
	case arabic.BeforePrayer:
		at = at.Add(-prayerMargin)
	case arabic.AtPrayer:
	}
	if named.Side != arabic.AtPrayer {
		at = at.Add(-time.Duration(at.Minute()%5) * time.Minute)
	}
	return SlotAnswer{Value: at.Format("15:04"), Doubtful: true}, true
}

func slotOptions(s scenario.AnswerSlot) []arabic.ChoiceOption {
	out := make([]arabic.ChoiceOption, len(s.Choices))
	for i, o := range s.Choices {
		out[i] = arabic.ChoiceOption{Value: o.Value, Phrases: o.Phrases}
	}
	return out
}

// namedOptions are the options without phrases that only refuse or assent: "لا" chooses "no drink" when a drink is
// offered, and "نعم" to pay when that is asked.
func namedOptions(s scenario.AnswerSlot) []arabic.ChoiceOption {
	options := slotOptions(s)
	nameless := func(p string) bool {
		words := phrase.FoldWords(p)
		return refusals.CoversAll(words) || assent.CoversAll(words)
	}
	for i, o := range options {
		options[i].Phrases = slices.DeleteFunc(slices.Clone(o.Phrases), nameless)
	}
	return options
}

// Words that alone are no text: refusals, which leave the slot unknown, and assent, which does not contain it.
var (
	refusals = phrase.NewList([]string{
		"لا", "كلا", "لا شكرا", "شكرا", "لا يوجد", "لا داعي", "ما في", "ما فيه", "بدون", "لا أريد", "ما أبغى", "ما بدي",
		"لا شيء", "لا شي", "ولا شي", "ما أبغى شي", "ما أبي شي", "ما بدي شي", "مش عايز حاجة", "ما عندي شي",
	})
	assent = phrase.NewList([]string{"نعم", "أيوه", "أيوا", "اي", "تمام", "طيب", "أكيد", "ألو", "حاضر", "ماشي", "أوكي"})
)

func parseFreeText(said HeardAnswer) (SlotAnswer, bool) {
	words := phrase.FoldWords(said.Text)
	switch {
	case len(words) == 0 || assent.CoversAll(words):
		return SlotAnswer{}, false
	case refusals.CoversAll(words):
		return SlotAnswer{}, true
	}
	return SlotAnswer{Value: strings.TrimSpace(said.Text)}, true
}

// SpokenValue returns a value in words.
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

// spokenNumber returns a number in words: decimals digit by digit, .5 as a half; empty above 1e12.
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
