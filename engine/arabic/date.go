package arabic

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// FindDate returns the day that s names, relative to today (its clock time is ignored): a day with its month, spoken or
// written day first ("خمسة ديسمبر", "الخامس من كانون الأول", "5/12", "2026-12-05"), a day of the week, or a day
// relative to today (بكرة, بعد بكرة, بعد أسبوع).
//
//   - A day without a year is the next such day, today included; a year given is kept, past or not.
//   - A day of the week is the next such day; today's own name means in seven days. الجاي and القادم change nothing,
//     but "الخميس الأسبوع الجاي" is in the week that begins next Sunday, and "الأسبوع الجاي" alone is today in seven
//     days. A day of the week next to a date is ignored.
//   - "يوم خمسة" is the next fifth of a month; without يوم a bare number is no date.
//   - Of two different dates the one after a correction word counts ("بكرة لا الخميس"); otherwise neither.
//   - A refused day is none ("الخميس ما أقدر"), nor is one that bounds ("بعد الخميس") or is left out ("كل الأيام إلا
//     الخميس").
//   - Past days (أمس), months of the Islamic year, and days that do not exist (31 فبراير) are not dates.
func FindDate(s string, today time.Time) (year int, month time.Month, day int, ok bool) {
	d, ok := writtenDate(s, today)
	if !ok {
		d, ok = parseSentence(s).readDate(today)
	}
	if !ok {
		return 0, 0, 0, false
	}
	year, month, day = d.Date()
	return year, month, day, true
}

// NamesNoDay reports whether s counts weeks or months, or names a part of a month, and names no day ("الأسبوع الجاي",
// "بعد شهر", "آخر الشهر"): the day that [FindDate] returns is then a guess.
func NamesNoDay(s string) bool {
	heard := parseSentence(s)
	counted := false
	for i, w := range heard {
		_, calendar := heard.calendarDay(i, time.Time{})
		_, weekday := heard.readWeekday(i, time.Time{})
		if calendar > i || weekday > i {
			return false
		}
		if _, part := heard.partOfMonth(i, time.Time{}); part > i {
			return true
		}
		period := periods[w.said]
		_, week := lookUpWord(thisWeek, w.said)
		counted = counted || week || period.days >= 7 || period.months > 0
	}
	return counted
}

// readDate prefers a day with its month to a day of the week or one relative to today beside it.
func (s inputSentence) readDate(today time.Time) (time.Time, bool) {
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	var found dayReading
	conflict := false
	for i := 0; i < len(s); {
		d := s.dayAt(i, today)
		switch {
		case d.next == i:
			i++
			continue
		case s.fullWordAt(d.from-1) == "بين":
			return time.Time{}, false
		case s.isRefused(d.from, d.next), s.isDayBound(d.from):
			i = d.next
			continue
		case found.next == 0 || s.isCorrected(found.next, d.from):
			found, conflict = d, false
		case s.isEitherOf(found.next, d.from):
			conflict = conflict || !d.day.Equal(found.day)
		case d.calendar && !found.calendar:
			found, conflict = d, false
		case d.calendar == found.calendar && !d.day.Equal(found.day):
			conflict = true
		}
		i, found.next = d.next, d.next
		conflict = conflict || isAlternative(s.fullWordAt(i))
	}
	return found.day, found.next > 0 && !conflict && !found.day.IsZero()
}

// dayReading is a day found in a sentence; calendar means that it has its month.
type dayReading struct {
	day        time.Time
	from, next int
	calendar   bool
}

// dayAt reads a day at word i; next is i without one. A day with its month may follow the words of another reading:
// "يوم خمسة ديسمبر".
func (s inputSentence) dayAt(i int, today time.Time) dayReading {
	d, next := s.calendarDay(i, today)
	if next > i {
		return dayReading{d, i, next, true}
	}
	loose, end := s.looseDay(i, today)
	for j := i + 1; j < min(end, len(s)); j++ {
		if d, next := s.calendarDay(j, today); next > j {
			return dayReading{d, j, next, true}
		}
	}
	return dayReading{loose, i, end, false}
}

