package token

import (
	"slices"
	"unicode/utf8"
)

const (
	unknownPenalty = 10  // a character without a piece scores this less than the worst piece
	verbatimMargin = 0.1 // a user-defined symbol scores this less than its length times the best
)

// node is the best way to a position of the text: its score, and the last piece on it.
type node struct {
	score   float32
	from    int
	id      int
	reached bool
}

// viterbi divides text into the pieces of the largest sum of scores, by a unigram language model
// (Kudo 2018). Sums are rounded to float32 as SentencePiece's are.
func (t *Tokenizer) viterbi(text string) []span {
	best := make([]node, len(text)+1)
	for start := 0; start < len(text); {
		_, width := utf8.DecodeRuneInString(text[start:])
		if !t.extend(best, text, start, width) {
			score := float64(t.minScore-unknownPenalty) + float64(best[start].score)
			best[start+width].improve(score, start, t.unk)
		}
		start += width
	}
	var spans []span
	for end := len(text); end > 0; {
		n := best[end]
		spans = append(spans, span{text[n.from:end], n.id})
		end = n.from
	}
	slices.Reverse(spans)
	return spans
}

// extend tries every piece that begins at start, where a character of that width stands, and
// tells whether one of them is that character.
func (t *Tokenizer) extend(best []node, text string, start, width int) (single bool) {
	limit := min(len(text), start+t.longest)
	for end := start + width; end <= limit; {
		if id, ok := t.ids[text[start:end]]; ok && t.pieces[id].kind != unused {
			score := float64(t.pieces[id].score)
			if t.pieces[id].kind == userDefined {
				score = float64(float32(end-start)*t.maxScore) - verbatimMargin
			}
			best[end].improve(score+float64(best[start].score), start, id)
			single = single || end == start+width
		}
		if end == len(text) {
			break
		}
		_, w := utf8.DecodeRuneInString(text[end:])
		end += w
	}
	return single
}

// improve takes a way of that score if it is the first or better than the best.
func (n *node) improve(score float64, from, id int) {
	if !n.reached || score > float64(n.score) {
		*n = node{score: float32(score), from: from, id: id, reached: true}
	}
}
