// Package locale is every word that a person reads on a page, in Arabic and in English.
//
// Each room of the page has a struct of its strings, so that a missing one is seen by the compiler or by the test that
// walks both tables; what scripts say at run time is a table of keyed messages with {placeholders}. No other package of
// ui holds a sentence. It knows no template and no request.
package locale

// Language is a language of the interface.
type Language string

// The languages there are. Arabic comes first: it is what a visitor sees who chose nothing.
const (
	Arabic  Language = "ar"
	English Language = "en"
)

// AllLanguages lists them, the default first.
func AllLanguages() []Language { return []Language{Arabic, English} }

// ParseLang reads a language tag; false for any that there is no table for.
func ParseLang(s string) (Language, bool) {
	switch Language(s) {
	case Arabic, English:
		return Language(s), true
	}
	return Arabic, false
}

// TextDirection returns the value of the dir attribute.
func (l Language) TextDirection() string {
	if l == English {
		return "ltr"
	}
	return "rtl"
}

// OtherLanguage returns the language that the switch leads to.
func (l Language) OtherLanguage() Language {
	if l == English {
		return Arabic
	}
	return English
}

// LanguageName returns the language's name in itself.
func (l Language) LanguageName() string {
	if l == English {
		return "English"
	}
	return "العربية"
}

func pickLanguage[T any](l Language, arabic, english T) T {
	if l == English {
		return english
	}
	return arabic
}
