package scenarios

import (
	"cmp"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/locale"
)

// LabelText returns the display name of a key: its label in the language, the usual word for the key, its label in the
// other language, or the key as words.
func LabelText(l locale.Language, own scenario.Label, key string) string {
	return cmp.Or(own.TextIn(string(l)), locale.SlotWord(l, key), own.AnyText(), KeyInWords(key))
}

// KeyInWords converts a key to words: "new_time" is "new time".
func KeyInWords(key string) string { return strings.TrimSpace(strings.ReplaceAll(key, "_", " ")) }

// ChoiceLabel returns the label of a choice.
func ChoiceLabel(l locale.Language, o scenario.ChoiceOption) string {
	own := o.Label
	if l == locale.Arabic && own.Arabic == "" && len(o.Phrases) > 0 {
		own.Arabic = o.Phrases[0]
	}
	return cmp.Or(own.TextIn(string(l)), own.AnyText(), KeyInWords(o.Value))
}
