package contactfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/hijri"
	"munadi/engine/arabic"
)

// Bounds of dates.
const (
	maxAhead     = 2 * 365 * 24 * time.Hour // later days are doubtful
	nearYears    = 10                       // a year of two digits is in the calendar in which it is this near
	firstYear    = 1900                     // of the Gregorian calendar, as in bookings
	lastYear     = 2200
	hijriFrom    = 1300 // years from here to hijriTo are Hijri ones, even outside the calendar that is known
	hijriTo      = 1599
	shortYear    = 100 // years below have two digits
	monthsOfYear = 12
)

var (
	clockAfter  = `(?:[ T]\d{1,2}:\d{2}.*)?$` // a date's cell may also have a time
	yearFirst   = regexp.MustCompile(`^(\d{4})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})` + clockAfter)
	yearLast    = regexp.MustCompile(`^(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4}|\d{2})` + clockAfter)
	noYear      = regexp.MustCompile(`^(\d{1,2})\s?[-/]\s?(\d{1,2})$`)
	excelDate   = regexp.MustCompile(`^[2-7]\d{4}(?:\.\d+)?$`) // days since 1899-12-30: 1954 to 2118
	dayAndMonth = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)?[ \-/.]*(\D+?)[ \-/.,]*(\d{4}|\d{2})?$`)
	monthAndDay = regexp.MustCompile(`^([A-Za-z]+)[ .\-/]*(\d{1,2})(?:st|nd|rd|th)?[ ,\-/]*(\d{4})?$`)
	firstNumber = regexp.MustCompile(`^\d{1,2}\b`)
	excelEpoch  = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
)

// dayText is the text of a date without the words around it.
type dayText struct {
	text    string
	isHijri bool // marked as هـ or AH
	isOther bool // marked as م or AD
}

// The calendar's marks after a date, and words before it.
var (
	hijriMarks     = []string{"هجرية", "هجريه", "هجري", "ه", "AH", "A.H."}
	gregorianMarks = []string{"ميلادية", "ميلاديه", "ميلادي", "م", "AD", "A.D."}
	beforeDate     = []string{
		"يوم", "بتاريخ", "تاريخ", "السبت", "الأحد", "الاحد", "الإثنين", "الاثنين", "الثلاثاء",
		"الأربعاء", "الاربعاء", "الخميس", "الجمعة",
		"Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
		"Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri",
	}
)

// trimDate removes the calendar's mark, and words such as the day of the week before a number.
func trimDate(typed string) dayText {
	d := dayText{text: typed}
	for _, mark := range hijriMarks {
		d.isHijri = d.isHijri || d.cutMark(mark)
	}
	for _, mark := range gregorianMarks {
		d.isOther = d.isOther || !d.isHijri && d.cutMark(mark)
	}
	for {
		word, rest, _ := strings.Cut(d.text, " ")
		if !strings.ContainsAny(rest, "0123456789") || !slices.Contains(beforeDate, strings.TrimRight(word, ",")) {
			return d
		}
		d.text = rest
	}
}

// cutMark removes a mark after a digit.
func (d *dayText) cutMark(mark string) bool {
	rest, found := strings.CutSuffix(d.text, mark)
	rest = strings.TrimRight(rest, " ./-")
	if !found || rest == "" || rest[len(rest)-1] < '0' || rest[len(rest)-1] > '9' {
		return false
	}
	d.text = rest
	return true
}

// readDate reads a day: 2026-11-23, 23/11/2026, 23/11/26, 46349 (Excel), 1448/06/15, 15 رجب 1448, 5 ديسمبر. Dates of
// the Hijri calendar, by their year or month, are converted.
func readDate(text string, r ReadingRules) ValueReading {
	typed := typedText(text)
	if first, second, both := strings.Cut(typed, "الموافق"); both { // one day in two calendars
		return readTwice(text, first, second, r)
	}
	d := trimDate(typed)
	if parts := yearFirst.FindStringSubmatch(d.text); parts != nil {
		return r.writeDay(text, d, parts[1], parts[2], parts[3])
	}
	if parts := yearLast.FindStringSubmatch(d.text); parts != nil {
		return r.readOrdered(text, d, parts[1], parts[2], parts[3])
	}
	if parts := noYear.FindStringSubmatch(d.text); parts != nil {
		return r.readOrdered(text, d, parts[1], parts[2], "")
	}
	if excelDate.MatchString(d.text) {
		days, _ := strconv.ParseFloat(d.text, 64)
		return r.judgeDay(excelEpoch.AddDate(0, 0, int(days)))
	}
	return r.readNamedDay(text, d)
}

// readTwice reads a day that is written in two calendars, which have to agree.
func readTwice(text, first, second string, r ReadingRules) ValueReading {
	a := readDate(strings.TrimSpace(first), r)
	b := readDate(strings.TrimSpace(second), r)
	switch {
	case a.Value != b.Value || !a.isRead():
		return ValueReading{Value: text, Doubt: NoSuchDay}
	case a.Hijri:
		return a
	}
	return b
}

// isRead reports whether the value was read, however doubtful it is.
func (v ValueReading) isRead() bool { return v.Doubt == "" || v.Doubt.CanConfirm() }

// readOrdered reads two numbers that are day and month in either order, and a year; without one it is the next such
// day.
func (r ReadingRules) readOrdered(text string, d dayText, first, second, year string) ValueReading {
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(second)
	order := orderOf(a, b)
	if _, isHijri := r.fullYear(year, d); order == "" && a != b && !isHijri { // Hijri dates have the day first
		if order = r.Order; order == "" {
			return ValueReading{Value: text, Doubt: OrderUnknown}
		}
	}
	if order == MonthFirst {
		first, second = second, first
	}
	return r.writeDay(text, d, year, second, first)
}

// orderOf returns the only possible order of two numbers that are a day and a month; empty if both are possible.
func orderOf(a, b int) DateOrder {
	switch {
	case a > monthsOfYear && b <= monthsOfYear:
		return DayFirst
	case b > monthsOfYear && a <= monthsOfYear:
		return MonthFirst
	}
	return ""
}

// fullYear completes a year of two digits and reports whether it is one of the Hijri calendar. It is 0 for no year.
func (r ReadingRules) fullYear(text string, d dayText) (year int, isHijri bool) {
	year, _ = strconv.Atoi(text)
	switch {
	case text == "":
		return 0, d.isHijri
	case year >= shortYear:
		return year, d.isHijri || !d.isOther && year >= hijriFrom && year <= hijriTo
	case d.isHijri:
		return hijriFrom + shortYear + year, true
	}
	today, _ := hijri.FromGregorian(r.Today)
	inHijri := hijriFrom + shortYear + year
	if !d.isOther && abs(inHijri-today.Year) <= nearYears && abs(2000+year-r.Today.Year()) > nearYears {
		return inHijri, true
	}
	return 2000 + year, false
}

// writeDay returns the day of a year, month and day in digits.
func (r ReadingRules) writeDay(text string, d dayText, year, month, day string) ValueReading {
	y, isHijri := r.fullYear(year, d)
	m, _ := strconv.Atoi(month)
	n, _ := strconv.Atoi(day)
	return r.findDay(text, y, m, n, isHijri)
}

// findDay returns a day of a calendar. Without a year it is the next such day, which is doubtful.
func (r ReadingRules) findDay(text string, year, month, day int, isHijri bool) ValueReading {
	none := ValueReading{Value: text, Doubt: NoSuchDay}
	if year > 0 {
		at, ok := dayIn(year, month, day, isHijri)
		if !ok {
			return none
		}
		found := r.judgeDay(at)
		found.Hijri = isHijri
		return found
	}
	today := midnight(r.Today)
	first := today.Year()
	if isHijri {
		h, _ := hijri.FromGregorian(today)
		first = h.Year
	}
	for year := first; year <= first+4; year++ { // four years, for 29 February
		if at, ok := dayIn(year, month, day, isHijri); ok && !at.Before(today) {
			return ValueReading{Value: at.Format(time.DateOnly), Doubt: YearAssumed, Hijri: isHijri}
		}
	}
	return none
}

// dayIn returns a day of a calendar; false if it has none.
func dayIn(year, month, day int, isHijri bool) (time.Time, bool) {
	if isHijri {
		return hijri.HijriDate{Year: year, Month: month, Day: day}.Gregorian()
	}
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	exists := month >= 1 && month <= monthsOfYear && day >= 1 && at.Day() == day
	return at, exists && year >= firstYear && year <= lastYear
}

// judgeDay returns a day with its doubt: in the past, or far ahead.
func (r ReadingRules) judgeDay(at time.Time) ValueReading {
	found, today := ValueReading{Value: at.Format(time.DateOnly)}, midnight(r.Today)
	switch {
	case at.Before(today):
		found.Doubt = PastDay
	case at.Sub(today) > maxAhead:
		found.Doubt = FarDay
	}
	return found
}

// midnight returns the calendar day of a time as midnight UTC.
func midnight(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// englishMonths are the months by their first three letters.
var englishMonths = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
	"jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// parseEnglishMonth returns the month of a name, whole or abbreviated.
func parseEnglishMonth(name string) (int, bool) {
	name = strings.ToLower(strings.TrimRight(name, "."))
	if len(name) < 3 {
		return 0, false
	}
	month, ok := englishMonths[name[:3]]
	whole := strings.ToLower(time.Month(max(month, 1)).String())
	return month, ok && (strings.HasPrefix(whole, name) || name == "sept")
}

// readNamedDay reads a day whose month is a word: of the Hijri calendar, in English, or in Arabic as callees say it.
func (r ReadingRules) readNamedDay(text string, d dayText) ValueReading {
	day, name, year := "", "", ""
	if parts := dayAndMonth.FindStringSubmatch(d.text); parts != nil {
		day, name, year = parts[1], strings.TrimPrefix(strings.TrimSpace(parts[2]), "من "), parts[3]
	} else if parts := monthAndDay.FindStringSubmatch(d.text); parts != nil {
		day, name, year = parts[2], parts[1], parts[3]
	}
	n, _ := strconv.Atoi(day)
	if month, ok := hijri.ParseMonth(name); ok {
		d.isHijri = true
		y, _ := r.fullYear(year, d)
		return r.findDay(text, y, month, n, true)
	}
	if month, ok := parseEnglishMonth(name); ok {
		y, isHijri := r.fullYear(year, d)
		return r.findDay(text, y, month, n, isHijri)
	}
	return r.readSpokenDay(text, d)
}

// readSpokenDay reads a day as the dialogue does. One that changes with the day on which it is read is relative.
func (r ReadingRules) readSpokenDay(text string, d dayText) ValueReading {
	today := midnight(r.Today)
	at, ok := findSpoken(d.text, today)
	later, _ := findSpoken(d.text, today.AddDate(1, 0, 1))
	switch {
	case !ok && firstNumber.MatchString(d.text) && !strings.ContainsAny(d.text, "/"):
		if _, month := findSpoken(firstNumber.ReplaceAllString(d.text, "1"), today); month { // 30 فبراير
			return ValueReading{Value: text, Doubt: NoSuchDay}
		}
		return ValueReading{Value: text, Doubt: Unreadable}
	case !ok || strings.ContainsAny(d.text, "/"):
		return ValueReading{Value: text, Doubt: Unreadable}
	case at.Equal(later):
		return r.judgeDay(at)
	case at.Month() == later.Month() && at.Day() == later.Day():
		return ValueReading{Value: at.Format(time.DateOnly), Doubt: YearAssumed}
	}
	return ValueReading{Value: text, Doubt: RelativeDay}
}

func findSpoken(text string, today time.Time) (time.Time, bool) {
	year, month, day, ok := arabic.FindDate(text, today)
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), ok
}

// FindOrder returns the order of day and month that the dates of a column show; empty if none of them does, or they
// contradict each other.
func FindOrder(values []string) DateOrder {
	var found DateOrder
	for _, value := range values {
		parts := yearLast.FindStringSubmatch(trimDate(typedText(value)).text)
		if parts == nil {
			continue
		}
		a, _ := strconv.Atoi(parts[1])
		b, _ := strconv.Atoi(parts[2])
		order := orderOf(a, b)
		if order != "" && found != "" && order != found {
			return ""
		}
		found = max(found, order)
	}
	return found
}

func abs(n int) int { return max(n, -n) }
