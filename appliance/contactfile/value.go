package contactfile

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ValueKind is the type of a column's values.
type ValueKind string

// The kinds, named like the types of a scenario's variables.
const (
	TextValue   ValueKind = "text"
	DateValue   ValueKind = "date"
	TimeValue   ValueKind = "time"
	NumberValue ValueKind = "number"
	PhoneValue  ValueKind = "phone"
	ChoiceValue ValueKind = "choice"
)

// ValueDoubt is why a value cannot be booked as it is: its text cannot be read, can be read in two ways, or is probably
// not what was meant.
type ValueDoubt string

// Doubts. Those of the first group cannot be booked: [ValueReading.Value] is the text. The others can, if a person
// confirms them.
const (
	Unreadable   ValueDoubt = "unreadable"    // no day or time at all
	NoSuchDay    ValueDoubt = "no_such_day"   // 30 February, month 13, or a Hijri year outside the calendar
	RelativeDay  ValueDoubt = "relative_day"  // tomorrow, Thursday: depends on the day on which it was written
	HourMissing  ValueDoubt = "hour_missing"  // a part of the day: بعد العصر
	OrderUnknown ValueDoubt = "order_unknown" // 05/12/2026: 5 December or May 12
	ClockUnknown ValueDoubt = "clock_unknown" // 4:30: in the morning or in the afternoon

	YearAssumed  ValueDoubt = "year_assumed"  // 5 December, taken for the next one
	PastDay      ValueDoubt = "past_day"      // before the calls begin
	FarDay       ValueDoubt = "far_day"       // more than [maxAhead] after it
	NightTime    ValueDoubt = "night_time"    // before 6 o'clock
	MissingValue ValueDoubt = "missing_value" // empty although the call speaks it
	HijriDay     ValueDoubt = "hijri_day"     // of a single booking: converted from the Hijri calendar
)

// CanConfirm reports whether a value with this doubt may be booked once a person confirms it.
func (d ValueDoubt) CanConfirm() bool {
	switch d {
	case YearAssumed, PastDay, FarDay, NightTime, MissingValue, HijriDay:
		return true
	}
	return false
}

// DateOrder is the order of day and month in dates such as 05/12/2026.
type DateOrder string

// The orders; the empty one is unknown.
const (
	DayFirst   DateOrder = "day"
	MonthFirst DateOrder = "month"
)

// ClockStyle is how hours without a.m. or p.m. are meant.
type ClockStyle string

// The styles; the empty one is unknown.
const (
	FullClock    ClockStyle = "24"  // 4:30 is in the night
	DaytimeClock ClockStyle = "day" // 1 to 6 are in the afternoon, 7 to 11 in the morning
)

// ReadingRules are how the values of a column are read.
type ReadingRules struct {
	Region  string    // of telephone numbers without a country code, as ISO 3166
	Choices []string  // of a choice
	Today   time.Time // the day of the first calls, in the organization's time zone
	Order   DateOrder
	Clock   ClockStyle
}

// ValueReading is a value as it was read.
type ValueReading struct {
	// Value has the form of a booking: dates as 2006-01-02 in the Gregorian calendar, times as 15:04, numbers with Western
	// digits, telephone numbers in E.164, choices as in the scenario. Text that cannot be read is unchanged, so that the
	// validation of the booking reports it.
	Value string
	Doubt ValueDoubt // empty: none
	Hijri bool       // converted from the Hijri calendar
}

// ReadValue reads a cell as a value of a kind.
func ReadValue(text string, kind ValueKind, r ReadingRules) ValueReading {
	switch kind {
	case DateValue:
		return readDate(text, r)
	case TimeValue:
		return readTime(text, r)
	case NumberValue:
		return ValueReading{Value: normalizeDecimal(text)}
	case PhoneValue:
		number, _ := NormalizeNumber(text, r.Region)
		return ValueReading{Value: number}
	case ChoiceValue:
		for _, choice := range r.Choices {
			if foldName(choice) == foldName(text) {
				return ValueReading{Value: choice}
			}
		}
	}
	return ValueReading{Value: text}
}

// typedText returns a text with Western digits, without direction marks and other invisible characters, and with single
// spaces.
func typedText(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || r == 'ـ':
			return -1
		case r == '،' || r == '٬':
			return ' '
		}
		return r
	}, westernDigits(text))), " ")
}

var thousands = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$`)

// normalizeDecimal parses a number: 1,250.5 and ١٢٥٠٫٥.
func normalizeDecimal(text string) string {
	typed := strings.ReplaceAll(westernDigits(text), "٬", ",")
	if thousands.MatchString(typed) {
		typed = strings.ReplaceAll(typed, ",", "")
	}
	if _, err := strconv.ParseFloat(typed, 64); err != nil {
		return text
	}
	return typed
}
