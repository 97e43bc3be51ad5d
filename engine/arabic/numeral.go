package arabic

import (
	"strconv"
	"strings"
)

// parseNumeral reads a written number with any prefix or suffix letters: "ب20", "20ريال", "2.5", "1,000".
func parseNumeral(w string) (float64, bool) {
	w = strings.TrimLeft(strings.ReplaceAll(w, " ", ""), "وبل")
	end := strings.IndexFunc(w, func(r rune) bool { return r != '.' && r != ',' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(w)
	}
	digits := w[:end]
	if digits == "" || len(digits) > 15 {
		return 0, false
	}
	if i := strings.LastIndexByte(digits, ','); i >= 0 && len(digits)-i != 4 && strings.Count(digits, ",") == 1 {
		digits = digits[:i] + "." + digits[i+1:] // a decimal comma: three digits after it would be thousands
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	return n, err == nil
}

// readDecimals reads "فاصلة خمسة", digit by digit, after a whole number.
func (s inputSentence) readDecimals(n float64, i int) (float64, int) {
	if w := s.fullWordAt(i); w != "فاصله" && w != "فاصل" && w != "نقطه" {
		return n, i
	}
	digits, next := "", i+1
	for next < len(s) && len(digits) < 6 && s[next].prefix == "" {
		value, end, ok := s.readWholeNumber(next)
		if !ok || value > 99 {
			break
		}
		digits += strconv.Itoa(value)
		next = end
	}
	part, err := strconv.ParseFloat("0."+digits, 64)
	if digits == "" || err != nil {
		return n, i
	}
	return n + part, next
}
