package arabic

import (
	"slices"
	"strings"
	"unicode"
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
	runes := slices.DeleteFunc([]rune(s), isSilentMark)
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || insideNumber(runes, i):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(foldRune(r))
		default:
			gap = true
		}
	}
	return b.String()
}

// isSilentMark reports whether folding removes a rune: tatweel and combining marks.
func isSilentMark(r rune) bool { return r == 'ـ' || unicode.Is(unicode.M, r) || isDiacritic(r) }

// insideNumber reports whether the rune at i is a decimal point or a comma between two digits.
func insideNumber(runes []rune, i int) bool {
	if r := runes[i]; r != '.' && r != ',' && r != '٫' {
		return false
	}
	return i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
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
