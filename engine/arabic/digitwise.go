package arabic

import "strconv"

// ReadDigits reads a telephone number or a code spoken digit by digit, in pairs ("خمسة وخمسين") or in hundreds, or
// written; it inverts SpellDigits. Words that are no number are skipped; ok is false if there are no digits.
func ReadDigits(s string) (digits string, ok bool) {
	heard := parseSentence(s)
	for i := 0; i < len(heard); {
		if written := onlyDigits(heard.fullWordAt(i)); written != "" {
			digits += written
			i++
			continue
		}
		value, next, number := heard.readWholeNumber(i)
		if !number {
			i++
			continue
		}
		digits += strconv.Itoa(value)
		i = next
	}
	return digits, digits != ""
}

// onlyDigits returns the digits of a folded word.
func onlyDigits(w string) string {
	var out []byte
	for _, b := range []byte(w) {
		if b >= '0' && b <= '9' {
			out = append(out, b)
		}
	}
	return string(out)
}
