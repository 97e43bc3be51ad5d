package grounding

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/engine/arabic"
)

// Claim is a part of a sentence that nothing known says.
type Claim struct {
	Kind string // "number", "time", "date" or "name"
	Text string // its words
}

// FindUngrounded returns the first number, time, date or name of a sentence that is not known; false if all are.
func (f *Facts) FindUngrounded(sentence string) (Claim, bool) {
	words := strings.Fields(sentence)
	mentions := arabic.FindMentions(words, f.today)
	for i := 0; i < len(mentions); {
		if n := f.dictatedRun(mentions[i:]); n > 0 {
			i += n
			continue
		}
		if m := mentions[i]; !f.knowsMention(m) && !isIdiom(words, m) {
			return claimOf(claimKind(m.Kind), words, m.First, m.Last), true
		}
		i++
	}
	names := joinCompounds(words)
	for i, name := range names {
		if isName(names, i) && !f.knowsName(name) {
			return claimOf("name", names, i, i), true
		}
	}
	return Claim{}, false
}

func claimOf(kind string, words []string, first, last int) Claim {
	text := strings.Trim(strings.Join(words[first:last+1], " "), ".,:;!?،؛؟…")
	return Claim{Kind: kind, Text: text}
}

func claimKind(kind arabic.MentionKind) string {
	switch kind {
	case arabic.TimeMention:
		return "time"
	case arabic.DateMention, arabic.WeekdayMention, arabic.WeekMention, arabic.MonthMention:
		return "date"
	case arabic.NumberMention, arabic.DigitsMention:
	}
	return "number"
}

// dictatedRun returns how many mentions that follow each other are the groups of one known number: "خمسة وخمسين ستة
// وستين" of 5566.
func (f *Facts) dictatedRun(mentions []arabic.Mention) int {
	digits, best := "", 0
	for i, m := range mentions {
		if i > 0 && m.First != mentions[i-1].Last+1 {
			break
		}
		group := m.Digits
		if m.Kind == arabic.NumberMention && m.Value >= 0 && m.Value < 1000 && m.Value == math.Trunc(m.Value) {
			group = strconv.Itoa(int(m.Value))
		}
		if group == "" {
			break
		}
		if digits += group; i > 0 && len(digits) >= 4 && f.knowsDigits(digits) {
			best = i + 1
		}
	}
	return best
}

func (f *Facts) knowsMention(m arabic.Mention) bool {
	switch m.Kind {
	case arabic.NumberMention:
		return f.knowsAmount(m.Value, m.Unit)
	case arabic.DigitsMention:
		return f.knowsDigits(m.Digits)
	case arabic.TimeMention:
		return f.knowsClock(m.Clock)
	case arabic.DateMention:
		return !m.Date.IsZero() && (f.dates[dayNumber(m.Date)] || f.isToday(m.Date)) ||
			m.Value > 0 && f.knowsAmount(m.Value, m.Unit)
	case arabic.WeekdayMention:
		return f.weekdays[m.Date.Weekday()] || f.isToday(m.Date) ||
			f.knowsDay(func(d time.Time) bool { return d.Weekday() == m.Date.Weekday() })
	case arabic.WeekMention:
		return f.knowsDay(func(d time.Time) bool { return d.After(f.today) && d.Sub(m.Date).Abs() <= 7*24*time.Hour })
	case arabic.MonthMention:
		return f.months[m.Date.Month()] || m.Date.Month() == f.today.Month() ||
			f.knowsDay(func(d time.Time) bool { return d.Month() == m.Date.Month() })
	}
	return false
}

func (f *Facts) knowsDay(fits func(time.Time) bool) bool {
	for day := range f.dates {
		if fits(time.Unix(day*24*60*60, 0).UTC()) {
			return true
		}
	}
	return false
}

func (f *Facts) isToday(d time.Time) bool { return dayNumber(d) == dayNumber(f.today) }

// otherUnits are how many of a smaller or larger unit one of a unit is.
var otherUnits = map[string][]float64{
	"ساعه": {60, 1. / 24}, "دقيقه": {1. / 60}, "يوم": {24, 1. / 7}, "اسبوع": {7}, "%": {.01},
}

// knowsAmount reports whether a number is known, by itself or in another unit. A known amount of one currency is none
// of another.
func (f *Facts) knowsAmount(n float64, unit string) bool {
	if isCurrency(unit) && len(f.currencies) > 0 && !f.currencies[unit] {
		return false
	}
	if f.numbers[roundThousandth(n)] || f.isYear(n) {
		return true
	}
	for _, per := range otherUnits[unit] {
		if f.numbers[roundThousandth(n*per)] {
			return true
		}
	}
	if n < 0 || n != math.Trunc(n) || n >= 1e15 {
		return false
	}
	digits := strconv.FormatInt(int64(n), 10)
	return slices.ContainsFunc(f.digits, func(known string) bool { // whole, or the last four of a longer one
		return known == digits || unit == "" && len(digits) == 4 && strings.HasSuffix(known, digits)
	})
}

// isYear reports whether a number is the year of a known day.
func (f *Facts) isYear(n float64) bool {
	return n == float64(f.today.Year()) || n > 1900 && f.knowsDay(func(d time.Time) bool { return float64(d.Year()) == n })
}

// Digits of which so many at the end are known are known, with another prefix of the country or without it.
const samePhone = 8

// knowsDigits reports whether digits are a part of known ones, or the same telephone number.
func (f *Facts) knowsDigits(digits string) bool {
	for _, known := range f.digits {
		if strings.Contains(known, digits) {
			return true
		}
		n := min(len(known), len(digits))
		if n = min(n, samePhone); n == samePhone && known[len(known)-n:] == digits[len(digits)-n:] &&
			isSamePrefix(known, digits) {
			return true
		}
	}
	return false
}

// isSamePrefix reports whether two telephone numbers of the same end differ only in the prefix of the country: 0 for
// 966.
func isSamePrefix(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// knowsClock reports whether a time is known, or its hour as a number.
func (f *Facts) knowsClock(c arabic.ClockTime) bool {
	at := 60*c.Hour + c.Minute
	if f.clocks[at%1440] || c.Ambiguous && f.clocks[(at+720)%1440] {
		return true
	}
	return c.Minute == 0 && (f.numbers[float64(c.Hour)] || c.Hour > 12 && f.numbers[float64(c.Hour-12)] ||
		c.Ambiguous && f.numbers[float64(c.Hour+12)])
}

// idiomUnits are folded words of short waiting: "دقيقتين من فضلكم".
var idiomUnits = []string{"دقيقه", "ثانيه", "لحظه", "ثواني"}

// waitWords are folded words by which somebody is asked to wait.
var waitWords = []string{
	"فضلك", "فضلكم", "سمحت", "سمحتم", "انتظر", "انتظروا", "انتظرني", "اعطني", "اعطوني", "عطني", "امهلني", "بس",
}

// isIdiom reports whether a mention asks for a short patience.
func isIdiom(words []string, m arabic.Mention) bool {
	if m.Kind != arabic.NumberMention || m.Value > 2 || !slices.Contains(idiomUnits, m.Unit) {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(waitWords, arabic.FoldSpelling(w)) })
}
