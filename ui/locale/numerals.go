package locale

import (
	"regexp"
	"strings"
)

// Numerals are the digits that a visitor reads Arabic with.
type Numerals string

// The two that Arabic is written with.
const (
	Latin       Numerals = "latn"
	ArabicIndic Numerals = "arab"
)

// ParseNumerals reads their name (CLDR's); false for any other string.
func ParseNumerals(s string) (Numerals, bool) {
	n := Numerals(s)
	return n, n == Latin || n == ArabicIndic
}

// apart matches the signs between two numbers at which Unicode's bidirectional algorithm would swap their order (rule
// N1: Arabic-Indic digits act as R), unlike with Latin digits. A left-to-right mark after the sign prevents that:
// 2026-11-21 keeps the order it has with Latin digits, in left-to-right and right-to-left text.
var apart = regexp.MustCompile(`([٠-٩][-– ·]+)([٠-٩])`)

// thousands matches the separator before three digits.
var thousands = regexp.MustCompile(`(\d),(\d{3})\b`)

// ArabicDigits writes Latin digits as Arabic-Indic ones, with their thousands separator.
func ArabicDigits(s string) string {
	for thousands.MatchString(s) { // the digits after one separator are those before the next
		s = thousands.ReplaceAllString(s, "$1٬$2")
	}
	s = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '٠' + r - '0'
		}
		return r
	}, s)
	for apart.MatchString(s) { // a short number is the end of one match and the beginning of the next
		s = apart.ReplaceAllString(s, "$1\u200e$2")
	}
	return s
}

// LatinDigits writes Arabic-Indic and Persian digits as Latin ones, since forms take the digits of any keyboard.
func LatinDigits(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '٠' && r <= '٩':
			return '0' + r - '٠'
		case r >= '۰' && r <= '۹':
			return '0' + r - '۰'
		}
		return r
	}, s)
}
