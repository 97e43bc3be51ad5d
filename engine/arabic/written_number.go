package arabic

import (
	"regexp"
	"strconv"
	"strings"
)

// numberAt writes a number of several words, or of one that is certainly a number (عشرين, حداشر, ميتين).
func (w *spanWriter) numberAt(i int) (writtenSpan, bool) {
	s := w.s
	value, end, ok := s.readWholeNumber(i)
	if n, next := s.readDecimals(float64(value), end); ok && next > end {
		return writtenSpan{kind: numberSpan, texts: []string{formatNumber(n)}, first: i, last: next - 1}, true
	}
	whole := s.endsWithHundred(i, end, value) || end > i+1 && s[i].atom.local && end == len(s) // تلت مية
	if !ok || end == i+1 && !s.isCertain(i) || s.isWord(i, end, value) && !whole {
		return writtenSpan{}, false
	}
	text := strconv.Itoa(value)
	if n, next := s.writtenFraction(value, end); next > end {
		text, end = n, next
	}
	return writtenSpan{kind: numberSpan, texts: []string{text}, first: i, last: end - 1}, true
}

// isCertain reports whether the number word at i is one alone, too.
func (s inputSentence) isCertain(i int) bool {
	switch a := s[i].atom; a.kind {
	case teen, tens, hundreds:
		return !a.local && s[i].folded != "مئتا" && s[i].folded != "مائتا"
	case double:
		return strings.HasSuffix(s[i].folded, "ن")
	default:
		return false
	}
}

// writtenFraction writes ونص and وربع after a number below 1,000.
func (s inputSentence) writtenFraction(value, i int) (text string, next int) {
	j, joined := s.joinedByWaw(i)
	if !joined || s[j].atom.kind != fraction || value >= 1000 {
		return "", i
	}
	return formatNumber(float64(value) + float64(s[j].atom.value)/100), j + 1
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// plainNumber reads a number of any size, spoken or written, with a half or a quarter.
func (w *spanWriter) plainNumber(i int) (n float64, next int, ok bool) {
	s := w.s
	if i >= len(s) {
		return 0, i, false
	}
	if written := asciiNumber.FindString(WesternDigits(strings.TrimRight(w.raw[i], tailMarks))); written != "" {
		n, err := strconv.ParseFloat(strings.ReplaceAll(written, ",", ""), 64)
		if err != nil {
			return 0, i, false
		}
		if s.followsDirectly(i+1) && s[i+1].atom.kind == scale {
			return n * float64(s[i+1].atom.value), i + 2, true
		}
		return n, i + 1, true
	}
	value, end, ok := s.readWholeNumber(i)
	if !ok {
		return 0, i, false
	}
	if n, next := s.readDecimals(float64(value), end); next > end {
		return n, next, true
	}
	if j, joined := s.joinedByWaw(end); joined && s[j].atom.kind == fraction {
		part := float64(s[j].atom.value) / 100
		if value >= 1000 && value%1000 == 0 {
			part *= 1000
		}
		return float64(value) + part, j + 1, true
	}
	return float64(value), end, true
}

var asciiNumber = regexp.MustCompile(`^\d+(?:,\d{3})*(?:\.\d+)?$`)

// percentAt writes "خمسين بالمية" and "خمسة في المئة".
func (w *spanWriter) percentAt(i int) (writtenSpan, bool) {
	n, next, ok := w.plainNumber(i)
	if !ok || next >= len(w.s) || w.s[next-1].tail != "" {
		return writtenSpan{}, false
	}
	switch word := w.s.fullWordAt(next); {
	case percentWords[word]:
	case word == "في" && perHundred[w.s.fullWordAt(next+1)] && w.s[next].tail == "":
		next++
	default:
		return writtenSpan{}, false
	}
	return writtenSpan{kind: numberSpan, texts: []string{formatNumber(n) + "%"}, first: i, last: next}, true
}

var (
	percentWords = wordSet("بالمية بالميه بالمئة بالمائة بالماية")
	perHundred   = wordSet("المية المئة المائة الماية")
)

// digitsAt joins digits that are said one by one, from three on, up to the next punctuation.
func (w *spanWriter) digitsAt(i int) (writtenSpan, bool) {
	digits, next := w.spokenDigits(i)
	if len(digits) < 3 || w.isCounting(digits, next) {
		return writtenSpan{}, false
	}
	return writtenSpan{kind: digitsSpan, texts: []string{digits}, first: i, last: next - 1}, true
}

// spokenDigits reads single digits and their repetitions.
func (w *spanWriter) spokenDigits(i int) (digits string, next int) {
	for next = i; next < len(w.s); {
		if next > i && !w.s.followsDirectly(next) {
			break
		}
		part, end := w.singleDigits(next)
		if end == next {
			break
		}
		digits, next = digits+part, end
	}
	return digits, next
}

// singleDigits reads a digit, or one that is repeated: "دبل ستة", "ثلاث مرات صفر". A digit that begins a longer number
// is none.
func (w *spanWriter) singleDigits(i int) (digits string, next int) {
	s := w.s
	if times, j := s.repetition(i); j > i && s.followsDirectly(j) {
		if digit, end := w.oneDigit(j); end > j {
			return strings.Repeat(digit, times), end
		}
	}
	return w.oneDigit(i)
}

func (w *spanWriter) oneDigit(i int) (digit string, next int) {
	s := w.s
	if i >= len(s) || s[i].atom.kind != unit || s[i].prefix != "" && s[i].prefix != "و" {
		return "", i
	}
	if value, end, ok := s.readWholeNumber(i); ok && end == i+1 && value < 10 {
		return strconv.Itoa(value), end
	}
	return "", i
}

// isCounting reports whether digits are counted up rather than dictated: a noun that is counted, or ten, follows.
func (w *spanWriter) isCounting(digits string, next int) bool {
	for i := 1; i < len(digits); i++ {
		if digits[i] != digits[i-1]+1 {
			return false
		}
	}
	if !w.s.followsDirectly(next) {
		return false
	}
	_, noun := measures[w.s.fullWordAt(next)]
	return noun || w.s[next].atom.kind == ten
}