// isDayBound reports whether the day at word i bounds or compares what is meant ("قبل الخميس", "أحسن من الخميس"), is
// left out of it ("كل يوم إلا الخميس"; but "ما أقدر إلا الخميس" is the one day), or is an agreed one ("نفس اليوم").
func (s inputSentence) isDayBound(i int) bool {
	before := s.fullWordAt(i - 1)
	if before == "الا" && (IsNegator(s.fullWordAt(i-2)) || IsNegator(s.fullWordAt(i-3))) {
		return false
	}
	return dayBounds[before] || s.isBound(i)
}

var dayBounds = wordSet("قبل بعد عقب نفس إلا عدا ماعدا سوى باستثناء خلاف")

// calendarDay reads "خمسة ديسمبر", "الخامس من شهر اتناشر", "خمسة الشهر الجاي" at word i. A day that does not exist is
// the zero time.
func (s inputSentence) calendarDay(i int, today time.Time) (time.Time, int) {
	day, j := s.dayOfMonth(i)
	if j == i {
		return today, i
	}
	for range 2 {
		if dateLinks[s.fullWordAt(j)] {
			j++
		}
	}
	if _, ok := lookUpWord(thisMonth, s.fullWordAt(j)); ok {
		if nextWords[s.fullWordAt(j+1)] {
			first := time.Date(today.Year(), today.Month()+1, 1, 0, 0, 0, 0, time.UTC)
			return dayIn(first.Year(), first.Month(), day), j + 2
		}
		if s.fullWordAt(j) != "شهر" {
			return nextDay(today, day), j + 1
		}
	}
	month, j2, ok := s.readMonth(j)
	if !ok {
		month, j2, ok = s.monthNumber(j, s.fullWordAt(i-1) == "يوم")
	}
	if !ok {
		return today, i
	}
	if year, end, said := s.readYear(j2); said {
		return dayIn(year, month, day), end
	}
	return nextDate(today, month, day), j2
}

// dayOfMonth reads 1 to 31 at word i: cardinal, ordinal or digits.
func (s inputSentence) dayOfMonth(i int) (day, next int) {
	w := s.fullWordAt(i)
	if n, ok := parseNumeral(w); ok && n >= 1 && n <= 31 && n == float64(int(n)) {
		return int(n), i + 1
	}
	if n, ok := lookUpWord(ordinalDays, w); ok {
		if s.fullWordAt(i+1) == "عشر" || s.fullWordAt(i+1) == "عشره" {
			return 10 + n, i + 2
		}
		j, joined := s.joinedByWaw(i + 1)
		if joined && j < len(s) && n <= 9 && s[j].atom.kind == tens && s[j].atom.value <= 30 {
			n, i = n+s[j].atom.value, j
		}
		if n > 31 || w == "الحادي" && n == 1 {
			return 0, i
		}
		return n, i + 1
	}
	if s[i].prefix != "" && s[i].prefix != "ب" && s[i].prefix != "و" {
		return 0, i
	}
	if n, end := s.belowHundred(i); end > i && n >= 1 && n <= 31 {
		return n, end
	}
	return 0, i
}

// readMonth reads a month's name at word i.
func (s inputSentence) readMonth(i int) (time.Month, int, bool) {
	w := s.fullWordAt(i)
	if w == "" {
		return 0, i, false
	}
	if second, ok := lookUpWord(pairedMonths, w); ok {
		if m, known := second[strings.TrimPrefix(s.fullWordAt(i+1), "ال")]; known {
			return m, i + 2, true
		}
	}
	if m, ok := lookUpWord(months, w); ok {
		return m, i + 1, true
	}
	if m, ok := lookUpSimilar(months, w); ok && s[i].atom.kind == other {
		return m, i + 1, true
	}
	return 0, i, false
}

