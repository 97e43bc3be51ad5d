package locale

import (
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// CountedText is a sentence with a number in the plural forms of its language (CLDR cardinal categories): Arabic has
// six, English two. {n} is the number; other {placeholders} are filled by [CountedText.Fill]. The zero value is empty
// text.
type CountedText struct {
	lang  Language
	forms [plural.Many + 1]string // by category; an empty one is read as Other
}

// ArabicCount returns an Arabic sentence in its six forms: 0, 1, 2, 3–10, 11–99 and the rest (100, 101, 102, 200…).
func ArabicCount(zero, one, two, few, many, other string) CountedText {
	t := CountedText{lang: Arabic}
	t.forms[plural.Zero], t.forms[plural.One], t.forms[plural.Two] = zero, one, two
	t.forms[plural.Few], t.forms[plural.Many], t.forms[plural.Other] = few, many, other
	return t
}

// EnglishCount returns an English sentence in its two forms: 1 and the rest.
func EnglishCount(one, other string) CountedText {
	t := CountedText{lang: English}
	t.forms[plural.One], t.forms[plural.Other] = one, other
	return t
}

// Fill returns the sentence for a number; pairs are further placeholders and their values.
func (t CountedText) Fill(n int, pairs ...any) string {
	text := t.forms[t.pluralForm(n)]
	if text == "" {
		text = t.forms[plural.Other]
	}
	return FillSentence(strings.ReplaceAll(text, "{n}", FormatCount(n)), pairs...)
}

// pluralForm returns the CLDR category of an integer.
func (t CountedText) pluralForm(n int) plural.Form {
	tag := pickLanguage(t.lang, language.Arabic, language.English)
	return plural.Cardinal.MatchPlural(tag, max(n, -n), 0, 0, 0, 0)
}

// ArabicNoun returns the six forms of a sentence with a counted noun between before and after; few, many and other
// follow the number. The dual is in the case that the sentence requires.
func ArabicNoun(before, none, one, two, few, many, other, after string) CountedText {
	return ArabicCount(
		before+none+after, before+one+after, before+two+after, before+"{n} "+few+after, before+"{n} "+many+after,
		before+"{n} "+other+after,
	)
}

// WithDual replaces the form for two: verbs and pronouns after a dual are dual, too.
func (t CountedText) WithDual(sentence string) CountedText {
	t.forms[plural.Two] = sentence
	return t
}

// ArabicCalls returns a sentence around a number of calls, in the nominative case.
func ArabicCalls(before, after string) CountedText {
	return ArabicNoun(before, "لا مكالمات", "مكالمة واحدة", "مكالمتان", "مكالمات", "مكالمة", "مكالمة", after)
}

// ArabicOfCalls is arabicCalls in the accusative or genitive case.
func ArabicOfCalls(before, after string) CountedText {
	return ArabicNoun(before, "0 مكالمات", "مكالمة واحدة", "مكالمتين", "مكالمات", "مكالمة", "مكالمة", after)
}
