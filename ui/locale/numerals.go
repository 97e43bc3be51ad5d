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

// apart are the signs between two numbers at which Unicode's bidirectional algorithm would turn their order (rule N1:
// they stand between two R), as it does not with Latin digits. A left-to-right mark behind the sign keeps it:
// 2026-11-21 begins with the year in either digits where the text around runs from the left, and from the right where
// it runs from there.
var apart = regexp.MustCompile(`([٠-٩][-– ·]+)([٠-٩])`)

// ArabicDigits writes Latin digits as Arabic-Indic ones.
func ArabicDigits(s string) string {
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
