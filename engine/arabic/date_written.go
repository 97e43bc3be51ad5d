package arabic

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

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
