package service

import (
	"slices"
	"strings"

	"munadi/store/call"
)

// WordPlace identifies one word of a turn: its index among the turn's words, which are separated by white space, and
// the word that was displayed there.
type WordPlace struct {
	Number int
	Was    string
}

// replaceWord returns a turn's text with one word replaced by any number of words; false if the turn was corrected
// since and has another word there.
func replaceWord(content string, at WordPlace, by string) (string, bool) {
	words := strings.Fields(content)
	if at.Number < 0 || at.Number >= len(words) || words[at.Number] != at.Was {
		return content, false
	}
	return strings.Join(slices.Replace(words, at.Number, at.Number+1, strings.Fields(by)...), " "), true
}

// correctedContent returns a turn's corrected text; false with a violation when the word to replace is not in it.
func correctedContent(c call.Call, one TurnCorrection, broken *FieldViolations) (string, bool) {
	if one.Word == nil {
		return strings.TrimSpace(one.Content), true
	}
	content, found := replaceWord(c.CurrentMessages()[one.Index].Content, *one.Word, one.Content)
	if !found {
		broken.AddViolation(one.Path+".word", "is not in the turn any more")
	}
	return content, found
}
