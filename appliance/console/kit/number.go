package kit

import (
	"strconv"
	"strings"

	"munadi/store/phonenumber"
)

// PhoneNumber normalizes an international number as people type and copy it: with spaces, dashes and brackets, in
// Arabic digits, with 00 instead of the plus sign, with direction marks. False if the result is not a complete number;
// it may then be part of one.
func PhoneNumber(typed string) (string, bool) {
	number := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+0123456789", r) {
			return r
		}
		if strings.ContainsRune(" -().\u00a0\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069", r) {
			return -1
		}
		return 'x'
	}, WesternDigits(typed))
	if strings.Contains(number, "x") {
		return strings.TrimSpace(typed), false
	}
	if rest, found := strings.CutPrefix(number, "00"); found {
		number = "+" + rest
	}
	return number, phonenumber.IsE164(number)
}

// FormatPositive formats a positive number; 0 is empty.
func FormatPositive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
