package arabic

import (
	"slices"
	"strings"
)

// RedactedText stands for redacted words.
const RedactedText = "[…]"

// redactedDigits is the number of digits from which a number is redacted.
const redactedDigits = 5

// FindIdentifiers marks the words of what identifies a person: telephone and order numbers, number plates, e-mail
// addresses, and other numbers and digits from five digits on, spoken or written. Amounts of money, dates and times are
// none.
func FindIdentifiers(words []string) []bool {
	w := newWriter(WrittenForm{}, words)
	marks := make([]bool, len(words))
	for i := 0; i < len(words); {
		if n := w.numberRun(i); n > i {
			i = markWords(marks, i, n)
			continue
		}
		span, ok := w.spanAt(i)
		switch {
		case ok && span.identifies():
			i = markWords(marks, i, span.last+1)
		case ok:
			i = span.last + 1
		default:
			marks[i] = isWrittenIdentifier(words[i])
			i++
		}
	}
	return marks
}

// onceNamed are folded units of time that a single digit counts in the plural only: in "ستة سبعة يوم الخميس"
// and "ستة سبعة دقيقة من فضلك" the last digit is one of the number.
var onceNamed = wordSet("يوم ساعة دقيقة أسبوع شهر")

func markWords(marks []bool, from, to int) int {
	for i := from; i < to; i++ {
		marks[i] = true
	}
	return to
}

// numberRun returns the end of numbers that follow each other directly, with or without punctuation between them, and
// have five digits or more together, as numbers are dictated in groups: "خمسة وخمسين، ستة وستين، سبعة". A number before
// a currency or another unit is none of them. A single word between digits that are said one by one is taken for a
// digit that was misheard, and belongs to them. It returns i for fewer digits.
func (w *spanWriter) numberRun(i int) int {
	digits, next, groups := 0, i, 0
	last, lastDigits := i, 0
	for next < len(w.s) {
		if w.isMisheardDigit(next) && next > i {
			next++
			continue
		}
		part, end, _ := w.digitGroup(next)
		if end == next || next > i && w.s[next].prefix != "" {
			break
		}
		last, lastDigits = next, len(part)
		digits, next, groups = digits+len(part), end, groups+1
	}
	if w.countsUnit(last, next, lastDigits) {
		digits, next, groups = digits-lastDigits, last, groups-1
	}
	if digits < redactedDigits || groups < 2 {
		return i
	}
	return next
}

// isMisheardDigit reports whether word i is no number and stands directly between two single digits or more on each
// side.
func (w *spanWriter) isMisheardDigit(i int) bool {
	if i < 2 || i+2 >= len(w.s) || isNumeric(w.raw[i]) || w.isAmountUnit(i) || w.s[i-1].tail+w.s[i].tail != "" {
		return false
	}
	before, _ := w.spokenDigits(i - 2)
	after, _ := w.spokenDigits(i + 1)
	return len(before) >= 2 && len(after) >= 2
}

// countsUnit reports whether word next is a unit that the number of so many digits before it, from word i on, counts.
func (w *spanWriter) countsUnit(i, next, digits int) bool {
	if next >= len(w.s) || !w.isAmountUnit(next) {
		return false
	}
	unit := w.s.fullWordAt(next)
	_, isDate := weekdays[w.s.fullWordAt(next+1)]
	_, after := w.s.repetition(i) // مرتين ستة
	return after == i && (digits > 1 || !onceNamed[unit]) && (unit != "يوم" || !isDate)
}

// isAmountUnit reports whether word i is a currency or another unit.
func (w *spanWriter) isAmountUnit(i int) bool {
	word := w.s.fullWordAt(i)
	return measures[word] != "" || currencyForms[word] != "" || subunitForms[word] != ""
}

// identifies reports whether a span is redacted.
func (s writtenSpan) identifies() bool {
	switch s.kind {
	case phoneSpan, emailSpan, codeSpan:
		return true
	case numberSpan, digitsSpan:
		return countDigits(strings.Join(s.texts, "")) >= redactedDigits
	case moneySpan, timeSpan, dateSpan:
	}
	return false
}

// isWrittenIdentifier reports whether a word is a long number or an e-mail address in writing.
func isWrittenIdentifier(word string) bool {
	bare := WesternDigits(strings.TrimRight(word, tailMarks))
	return countDigits(bare) >= redactedDigits || strings.Contains(strings.Trim(bare, "@"), "@")
}

func countDigits(s string) int {
	n := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

// MarkPhrase marks where a phrase stands in words, in any spelling, also after و, ل or ب.
func MarkPhrase(words []string, phrase string, marks []bool) {
	wanted := strings.Fields(FoldSpelling(phrase))
	for i := 0; len(wanted) > 0 && i+len(wanted) <= len(words); i++ {
		same := slices.Contains(strippedForms(FoldSpelling(words[i])), wanted[0])
		for j := 1; same && j < len(wanted); j++ {
			same = FoldSpelling(words[i+j]) == wanted[j]
		}
		if same {
			markWords(marks, i, i+len(wanted))
		}
	}
}

// MaskWords replaces marked words by [RedactedText], those that follow each other by one.
func MaskWords(words []string, marks []bool) []OutputPiece {
	pieces := make([]OutputPiece, 0, len(words))
	for i, word := range words {
		tail := word[len(strings.TrimRight(word, tailMarks)):]
		switch last := len(pieces) - 1; {
		case !marks[i]:
			pieces = append(pieces, OutputPiece{Text: word, First: i, Last: i})
		case i > 0 && marks[i-1]:
			pieces[last].Last, pieces[last].Text = i, RedactedText+tail
		default:
			pieces = append(pieces, OutputPiece{Text: RedactedText + tail, First: i, Last: i})
		}
	}
	return pieces
}

// EndsInNumber reports whether the last word may continue in a number that the next sentence begins with, as people
// pause between the groups of a number.
func EndsInNumber(words []string) bool { return len(words) > 0 && isNumeric(words[len(words)-1]) }

func isNumeric(word string) bool {
	a := readWord(word).atom
	return a.kind != other && a.kind != fraction || strings.ContainsFunc(word, isDigit) ||
		letterNames[FoldSpelling(word)] != ""
}
