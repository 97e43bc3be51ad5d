package arabic

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	writtenClock = regexp.MustCompile(`(?:^|[^\d:./-])(\d{1,2})\s?[:٫]\s?(\d{2})(?:[^\d:/-]|$)`)
	oneWord      = regexp.MustCompile(`(\d)(ص|م|am|pm|a\.m|p\.m)`)
)

// writtenTime finds 17:30 and 5:30 م.
func writtenTime(s string) (ClockTime, bool) {
	digits := strings.Join(limitedFields(westernDigits(s)), " ")
	m := writtenClock.FindStringSubmatchIndex(digits)
	if m == nil {
		return ClockTime{}, false
	}
	hour, _ := strconv.Atoi(digits[m[2]:m[3]])
	minute, _ := strconv.Atoi(digits[m[4]:m[5]])
	if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
		return ClockTime{}, false
	}
	rest := parseSentence(splitDayPart(digits[m[4]:]))
	p, _ := rest.partAt(1)
	if p == anyPart {
		p = parseSentence(digits).dayPart()
	}
	zero := digits[m[2]] == '0'
	r := timeReading{minutes: 60*hour + minute, full: hour == 0 || hour > 12 || zero && p == anyPart, part: p}
	return r.toClock(), true
}

// splitDayPart separates a number from the part of the day attached to it by a space: 5م, 10pm.
func splitDayPart(s string) string { return oneWord.ReplaceAllString(westernDigits(s), "$1 $2") }

// westernDigits writes the digits of both Arabic scripts as 0-9.
func westernDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if d := foldRune(r); d >= '0' && d <= '9' {
			return d
		}
		return r
	}, s)
}
