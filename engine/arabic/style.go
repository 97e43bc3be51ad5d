package arabic

import (
	"strings"
	"unicode"
)

// Style selects the marks of a model's output that are kept. The zero value drops diacritics, which models write
// inconsistently, and keeps punctuation.
type Style struct {
	KeepDiacritics   bool
	StripPunctuation bool
}

// Write returns a word in the style; "" if it consists of dropped marks.
func (s Style) Write(word string) string {
	if !s.KeepDiacritics {
		word = StripDiacritics(word)
	}
	if s.StripPunctuation {
		word = strings.TrimFunc(word, isSentenceMark)
	}
	return word
}

// diacritics are the Arabic marks for vowels, doubling and recitation. Hamza and madda as separate marks (U+0653 to
// U+0655) are parts of letters and are kept.
var diacritics = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0610, Hi: 0x061a, Stride: 1},
	{Lo: 0x064b, Hi: 0x0652, Stride: 1},
	{Lo: 0x0656, Hi: 0x065f, Stride: 1},
	{Lo: 0x0670, Hi: 0x0670, Stride: 1},
	{Lo: 0x06d6, Hi: 0x06dc, Stride: 1},
	{Lo: 0x06df, Hi: 0x06e8, Stride: 1},
	{Lo: 0x06ea, Hi: 0x06ed, Stride: 1},
}}

// StripDiacritics removes Arabic diacritics. Text without any is returned unchanged; in other text invalid bytes become
// U+FFFD, since removing a diacritic between two of them could form a letter.
func StripDiacritics(s string) string {
	if !strings.ContainsFunc(s, isDiacritic) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isDiacritic(r) {
			return -1
		}
		return r
	}, s)
}

func isDiacritic(r rune) bool { return unicode.Is(diacritics, r) }

// isSentenceMark reports whether a rune is sentence punctuation, unlike a percent or minus sign.
func isSentenceMark(r rune) bool {
	return strings.ContainsRune("،؛؟۔.,;:!?…\"'«»()[]{}“”‘’–—", r)
}
