package arabic

import (
	"slices"
	"strings"
)

// WrittenForm writes transcripts as people write them (inverse text normalization, ITN): numbers, amounts of money,
// telephone numbers, times, dates, percentages, e-mail addresses, order numbers and number plates.
//
//   - Small numbers of one word stay words (خمسة, مية, ألف), since they are as often no count; with a currency, a
//     percentage or a clock they are written.
//   - Digits said one by one are joined from three on. A counted list ("خمسة ستة سبعة أيام") is none.
//   - A telephone number is in E.164 form if it is complete, or a mobile number of Country.
//   - A time is HH:MM, on the 24-hour clock if the part of the day was said. It follows الساعة, or the part of the day
//     follows it.
//   - A date is YYYY-MM-DD if its year was said and the day exists.
//   - Amounts of money have their ISO 4217 code. A دينار without its country is that of Country, else it stays a word.
//
// The zero value is that of Saudi Arabia with ASCII digits.
type WrittenForm struct {
	Country     string // ISO 3166-1 alpha-2, of local numbers and currencies; empty: SA
	ArabicIndic bool   // ٠١٢ for 012; not in e-mail addresses and order numbers
}

// spanKind is what a written span is.
type spanKind int

const (
	numberSpan spanKind = iota // a number, a percentage
	digitsSpan                 // digits said one by one
	phoneSpan
	moneySpan
	timeSpan
	dateSpan
	emailSpan
	codeSpan // an order number or a number plate
)

// writtenSpan replaces words first to last, inclusive, by texts: without spaces, in the order of the words.
type writtenSpan struct {
	kind        spanKind
	texts       []string
	first, last int
}

// WriteWords returns a sentence's words in written form. The pieces cover all words in order; a piece of several words
// of output has them separated by spaces.
func (f WrittenForm) WriteWords(words []string) []OutputPiece {
	w := newWriter(f, words)
	pieces := make([]OutputPiece, 0, len(words))
	for i := 0; i < len(words); {
		span, ok := w.spanAt(i)
		if !ok {
			pieces = append(pieces, OutputPiece{Text: f.showDigits(WesternDigits(words[i])), First: i, Last: i})
			i++
			continue
		}
		pieces = append(pieces, w.piecesOf(span)...)
		i = span.last + 1
	}
	return pieces
}

// spanWriter finds the spans of a sentence.
type spanWriter struct {
	form WrittenForm
	s    inputSentence
	day  inputSentence // the same, with numbers after an article, as in times and dates
	raw  []string
}

func newWriter(f WrittenForm, words []string) *spanWriter {
	if f.Country == "" {
		f.Country = "SA"
	}
	w := &spanWriter{form: f, s: readWords(words), raw: words}
	for i, word := range words {
		if strings.ContainsAny(word, brackets) { // they would get lost
			w.s[i] = inputWord{said: w.s[i].said, folded: w.s[i].said, tail: w.s[i].tail + " "}
		}
	}
	w.day = slices.Clone(w.s)
	for i, word := range w.day {
		if word.atom.kind == other {
			w.day[i] = stripNumberPrefix(word)
		}
	}
	return w
}

// brackets are punctuation that may stand before a word, or belongs to it.
const brackets = `"'«»()[]{}“”‘’<>`

// spanAt returns the span that begins with word i: the first kind that fits.
func (w *spanWriter) spanAt(i int) (writtenSpan, bool) {
	for _, read := range []func(int) (writtenSpan, bool){
		w.emailAt, w.codeAt, w.plateAt, w.dateAt, w.clockAt, w.phoneAt, w.moneyAt, w.percentAt, w.digitsAt, w.numberAt,
	} {
		if span, ok := read(i); ok {
			return span, true
		}
	}
	return writtenSpan{}, false
}

// piecesOf returns the output of a span, with the prefix of its first word and the punctuation after its last one. Each
// text is a piece if there are enough words: the first one takes all words that the others leave.
func (w *spanWriter) piecesOf(span writtenSpan) []OutputPiece {
	texts := make([]string, len(span.texts))
	for i, text := range span.texts {
		if texts[i] = text; span.kind != emailSpan && span.kind != codeSpan {
			texts[i] = w.form.showDigits(text)
		}
	}
	texts[0] = w.s[span.first].prefix + texts[0]
	texts[len(texts)-1] += strings.TrimSpace(w.s[span.last].tail)
	if len(texts) > span.last-span.first+1 {
		return []OutputPiece{{Text: strings.Join(texts, " "), First: span.first, Last: span.last}}
	}
	pieces := make([]OutputPiece, len(texts))
	last := span.last
	for i := len(texts) - 1; i >= 0; i-- {
		first := last
		if i == 0 {
			first = span.first
		}
		pieces[i] = OutputPiece{Text: texts[i], First: first, Last: last}
		last = first - 1
	}
	return pieces
}

// showDigits returns a text in the form's digits.
func (f WrittenForm) showDigits(text string) string {
	if !f.ArabicIndic {
		return text
	}
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case r >= '0' && r <= '9':
			runes[i] = '٠' + r - '0'
		case r == '%':
			runes[i] = '٪'
		case r == '.' && i > 0 && i+1 < len(runes) && isDigit(runes[i-1]) && isDigit(runes[i+1]):
			runes[i] = '٫'
		}
	}
	return string(runes)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= '٠' && r <= '٩' }

// WesternDigits writes the digits of both Arabic scripts, and the decimal separator between them, as ASCII.
func WesternDigits(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return WesternDigit(r) != r }) {
		return s
	}
	return strings.Map(WesternDigit, s)
}
