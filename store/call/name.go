package call

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// PersonName returns the name of the call's person: the value of the variable that [Call.NameVariable] names; empty
// without one.
func (c Call) PersonName() string {
	name, _ := c.Variables[c.NameVariable].(string)
	return name
}

// The limits of the words by which a name is found.
const (
	maxNameWords  = 8  // further words are left out
	maxNameLetter = 32 // letters of a word; the others are cut off
)

// NameWords returns the words of a name, or of a search for one, as they are compared: each once, sorted. Spelling
// variants are folded: compatibility forms (NFKD), case, vowel marks and tatweel, the hamza with its carriers, ta
// marbuta as ha, alef maqsura as ya. Anything but letters and digits separates words.
func NameWords(name string) []string {
	words := strings.FieldsFunc(strings.Map(foldNameLetter, norm.NFKD.String(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = words[:min(len(words), maxNameWords)]
	for i, word := range words {
		letters := []rune(word)
		words[i] = string(letters[:min(len(letters), maxNameLetter)])
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// foldNameLetter returns the letter that stands for a letter and its variants; -1 for one that is left out. Marks stand
// alone after NFKD, also the hamza above or below its carrier.
func foldNameLetter(r rune) rune {
	switch {
	case unicode.Is(unicode.M, r) || unicode.Is(unicode.Cf, r) || r == 'ـ' || r == 'ء':
		return -1
	case r == 'ٱ':
		return 'ا'
	case r == 'ى' || r == 'ی':
		return 'ي'
	case r == 'ة' || r == 'ۃ' || r == 'ە' || r == 'ہ' || r == 'ھ':
		return 'ه'
	case r == 'ک':
		return 'ك'
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	}
	return unicode.ToLower(r)
}
