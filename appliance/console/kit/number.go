package kit

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/contactfile"
	"munadi/engine/arabic"
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

// WesternDigits converts Arabic-Indic and Persian digits to Western ones, since forms accept the digits of any
// keyboard, and trims spaces.
func WesternDigits(s string) string { return strings.TrimSpace(strings.Map(arabic.WesternDigit, s)) }

// NumberRegion returns the country of numbers without a country code: the one that the organization chose for its
// contact files.
func (s *Console) NumberRegion(c echo.Context) string {
	memory, err := s.Store.FindImportMemory(c.Request().Context(), RequestVisitor(c).Org.ID)
	if err != nil || !phonenumber.IsRegion(memory.Region) {
		return contactfile.DefaultRegion
	}
	return memory.Region
}

// LocalNumber is [kit.PhoneNumber] that also accepts numbers as they are written in a country: 05…, ٠٥…, 9665….
func LocalNumber(typed, region string) (string, bool) {
	number, ok := PhoneNumber(typed)
	if ok {
		return number, true
	}
	if local, is := contactfile.NormalizeNumber(number, region); is {
		return local, true
	}
	return number, false
}
