package mode

import (
	"strings"

	"munadi/engine"
	"munadi/engine/text"
	"munadi/store/restaurant"
)

// Format is the segment as this turn shows it: in restaurant mode spoken numbers are digits. Words that became one
// number become one word, from the first's start to the last's end, as sure as the least sure of them.
func (t *Turn) Format(s engine.Segment) engine.Segment {
	if t.Mode != restaurant.Restaurant {
		return s
	}
	spoken := strings.Fields(s.Text)
	pieces := text.Digits(spoken)
	s.Text = join(pieces)
	if len(s.Words) == len(spoken) {
		s.Words = merge(s.Words, pieces)
	}
	return s
}

func join(pieces []text.Piece) string {
	words := make([]string, len(pieces))
	for i, p := range pieces {
		words[i] = p.Text
	}
	return strings.Join(words, " ")
}

func merge(words []engine.Word, pieces []text.Piece) []engine.Word {
	out := make([]engine.Word, 0, len(pieces))
	for _, p := range pieces {
		w := words[p.First]
		w.Text, w.End = p.Text, words[p.Last].End
		for _, part := range words[p.First : p.Last+1] {
			w.Confidence = min(w.Confidence, part.Confidence)
		}
		out = append(out, w)
	}
	return out
}
