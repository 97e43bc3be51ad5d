package engine

import (
	"strings"

	"munadi/engine/arabic"
	"munadi/engine/model"
)

// encodePhrase tokenizes a phrase without diacritics; if the vocabulary can't write it, in lower case, then folded as
// text is compared. It returns nil if no form can be written.
func encodePhrase(m *model.SpeechModel, phrase string) []int {
	plain := plainText(phrase)
	for _, form := range []string{plain, strings.ToLower(plain), arabic.FoldSpelling(plain)} {
		if ids := m.Tokenizer.EncodeText(form); len(ids) > 0 && canWrite(m, ids) {
			return ids
		}
	}
	return nil
}

// canWrite reports whether no token stands for an unknown character.
func canWrite(m *model.SpeechModel, ids []int) bool {
	for _, id := range ids {
		if id == m.Tokenizer.UnknownID() || m.Vocabulary[id] == unknownPiece {
			return false
		}
	}
	return true
}
