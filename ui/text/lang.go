// Package text is every word that a person reads on a page, in Arabic and in English.
//
// Each room of the page has a struct of its strings, so that a missing one is seen by the compiler or by the test that
// walks both tables; what scripts say at run time is a table of keyed messages with {placeholders}. No other package of
// ui holds a sentence. It knows no template and no request.
package text

// Lang is a language of the interface.
type Lang string

// The languages there are. Arabic comes first: it is what a visitor sees who chose nothing.
const (
	Arabic  Lang = "ar"
	English Lang = "en"
)

// Languages lists them, the default first.
func Languages() []Lang { return []Lang{Arabic, English} }

// ParseLang reads a language tag; false for any that there is no table for.
func ParseLang(s string) (Lang, bool) {
	switch Lang(s) {
	case Arabic, English:
		return Lang(s), true
	}
	return Arabic, false
}

// Dir is the value of the dir attribute.
func (l Lang) Dir() string {
	if l == English {
		return "ltr"
	}
	return "rtl"
}

// Other is the language that the switch leads to.
func (l Lang) Other() Lang {
	if l == English {
		return Arabic
	}
	return English
}

// Name is the language's name in itself.
func (l Lang) Name() string {
	if l == English {
		return "English"
	}
	return "العربية"
}

func pick[T any](l Lang, arabic, english T) T {
	if l == English {
		return english
	}
	return arabic
}
