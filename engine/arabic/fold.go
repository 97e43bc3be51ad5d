package arabic

import (
	"strings"
	"unicode"
)

// folded maps spellings that Arabic writers use for one another to one of them.
var folded = map[rune]rune{
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ٱ': 'ا',
	'ى': 'ي', 'ی': 'ي', 'ة': 'ه', 'ک': 'ك',
}

// FoldSpelling brings spellings of one word together, for scoring and matching only: short vowels, other marks and
// tatweel go, alef's forms become a bare alef, alef maqsura ya, and ta marbuta ha; Eastern digits become 0-9, Latin
// letters lower case. Whatever is neither letter nor digit separates words, except a point or comma inside a number;
// words come out with single spaces between them. Hamza on و and ي stays, as it tells words apart.
func FoldSpelling(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == 'ـ' || unicode.Is(unicode.M, r) || isDiacritic(r):
			continue
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

// insideNumber reports whether the rune at i is a decimal point or a comma with a digit on either side.
func insideNumber(runes []rune, i int) bool {
	if r := runes[i]; r != '.' && r != ',' && r != '٫' {
		return false
	}
	return i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
}

func foldRune(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	case r == '٫':
		return '.'
	}
	if f, ok := folded[r]; ok {
		return f
	}
	return unicode.ToLower(r)
}
