package tokenizer

import (
	"slices"
	"unicode/utf8"
)

const (
	unknownPenalty = 10  // a character without a piece scores this less than the worst piece
	verbatimMargin = 0.1 // a user-defined symbol scores this less than its length times the best
)

// viterbiNode is the best path to a position of the text: its score and last piece.
type viterbiNode struct {
	score   float32
	from    int
	id      int
	reached bool
}

// viterbiPieces divides text into the pieces of the largest sum of scores, by a unigram language model
// (Kudo 2018). Sums are rounded to float32 as SentencePiece's are.
func (t *Tokenizer) viterbiPieces(text string) []pieceSpan {
	best := make([]viterbiNode, len(text)+1)
	for start := 0; start < len(text); {
		_, width := utf8.DecodeRuneInString(text[start:])
		if !t.extendFrom(best, text, start, width) {
			score := float64(t.minScore-unknownPenalty) + float64(best[start].score)
			best[start+width].improveWith(score, start, t.unk)
		}
		start += width
	}
	var spans []pieceSpan
	for end := len(text); end > 0; {
		n := best[end]
		spans = append(spans, pieceSpan{text[n.from:end], n.id})
		end = n.from
	}
	slices.Reverse(spans)
	return spans
}

// extendFrom extends the best path at start by every piece that begins there, and reports whether one of them is the
// single character, of the given width.
func (t *Tokenizer) extendFrom(best []viterbiNode, text string, start, width int) (single bool) {
	limit := min(len(text), start+t.longest)
	for end := start + width; end <= limit; {
		if id, ok := t.ids[text[start:end]]; ok && t.pieces[id].kind != unused {
			score := float64(t.pieces[id].score)
			if t.pieces[id].kind == userDefined {
				score = float64(float32(end-start)*t.maxScore) - verbatimMargin
			}
			best[end].improveWith(score+float64(best[start].score), start, id)
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

// improveWith replaces the path if it is the first or has a higher score.
func (n *viterbiNode) improveWith(score float64, from, id int) {
	if !n.reached || score > float64(n.score) {
		*n = viterbiNode{score: float32(score), from: from, id: id, reached: true}
	}
}