// monthNumber reads "شهر اتناشر", and a bare number where the words before it can only be a date ("يوم خمسة اتناشر").
func (s inputSentence) monthNumber(i int, bare bool) (time.Month, int, bool) {
	if i < len(s) && (s.fullWordAt(i-1) == "شهر" || bare) {
		n, end := s.belowHundred(i)
		if v, ok := parseNumeral(s.fullWordAt(i)); ok {
			n, end = int(v), i+1
		}
		if end > i && n >= 1 && n <= 12 {
			return time.Month(n), end, true
		}
	}
	return 0, i, false
}

// readYear reads a year after a date, with or without سنة or عام.
func (s inputSentence) readYear(i int) (year, next int, ok bool) {
	if yearWords[s.fullWordAt(i)] {
		i++
	}
	if i >= len(s) {
		return 0, i, false
	}
	n, ok := parseNumeral(s.fullWordAt(i))
	if year, next = int(n), i+1; !ok {
		year, next, ok = s.readWholeNumber(i)
	}
	return year, next, ok && isYear(year)
}

// isYear reports whether a number may be the year of a date.
func isYear(n int) bool { return n >= 1900 && n <= 2200 }

// nextDay returns the next day of that number in a month, today included; months that lack it are skipped.
func nextDay(today time.Time, day int) time.Time {
	for m := range 12 {
		if d := dayIn(today.Year(), today.Month()+time.Month(m), day); !d.IsZero() && !d.Before(today) {
			return d
		}
	}
	return time.Time{}
}

// nextDate returns the first such day from today on, in this year or the next.
func nextDate(today time.Time, month time.Month, day int) time.Time {
	if d := dayIn(today.Year(), month, day); !d.IsZero() && !d.Before(today) {
		return d
	}
	return dayIn(today.Year()+1, month, day)
}

// dayIn returns a day of a month; the zero time where the month has no such day. The month may be greater than 12.
func dayIn(year int, month time.Month, day int) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	d := first.AddDate(0, 0, day-1)
	if day < 1 || d.Month() != first.Month() {
		return time.Time{}
	}
	return d
}

var (
	isoDate    = regexp.MustCompile(`(?:^|[^\d/-])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[^\d/-]|$)`)
	dottedDate = regexp.MustCompile(`(?:^|[^\d./-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[^\d/-]|$)`)
	numberDate = regexp.MustCompile(`(?:^|[^\d/-])(\d{1,2})[-/](\d{1,2})(?:[-/](\d{4}|\d{2}))?(?:[^\d/-]|$)`)
)

// writtenDate finds 2026-12-05, 5/12/2026 and 5/12.
func writtenDate(s string, today time.Time) (time.Time, bool) {
	s = strings.Join(limitedFields(westernDigits(s)), " ")
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return makeDate(parseDigits(m[1]), parseDigits(m[2]), parseDigits(m[3]))
	}
	if m := dottedDate.FindStringSubmatch(s); m != nil {
		return makeDate(parseDigits(m[3]), parseDigits(m[2]), parseDigits(m[1]))
	}
	m := numberDate.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	switch year := parseDigits(m[3]); {
	case m[3] == "":
		midnight := time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
		if parseDigits(m[2]) < 1 || parseDigits(m[2]) > 12 {
			return time.Time{}, false
		}
		d := nextDate(midnight, time.Month(parseDigits(m[2])), parseDigits(m[1]))
		return d, !d.IsZero()
	case year < 100:
		return makeDate(2000+year, parseDigits(m[2]), parseDigits(m[1]))
	default:
		return makeDate(year, parseDigits(m[2]), parseDigits(m[1]))
	}
}

func makeDate(year, month, day int) (time.Time, bool) {
	if month < 1 || month > 12 || !isYear(year) {
		return time.Time{}, false
	}
	d := dayIn(year, time.Month(month), day)
	return d, !d.IsZero()
}

// parseDigits parses a number that a pattern has matched.
func parseDigits(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
