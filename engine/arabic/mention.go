package arabic

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// MentionKind is what a mention states.
type MentionKind int

// The kinds of mentions.
const (
	NumberMention  MentionKind = iota // a count, an amount, a percentage
	DigitsMention                     // a telephone number, a code, digits said one by one
	TimeMention                       // a time of day
	DateMention                       // one day, named by itself or counted from today
	WeekdayMention                    // a day of the week
	WeekMention                       // next week
	MonthMention                      // a month without a day
)

// Mention is a number, a time or a date (named entity) that a text names in words First to Last, inclusive. Which of
// the other fields are set depends on the kind; a day that does not exist is the zero time.
type Mention struct {
	Kind        MentionKind
	First, Last int
	Value       float64   // of a number; of a date that is counted in days, weeks or months, the count
	Unit        string    // folded singular of what is counted, or an ISO 4217 code; empty: unknown
	Digits      string    // of digits
	Clock       ClockTime // of a time
	Date        time.Time // of a date; of a weekday the next such day; of a week a day in it; of a month its first day
}

// FindMentions returns what a text states in numbers: digits of either script, numbers in words, amounts, telephone
// numbers, times and dates, relative to today. As in [NumbersToDigits], a word that is as often no number is none,
// "one" only counts with a unit of time or money ("يوم واحد", not "لحظة واحدة" or "واحد منا"), and an ordinal only as a
// day, an hour or a place in a building.
func FindMentions(words []string, today time.Time) []Mention {
	m := mentionFinder{
		w: newWriter(WrittenForm{}, words), words: words,
		today: time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC),
	}
	var found []Mention
	for i := 0; i < len(words); {
		one, ok := m.mentionAt(i)
		if !ok {
			i++
			continue
		}
		one.First = i
		found, i = append(found, one), one.Last+1
	}
	return found
}

// mentionFinder finds the mentions of a sentence.
type mentionFinder struct {
	w     *spanWriter
	words []string
	today time.Time // at midnight
}

// mentionAt returns the mention that begins with word i: the first kind that fits.
func (m mentionFinder) mentionAt(i int) (Mention, bool) {
	for _, read := range []func(int) (Mention, bool){
		m.writtenDateAt, m.calendarDayAt, m.timeAt, m.looseDayAt, m.monthAt, m.digitsAt, m.moneyAt, m.amountAt, m.placeAt,
	} {
		if one, ok := read(i); ok {
			return one, true
		}
	}
	return Mention{}, false
}

func (m mentionFinder) writtenDateAt(i int) (Mention, bool) {
	word := strings.TrimRight(m.words[i], tailMarks)
	if !strings.ContainsAny(word, "-/.") {
		return Mention{}, false
	}
	d, ok := writtenDate(word, m.today)
	return Mention{Kind: DateMention, Last: i, Date: d}, ok
}

// calendarDayAt reads a day with its month, and the day of the week before it.
func (m mentionFinder) calendarDayAt(i int) (Mention, bool) {
	s, j := m.w.day, i
	for range 2 {
		if _, named := weekdays[s.fullWordAt(j)]; named || s.fullWordAt(j) == "يوم" {
			j++
		}
	}
	if j >= len(s) {
		return Mention{}, false
	}
	d, next := s.calendarDay(j, m.today)
	return Mention{Kind: DateMention, Last: next - 1, Date: d}, next > j
}

// beforeHour are words after which an ordinal is an hour: "من الثامنة إلى الخامسة".
var beforeHour = wordSet("من إلى الى حتى بين قبل بعد لحد لغاية")

// timeAt reads a time after الساعة, with a part of the day or minutes, or written 17:30.
func (m mentionFinder) timeAt(i int) (Mention, bool) {
	if strings.Contains(m.words[i], ":") {
		text := m.words[i]
		last := i
		if part, next := m.w.s.partAt(i + 1); part != anyPart {
			text, last = strings.Join(m.words[i:next], " "), next-1
		}
		if c, ok := writtenTime(text); ok {
			return Mention{Kind: TimeMention, Last: last, Clock: c}, true
		}
	}
	s := m.w.day[i:] // the words before it do not matter
	if slices.Contains(clocks, s.fullWordAt(0)) && len(s) == 1 {
		return Mention{}, false
	}
	r, ok := s.timeAt(0)
	if !ok {
		return Mention{}, false
	}
	hour, ordinal := s.ordinalHour(0)
	sure := r.rank == 3 || r.full && r.rank == 2 || s.isSurelyTime(0, r) || ordinal > 0 && r.next > ordinal ||
		ordinal > 0 && hour > 2 && (beforeHour[m.w.s.fullWordAt(i-1)] || strings.HasPrefix(s.fullWordAt(0), "وال") && i > 1)
	if !sure || r.rank == 3 && s.fullWordAt(0) == "ساعه" {
		return Mention{}, false
	}
	return Mention{Kind: TimeMention, Last: i + r.next - 1, Clock: r.toClock()}, true
}

// looseDayAt reads a day of the week, one counted from today, or "يوم خمسة".
func (m mentionFinder) looseDayAt(i int) (Mention, bool) {
	s := m.w.day
	if d, next := s.readWeekday(i, m.today); next > i {
		if d.IsZero() { // every week, or past
			d, _ = s[i:].readWeekday(0, m.today)
		}
		kind := WeekdayMention
		if next > i+2 {
			kind = DateMention
		}
		return Mention{Kind: kind, Last: next - 1, Date: d}, true
	}
	if d, next := s.numberedDay(i, m.today); next > i && (next != i+2 || s[i+1].atom.value != 1) { // يوم واحد is a count
		return Mention{Kind: DateMention, Last: next - 1, Date: d}, true
	}
	d, next := s.fromToday(i, m.today)
	if next == i {
		return Mention{}, false
	}
	one := Mention{Kind: DateMention, Last: next - 1, Date: d}
	switch {
	case thisWeek[s.fullWordAt(i)]:
		one.Kind = WeekMention
	case next > i+1:
		one.Value, one.Unit = s.countedPeriod(i+1, next)
	}
	return one, true
}

