package locale

// Text is a text of the interface: Arabic, English.
type Text [2]string

// In returns the text in a language.
func (t Text) In(l Language) string { return pickLanguage(l, t[0], t[1]) }

// CountedPair is a sentence with a number: Arabic, English.
type CountedPair [2]CountedText

// In returns the sentence in a language.
func (t CountedPair) In(l Language) CountedText { return pickLanguage(l, t[0], t[1]) }

// WordTable are the display names of values: the value, Arabic, English.
type WordTable [][3]string

// Word returns the name of a value; empty without one.
func (t WordTable) Word(l Language, value string) string {
	word, _ := t.findWord(l, value)
	return word
}

// findWord returns the name of a value; false without one.
func (t WordTable) findWord(l Language, value string) (string, bool) {
	for _, row := range t {
		if row[0] == value {
			return pickLanguage(l, row[1], row[2]), true
		}
	}
	return "", false
}

// NameOf returns the name of a value; the value itself without one.
func (t WordTable) NameOf(l Language, value string) string {
	if word, ok := t.findWord(l, value); ok && word != "" {
		return word
	}
	return value
}

// NameOf returns the name of a value; the value itself without one.
func NameOf(l Language, value string, names map[string]Text) string {
	if name, ok := names[value]; ok {
		return name.In(l)
	}
	return value
}
