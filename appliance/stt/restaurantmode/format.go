package restaurantmode

import (
	"strings"

	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/store/restaurant"
)

// FormatSegment applies inverse text normalization in restaurant mode: spoken numbers become digits. Words that form
// one number become one word, from the first's start to the last's end, with the lowest of their probabilities; it has
// no tokens, since the vocabulary spells numbers in words.
func (t *ModeTurn) FormatSegment(s engine.Segment) engine.Segment {
	if t.Mode != restaurant.Restaurant {
		return s
	}
	spoken := strings.Fields(s.Text)
	pieces := arabic.NumbersToDigits(spoken)
	s.Text = joinPieces(pieces)
	if len(s.Words) == len(spoken) {
		s.Tokens = shownTokens(s, pieces)
		s.Words = mergeWords(s.Words, pieces)
	}
	return s
}

// shownTokens returns the tokens of the words that are shown unchanged.
func shownTokens(s engine.Segment, pieces []arabic.OutputPiece) []int {
	at, begins := 0, make([]int, len(s.Words)+1)
	for i, w := range s.Words {
		at += w.TokenCount
		begins[i+1] = at
	}
	if at != len(s.Tokens) {
		return s.Tokens // words without letters have some of the tokens
	}
	var tokens []int
	for _, p := range pieces {
		if p.First == p.Last && p.Text == s.Words[p.First].Text {
			tokens = append(tokens, s.Tokens[begins[p.First]:begins[p.First+1]]...)
		}
	}
	return tokens
}

func joinPieces(pieces []arabic.OutputPiece) string {
	words := make([]string, len(pieces))
	for i, p := range pieces {
		words[i] = p.Text
	}
	return strings.Join(words, " ")
}

func mergeWords(words []engine.Word, pieces []arabic.OutputPiece) []engine.Word {
	out := make([]engine.Word, 0, len(pieces))
	for _, p := range pieces {
		w := words[p.First]
		if w.Text != p.Text {
			w.TokenCount = 0
		}
		w.Text, w.End = p.Text, words[p.Last].End
		for _, part := range words[p.First : p.Last+1] {
			w.Confidence = min(w.Confidence, part.Confidence)
		}
		out = append(out, w)
	}
	return out
}
