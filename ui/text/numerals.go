package text

import "strings"

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

// ArabicDigits writes Latin digits as Arabic-Indic ones.
func ArabicDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '٠' + r - '0'
		}
		return r
	}, s)
}
