package engine

import (
	"math"
	"strings"

	"munadi/engine/arabic"
	"munadi/engine/decode"
)

// markTable maps the pieces of a vocabulary that writes diacritics and punctuation to pieces without them, so that
// phrases and expected answers are found whether the model writes the marks or not: a piece of marks alone maps to the
// blank, one with marks to the piece without. Phrases are folded by the same function, plainText.
type markTable struct {
	plain []int // by label: itself, the piece without marks, or the blank
	blank int
}

// sentenceMarks are the punctuation that models write between words. Marks inside of words, as in don't, are spelling.
const sentenceMarks = ".,،؛;:!?؟…"

// plainText returns text without diacritics, and without punctuation at the end of its words.
func plainText(text string) string {
	words := strings.Fields(arabic.StripDiacritics(text))
	for i, word := range words {
		words[i] = strings.TrimRight(word, sentenceMarks)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// newMarks returns the table of a vocabulary; nil if no piece has diacritics or punctuation.
func newMarks(pieces []string) *markTable {
	m := &markTable{plain: make([]int, len(pieces)+1), blank: len(pieces)}
	ids := make(map[string]int, len(pieces))
	for id, piece := range pieces {
		if _, taken := ids[piece]; !taken {
			ids[piece] = id
		}
	}
	marked := false
	for id, piece := range pieces {
		m.plain[id] = id
		stripped := plainText(piece)
		if stripped == piece || piece == wordMark {
			continue
		}
		if other, there := ids[stripped]; there && stripped != wordMark {
			m.plain[id], marked = other, true
		} else if stripped == "" || stripped == wordMark {
			m.plain[id], marked = m.blank, true
		}
	}
	m.plain[m.blank] = m.blank
	if !marked {
		return nil
	}
	return m
}

// unlikely is the log-probability of a label that was folded into another one.
const unlikely = -1e9

// logProbs adds the probability of each marked piece to that of its plain one.
func (m *markTable) logProbs(lp decode.LogProbs) decode.LogProbs {
	out := lp
	out.Data = append([]float32(nil), lp.Data...)
	for t := range lp.T {
		m.foldRow(out.At(t))
	}
	return out
}

func logAdd(a, b float32) float32 {
	high, low := max(a, b), min(a, b)
	return high + float32(math.Log1p(math.Exp(float64(low-high))))
}

// markFreeNetwork is a transducer that adds the labels with diacritics to the label without them. The prediction
// network then sees the text without marks, which is an approximation: a model with a CTC head is scored by that head
// instead.
type markFreeNetwork struct {
	decode.TransducerNetwork
	marks *markTable
}

// JointLogits adds the unnormalized probability of each marked piece to that of its plain one.
func (n markFreeNetwork) JointLogits(dst, enc []float32, s *decode.PredictionState) {
	n.TransducerNetwork.JointLogits(dst, enc, s)
	n.marks.foldRow(dst)
}

// foldRow adds the probability of each marked piece to that of its plain one, in a row of log-probabilities or logits.
func (m *markTable) foldRow(row []float32) {
	for id, plain := range m.plain {
		if plain != id {
			row[plain] = logAdd(row[plain], row[id])
			row[id] = unlikely
		}
	}
}

// stripMarks returns h without marks, and for each remaining token its index in h.
func (m *markTable) stripMarks(h decode.Hypothesis) (plain decode.Hypothesis, places []int) {
	plain.Score = h.Score
	for i, id := range h.Tokens {
		if m.plain[id] == m.blank {
			continue
		}
		plain.Tokens, places = append(plain.Tokens, m.plain[id]), append(places, i)
		plain.Frames, plain.LogProbs = append(plain.Frames, h.Frames[i]), append(plain.LogProbs, h.LogProbs[i])
	}
	return plain, places
}

// hypothesisPart returns a range of the best hypothesis's tokens, with the diacritics that withoutMarks removed.
func (d *decodedChunk) hypothesisPart(from, to int) decode.Hypothesis {
	h := d.best
	if d.marked != nil {
		h = *d.marked
		from, to = d.markedIndex(from), d.markedIndex(to)
	}
	return decode.Hypothesis{Tokens: h.Tokens[from:to], Frames: h.Frames[from:to], LogProbs: h.LogProbs[from:to]}
}

// markedIndex returns the index in the marked hypothesis of an index in the plain one. Marks follow their letter.
func (d *decodedChunk) markedIndex(at int) int {
	switch {
	case at == 0:
		return 0
	case at >= len(d.places):
		return len(d.marked.Tokens)
	}
	return d.places[at]
}

// withoutMarks returns the chunk and its log-probabilities without marks, in which phrases are spotted; both unchanged
// if the vocabulary has no marks.
func (e *Engine) withoutMarks(d *decodedChunk, lp decode.LogProbs) (*decodedChunk, decode.LogProbs) {
	if e.marks == nil {
		return d, lp
	}
	plain := *d
	best := d.best
	plain.marked = &best
	plain.best, plain.places = e.marks.stripMarks(best)
	return &plain, e.marks.logProbs(lp)
}

// foldMarks returns a hypothesis and log-probabilities without marks, to compare expected answers with. Both are
// unchanged if the vocabulary has no marks; empty log-probabilities stay empty.
func (e *Engine) foldMarks(h decode.Hypothesis, lp decode.LogProbs) (decode.Hypothesis, decode.LogProbs) {
	if e.marks == nil {
		return h, lp
	}
	plain, _ := e.marks.stripMarks(h)
	if lp.T > 0 {
		lp = e.marks.logProbs(lp)
	}
	return plain, lp
}
