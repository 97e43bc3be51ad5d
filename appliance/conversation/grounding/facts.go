// Package grounding checks a language model's sentence against what a call knows (grounded generation): numbers, times,
// dates and names that it states must come from the call's values, a tool's answer, the scenario or the person's words.
//
// It compares meanings, not spellings: ٣, 3 and ثلاثة are one number; غدا, يوم الجمعة, 27/11 and 2026-11-27 one day;
// الخامسة والنصف مساء and 17:30 one time. What follows from a known value by its calendar or clock counts as known
// (tomorrow, a weekday, ninety minutes for an hour and a half, how many entries a list has), sums do not.
//
// Two limits: a name is found by its title, its cities and a list of common names, so that a rare name passes; and a
// sentence without numbers, times, dates and names is never judged, whatever it says.
package grounding

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/engine/arabic"
)

// Facts is what is known in a call. It is not safe for concurrent use.
type Facts struct {
	today      time.Time
	numbers    map[float64]bool
	digits     []string       // runs of digits
	clocks     map[int]bool   // minutes since midnight; of an ambiguous time both
	dates      map[int64]bool // days since 1970
	weekdays   map[time.Weekday]bool
	months     map[time.Month]bool
	currencies map[string]bool
	words      map[string]bool // folded, with and without prefixes
}

// NewFacts returns the facts of a call on a day, in the organization's time zone: the day itself, though not its day of
// the week, which would mean another one.
func NewFacts(today time.Time) *Facts {
	return &Facts{
		today: today, numbers: map[float64]bool{}, clocks: map[int]bool{}, dates: map[int64]bool{},
		weekdays: map[time.Weekday]bool{}, months: map[time.Month]bool{}, currencies: map[string]bool{},
		words: map[string]bool{},
	}
}

// AddText adds what a text states: the scenario's own, or the person's words.
func (f *Facts) AddText(text string) { f.addText(text, false) }

// AddValue adds a value of the booking or the conversation: a text, a number, a date, a time.
func (f *Facts) AddValue(v any) {
	switch v := v.(type) {
	case float64:
		f.addNumber(v)
	case int:
		f.addNumber(float64(v))
	case string:
		f.addText(v, false)
	}
}

// maxDepth is how deep a tool's answer is read.
const maxDepth = 20

// AddAnswer adds the values of a tool's answer, a JSON document. A number of five digits or more within a sentence is
// not added: such a value is text that somebody else may have written, and telephone and account numbers are what an
// injected instruction would have dictated.
func (f *Facts) AddAnswer(answer string) {
	var document any
	if json.Unmarshal([]byte(answer), &document) == nil {
		f.addDocument(document, maxDepth)
	}
}

func (f *Facts) addDocument(v any, depth int) {
	if depth == 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			f.addDocument(value, depth-1)
		}
	case []any:
		if len(v) > 0 {
			f.addNumber(float64(len(v)))
		}
		for _, value := range v {
			f.addDocument(value, depth-1)
		}
	case string:
		f.addText(v, true)
	default:
		f.AddValue(v)
	}
}

// maxFactWords is how many words of one text are read.
const maxFactWords = 2000

// addText adds a text; foreign is one of a tool.
func (f *Facts) addText(text string, foreign bool) {
	if f.addTimestamp(strings.TrimSpace(text)) {
		return
	}
	words := strings.Fields(text)
	words = words[:min(len(words), maxFactWords)]
	for _, word := range slices.Concat(words, joinCompounds(words)) {
		for _, form := range wordForms(word) {
			f.words[form] = true
		}
	}
	mentions := arabic.FindMentions(words, f.today)
	prose := foreign && isProse(words, mentions)
	for _, m := range mentions {
		f.addMention(m, prose)
	}
	for _, run := range digitRuns.FindAllString(arabic.WesternDigits(text), -1) {
		f.addDigits(run, prose)
	}
	f.addWhole(text)
}

var digitRuns = regexp.MustCompile(`\d[\d -]+\d`)

// isProse reports whether a text holds words besides what it states and codes of currencies.
func isProse(words []string, mentions []arabic.Mention) bool {
	rest := len(words)
	for _, m := range mentions {
		rest -= m.Last - m.First + 1
	}
	for _, word := range words {
		if len(word) == 3 && strings.ToUpper(word) == word {
			rest--
		}
	}
	return len(words) > 1 && rest > 0 && strings.ContainsFunc(strings.Join(words, ""), isLetter)
}

// addWhole adds what a whole text means as an answer: "خمسة ونص" is a time, too.
func (f *Facts) addWhole(text string) {
	if c, ok := arabic.TimeOfDay(text); ok {
		f.addClock(c)
	}
	if year, month, day, ok := arabic.FindDate(text, f.today); ok {
		f.addDate(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	}
}

// addTimestamp adds a point in time in ISO 8601 form, as it is written and on the organization's clock.
func (f *Facts) addTimestamp(text string) bool {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "15:04:05",
	} {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		all := []time.Time{t}
		if layout == time.RFC3339 {
			all = append(all, t.In(f.today.Location()))
		}
		for _, at := range all {
			f.clocks[60*at.Hour()+at.Minute()] = true
			if at.Year() > 0 {
				f.addDate(at)
			}
		}
		return true
	}
	return false
}

// longNumber is a number of five digits.
const longNumber = 10_000

func (f *Facts) addMention(m arabic.Mention, prose bool) {
	switch m.Kind {
	case arabic.NumberMention:
		if !prose || math.Abs(m.Value) < longNumber {
			f.addNumber(m.Value)
			f.addCurrency(m.Unit)
		}
	case arabic.DigitsMention:
		f.addDigits(m.Digits, prose)
	case arabic.TimeMention:
		f.addClock(m.Clock)
	case arabic.DateMention:
		f.addDate(m.Date)
		if m.Value > 0 {
			f.addNumber(m.Value)
		}
	case arabic.WeekdayMention:
		f.addDate(m.Date)
		f.weekdays[m.Date.Weekday()] = true
	case arabic.WeekMention:
		f.addDate(m.Date)
	case arabic.MonthMention:
		f.months[m.Date.Month()] = true
	}
}

// roundThousandth makes sums of decimals comparable.
func roundThousandth(n float64) float64 { return math.Round(n*1000) / 1000 }

func (f *Facts) addNumber(n float64) {
	f.numbers[roundThousandth(n)] = true
	if n >= 0 && n == math.Trunc(n) && n < 1e15 {
		f.addDigits(strconv.FormatInt(int64(n), 10), false)
	}
}

func (f *Facts) addDigits(run string, prose bool) {
	run = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, run)
	if len(run) < 2 || prose && len(run) >= 5 {
		return
	}
	f.digits = append(f.digits, run)
	if n, err := strconv.ParseFloat(run, 64); err == nil && len(run) < 15 {
		f.numbers[n] = true
	}
}

func (f *Facts) addClock(c arabic.ClockTime) {
	f.clocks[60*c.Hour+c.Minute] = true
	if c.Ambiguous {
		f.clocks[(60*c.Hour+c.Minute+720)%1440] = true
	}
}

func (f *Facts) addDate(d time.Time) {
	if !d.IsZero() {
		f.dates[dayNumber(d)] = true
	}
}

// dayNumber returns the days since 1970 of a calendar day.
func dayNumber(d time.Time) int64 {
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
}

func (f *Facts) addCurrency(unit string) {
	if isCurrency(unit) {
		f.currencies[unit] = true
	}
}

// isCurrency reports whether a unit is the ISO 4217 code of a currency.
func isCurrency(unit string) bool { return len(unit) == 3 && strings.ToUpper(unit) == unit }
