package arabic

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded maps letters that writers interchange to one of them.
var folded = map[rune]rune{
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ٱ': 'ا',
	'ى': 'ي', 'ی': 'ي', 'ة': 'ه', 'ک': 'ك',
}

// FoldSpelling normalizes spelling variants of a word, for scoring and matching only: short vowels, other marks and
// tatweel are removed, forms of alef become a bare alef, alef maqsura ya, and ta marbuta ha; Eastern digits become 0-9,
// Latin letters lower case. Any other character separates words, except a point or comma inside a number; words are
// joined by single spaces. Hamza on و and ي is kept, since it distinguishes words.
func FoldSpelling(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	var before rune // the last one that is no silent mark
	for i, r := range s {
		f := lookUpFold(r)
		if f == silentMark {
			continue
		}
		if isDecimalMark(r) && unicode.IsDigit(before) && startsWithDigit(s[i+utf8.RuneLen(r):]) {
			f = foldRune(r)
		}
		before = r
		if f == wordGap {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(f)
	}
	return b.String()
}

// What folding makes of runes that are no part of a word.
const (
	silentMark rune = -1 // tatweel and combining marks are removed
	wordGap    rune = 0
)

// foldTable has what folding makes of the runes of Latin and Arabic script, up to U+06FF.
var foldTable = func() (table [0x700]rune) {
	for r := range table {
		table[r] = classifyFold(rune(r))
	}
	return table
}()

// lookUpFold returns classifyFold's answer.
func lookUpFold(r rune) rune {
	if int(r) < len(foldTable) {
		return foldTable[r]
	}
	return classifyFold(r)
}

// classifyFold returns the folded form of a letter or digit, or silentMark or wordGap.
func classifyFold(r rune) rune {
	switch {
	case r == 'ـ' || unicode.Is(unicode.M, r) || isDiacritic(r):
		return silentMark
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return foldRune(r)
	}
	return wordGap
}

// isDecimalMark reports whether a rune between two digits belongs to their number.
func isDecimalMark(r rune) bool { return r == '.' || r == ',' || r == '٫' }

// startsWithDigit reports whether the first rune that is no silent mark is a digit.
func startsWithDigit(s string) bool {
	for _, r := range s {
		if lookUpFold(r) != silentMark {
			return unicode.IsDigit(r)
		}
	}
	return false
}

func foldRune(r rune) rune {
	if digit := WesternDigit(r); digit != r {
		return digit
	}
	if f, ok := folded[r]; ok {
		return f
	}
	return unicode.ToLower(r)
}

// WesternDigit returns the Western form of an Arabic-Indic or Persian digit and of the Arabic decimal separator;
// other characters are unchanged.
func WesternDigit(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	case r == '٫':
		return '.'
	}
	return r
}
