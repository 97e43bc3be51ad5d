package arabic

import (
	"strconv"
	"strings"
)

// ReadDigits reads a telephone number or a code spoken digit by digit, in pairs ("خمسة وخمسين") or in hundreds, with
// repetitions ("مرتين ستة", "دبل ستة", "ثلاثة أصفار", "صفرين"), or written; it inverts SpellDigits. Words that are no
// number are skipped; ok is false if there are no digits. Among digits a word that sounds like one counts as it.
func ReadDigits(s string) (digits string, ok bool) {
	heard := parseSentence(s)
	if heard.isMostlyDigits() {
		if repaired, some := heard.repairNumbers(); some {
			heard = repaired
		}
	}
	for i := 0; i < len(heard); {
		part, next := heard.digitsAt(i)
		if restarts[heard.fullWordAt(i)] && next == i {
			digits = ""
		}
		digits += part
		i = max(next, i+1)
	}
	return digits, digits != ""
}

// isMostlyDigits reports whether at least three words, and half of all, are numbers below a hundred.
func (s inputSentence) isMostlyDigits() bool {
	n := 0
	for i := range s {
		if s.isDigitWord(i) {
			n++
		}
	}
	return n >= 3 && 2*n >= len(s)
}

// digitsAt reads the digits that begin with word i; next is i if there are none.
func (s inputSentence) digitsAt(i int) (digits string, next int) {
	if written := onlyDigits(s.fullWordAt(i)); written != "" {
		return written, i + 1
	}
	if times, j := s.repetition(i); j > i {
		if digit, end := s.singleDigit(j); end > j {
			return strings.Repeat(digit, times), end
		}
	}
	if digit, ok := doubledDigits[strings.TrimPrefix(s.fullWordAt(i), "و")]; ok {
		return digit + digit, i + 1
	}
	value, next, ok := s.readWholeNumber(i)
	if !ok {
		return "", i
	}
	if n, end := s.zeros(value, next); end > next {
		return n, end
	}
	digits = strconv.Itoa(value)
	if times, end := s.repetition(next); value < 10 && end > next && s.repeatsBefore(end) {
		return strings.Repeat(digits, times), end
	}
	return digits, next
}

// repetition reads "مرتين", "دبل", "ثلاث مرات" at word i.
func (s inputSentence) repetition(i int) (times, next int) {
	if n := repeatWords[strings.TrimPrefix(s.fullWordAt(i), "و")]; n > 0 {
		return n, i + 1
	}
	if i+1 < len(s) && timesWords[s.fullWordAt(i+1)] {
		if n, end := s.belowHundred(i); end == i+1 && n >= 2 && n <= 10 {
			return n, end + 1
		}
	}
	return 0, i
}

// repeatsBefore reports whether a repetition that ends before word i belongs to the digit before it ("ستة مرتين"): no
// digit follows to which it could belong as well ("ستة مرتين خمسة" is 655).
func (s inputSentence) repeatsBefore(i int) bool {
	_, end := s.singleDigit(i)
	return end == i
}

// singleDigit reads one digit at word i.
func (s inputSentence) singleDigit(i int) (digit string, next int) {
	if i < 0 || i >= len(s) {
		return "", i
	}
	if written := onlyDigits(s.fullWordAt(i)); len(written) == 1 {
		return written, i + 1
	}
	if a := s[i].atom; a.kind == unit && !a.bound {
		return strconv.Itoa(a.value), i + 1
	}
	return "", i
}

// zeros reads "ثلاثة أصفار": value is the number that ends before word i.
func (s inputSentence) zeros(value, i int) (digits string, next int) {
	if value >= 2 && value <= 10 && zeroWords[s.fullWordAt(i)] {
		return strings.Repeat("0", value), i + 1
	}
	return "", i
}

var (
	// restarts are words after which a number is dictated anew.
	restarts    = wordSet(restartWords)
	repeatWords = map[string]int{
		"مرتين": 2, "دبل": 2, "دوبل": 2, "دابل": 2, "double": 2, "تريبل": 3, "تربل": 3, "triple": 3,
	}
	timesWords = wordSet("مرات مره")
	zeroWords  = wordSet("أصفار صفور اصفارا")
	// doubledDigits are duals of digits: "صفرين", "ستتين".
	doubledDigits = map[string]string{
		"صفرين": "0", "واحدين": "1", "خمستين": "5", "ستتين": "6", "سبعتين": "7", "تسعتين": "9",
	}
)

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
