package textform

import (
	"strings"

	"munadi/engine"
	"munadi/engine/arabic"
)

// ReplaceWords replaces words of a segment by the pieces that replace returns for them. Words of one piece become one
// word, from the first's start to the last's end, with the lowest of their probabilities; it has no tokens, since the
// vocabulary spells it otherwise. Words and tokens stay as they are where they are not those of the text.
func ReplaceWords(s engine.Segment, replace func(words []string) []arabic.OutputPiece) engine.Segment {
	spoken := strings.Fields(s.Text)
	pieces := replace(spoken)
	s.Text = strings.Join(texts(pieces), " ")
	if len(s.Words) == len(spoken) {
		s.Tokens = keptTokens(s, pieces)
		s.Words = mergeWords(s.Words, pieces)
	}
	return s
}

func texts(pieces []arabic.OutputPiece) []string {
	out := make([]string, len(pieces))
	for i, p := range pieces {
		out[i] = p.Text
	}
	return out
}

// keptTokens returns the tokens of the words that are unchanged.
func keptTokens(s engine.Segment, pieces []arabic.OutputPiece) []int {
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
		out = append(out, splitWord(w)...)
	}
	return out
}

// splitWord splits a word that stands for several ("ريالين" is "2 SAR") into words of the same length.
func splitWord(w engine.Word) []engine.Word {
	parts := strings.Fields(w.Text)
	if len(parts) < 2 {
		return []engine.Word{w}
	}
	out := make([]engine.Word, len(parts))
	step := (w.End - w.Start) / float64(len(parts))
	for i, part := range parts {
		out[i] = w
		out[i].Text, out[i].Start, out[i].End = part, w.Start+float64(i)*step, w.Start+float64(i+1)*step
	}
	return out
}

// isAligned reports whether a segment's words are those of its text.
func isAligned(s engine.Segment) bool { return len(s.Words) == len(strings.Fields(s.Text)) }

// countTokens returns the number of tokens of words.
func countTokens(words []engine.Word) int {
	n := 0
	for _, w := range words {
		n += w.TokenCount
	}
	return n
}

// replaceAcross replaces words of aligned segments in place, as [ReplaceWords] does, as if they were one. A piece is in
// the segment of its first word.
func replaceAcross(segments []engine.Segment, replace func(words []string) []arabic.OutputPiece) {
	whole := engine.Segment{}
	var ends []int // of each segment, in words
	for _, s := range segments {
		whole.Words, whole.Tokens = append(whole.Words, s.Words...), append(whole.Tokens, s.Tokens...)
		ends = append(ends, len(whole.Words))
	}
	said := make([]string, len(whole.Words))
	for i, w := range whole.Words {
		said[i] = w.Text
	}
	pieces, counted := replace(said), countTokens(whole.Words) == len(whole.Tokens)
	for i := range segments {
		n := 0
		for n < len(pieces) && pieces[n].First < ends[i] {
			n++
		}
		own := pieces[:n]
		pieces = pieces[n:]
		s := &segments[i]
		s.Text, s.Words = strings.Join(texts(own), " "), mergeWords(whole.Words, own)
		if counted {
			s.Tokens = keptTokens(whole, own)
		}
		if n > 0 {
			s.End = max(s.End, s.Words[len(s.Words)-1].End)
		}
	}
}