// countedPeriod returns the count and the unit of "بعد ثلاثة أيام", whose words after بعد are i to next-1.
func (s inputSentence) countedPeriod(i, next int) (n float64, unit string) {
	if a, ok := s.readAmount(i, true); ok && a.next <= next {
		return a.value, a.unit
	}
	return 1, measures[s.fullWordAt(i)]
}

// beforeMonth are words after which the name of a month is one: اب and ماي are others, too.
var beforeMonth = wordSet("شهر في خلال بداية نهاية اول اخر منتصف حتى الى لشهر بشهر")

func (m mentionFinder) monthAt(i int) (Mention, bool) {
	s := m.w.s
	month, known := months[s.fullWordAt(i)]
	if !known || !beforeMonth[s.fullWordAt(i-1)] || s.fullWordAt(i) == "اب" && s.fullWordAt(i-1) != "شهر" {
		return Mention{}, false
	}
	return Mention{Kind: MonthMention, Last: i, Date: nextDate(m.today, month, 28)}, true
}

// longDigits is the number of digits from which a written number is one of digits: a code, not a count.
const longDigits = 7

func (m mentionFinder) digitsAt(i int) (Mention, bool) {
	for _, read := range []func(int) (writtenSpan, bool){m.w.codeAt, m.w.plateAt, m.w.phoneAt, m.w.digitsAt} {
		if span, ok := read(i); ok {
			return Mention{Kind: DigitsMention, Last: span.last, Digits: onlyDigits(strings.Join(span.texts, ""))}, true
		}
	}
	raw := onlyDigits(WesternDigits(m.words[i]))
	if len(raw) >= longDigits || len(raw) > 1 && raw[0] == '0' && !strings.ContainsAny(m.words[i], ".,٫") {
		return Mention{Kind: DigitsMention, Last: i, Digits: raw}, true
	}
	return Mention{}, false
}

func (m mentionFinder) moneyAt(i int) (Mention, bool) {
	span, ok := m.w.moneyAt(i)
	if !ok {
		return Mention{}, false
	}
	amount, err := strconv.ParseFloat(span.texts[0], 64)
	return Mention{Kind: NumberMention, Last: span.last, Value: amount, Unit: span.texts[1]}, err == nil
}

// amountAt reads a number with its fraction and unit.
func (m mentionFinder) amountAt(i int) (Mention, bool) {
	s := m.w.day
	if span, ok := m.w.percentAt(i); ok {
		n, err := strconv.ParseFloat(strings.TrimSuffix(span.texts[0], "%"), 64)
		if n == 100 && s[i].atom.kind == hundred { // "صحيح مئة بالمئة"
			return Mention{}, false
		}
		return Mention{Kind: NumberMention, Last: span.last, Value: n, Unit: "%"}, err == nil
	}
	a, ok := s.readAmount(i, false)
	if !ok || percentWords[s.fullWordAt(i)] || percentWords[m.w.s.fullWordAt(i)] {
		return Mention{}, false
	}
	one := Mention{Kind: NumberMention, Last: a.next - 1, Value: a.value, Unit: a.unit}
	word := strings.TrimPrefix(strings.TrimPrefix(s.fullWordAt(i), "ب"), "ال")
	if _, part := fractions[word]; part && a.unit == "" {
		return Mention{}, false // a text, a quarter of a town
	}
	if strings.HasSuffix(strings.TrimRight(m.words[one.Last], tailMarks), "%") ||
		strings.HasSuffix(strings.TrimRight(m.words[one.Last], tailMarks), "٪") {
		one.Unit = "%"
	}
	if a.next == i+1 && m.isManner(i, a.value) {
		return Mention{}, false
	}
	if a.value == 1 && s[i].atom.kind == unit {
		if one.Unit == "" {
			one.Unit = measures[s.fullWordAt(i-1)]
		}
		return one, slices.Contains(oneCounts, one.Unit)
	}
	return one, true
}

// isManner reports whether a number of one word at i is a manner of speaking: "مليون شكر", "ست البيت".
func (m mentionFinder) isManner(i int, value float64) bool {
	s := m.w.s
	return s[i].atom.kind == scale && s.isThanked(i) ||
		value == 6 && s[i].atom.ambiguous && strings.HasPrefix(s.fullWordAt(i+1), "ال")
}

// oneCounts are units of which "one" is a statement, not a manner of speaking.
var oneCounts = []string{
	"يوم", "ساعه", "اسبوع", "شهر", "ريال", "جنيه", "درهم", "دينار", "ليره", "دولار", "يورو", "شيكل", "كيلو", "لتر",
}

// buildingParts are folded nouns after which an ordinal says where something is.
var buildingParts = wordSet("الطابق طابق الدور الغرفة غرفة العيادة عيادة البوابة بوابة المبنى مبنى الشباك شباك " +
	"القاعة قاعة الصالة صالة المدخل مدخل الممر ممر الجناح جناح")

func (m mentionFinder) placeAt(i int) (Mention, bool) {
	before := m.w.s.fullWordAt(i - 1)
	_, known := lookUpWord(buildingParts, before)
	n, ordinal := ordinals[strings.TrimPrefix(m.w.s.fullWordAt(i), "ال")]
	return Mention{Kind: NumberMention, Last: i, Value: float64(n)}, known && ordinal && n > 0
}
