// Package locale holds the translations (i18n): every user-visible text of the pages, in Arabic and English.
//
// Each page has a struct of its texts, so that the compiler or the test of both tables detects a missing one; texts of
// scripts are a table of keyed messages with {placeholders}. No other package of ui contains texts.
package locale

// Language is an interface language.
type Language string

// Languages. Arabic is the default.
const (
	Arabic  Language = "ar"
	English Language = "en"
)

// AllLanguages lists them, the default first.
func AllLanguages() []Language { return []Language{Arabic, English} }

// ParseLang parses a language tag; false for an unsupported one.
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
