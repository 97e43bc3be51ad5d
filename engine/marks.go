package engine

import (
	"math"

	"munadi/engine/arabic"
	"munadi/engine/decode"
)

// marks tells how a vocabulary that writes diacritics is read without them, so that phrases are found whether the model
// writes the marks or not: a piece that is marks alone counts as the blank, one with marks as the piece without.
type marks struct {
	plain []int // by label: itself, the piece without marks, or the blank
	blank int
}

// newMarks is nil for a vocabulary without diacritics.
func newMarks(pieces []string) *marks {
	m := &marks{plain: make([]int, len(pieces)+1), blank: len(pieces)}
	ids := make(map[string]int, len(pieces))
	for id, piece := range pieces {
		if _, taken := ids[piece]; !taken {
			ids[piece] = id
		}
	}
	marked := false
	for id, piece := range pieces {
		m.plain[id] = id
		stripped := arabic.StripDiacritics(piece)
		if stripped == piece {
			continue
		}
		if other, there := ids[stripped]; there {
			m.plain[id], marked = other, true
		} else if stripped == "" {
			m.plain[id], marked = m.blank, true
		}
	}
	m.plain[m.blank] = m.blank
	if !marked {
		return nil
	}
	return m
}

// unlikely is the log-probability of a label whose own went to another one.
const unlikely = -1e9

// logProbs adds the probability of each marked piece to that of its plain one.
func (m *marks) logProbs(lp decode.LogProbs) decode.LogProbs {
	out := lp
	out.Data = append([]float32(nil), lp.Data...)
	for t := range lp.T {
		row := out.At(t)
		for id, plain := range m.plain {
			if plain != id {
				row[plain] = logAdd(row[plain], row[id])
				row[id] = unlikely
			}
		}
	}
	return out
}

func logAdd(a, b float32) float32 {
	high, low := max(a, b), min(a, b)
	return high + float32(math.Log1p(math.Exp(float64(low-high))))
}

// hypothesis is h without marks, and for each of its tokens the place in h.
func (m *marks) hypothesis(h decode.Hypothesis) (plain decode.Hypothesis, places []int) {
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

// part is the best hypothesis's tokens from one place to another, with the diacritics that withoutMarks took away.
func (d *decodedChunk) part(from, to int) decode.Hypothesis {
	h := d.best
	if d.marked != nil {
		h = *d.marked
		from, to = d.origin(from), d.origin(to)
	}
	return decode.Hypothesis{Tokens: h.Tokens[from:to], Frames: h.Frames[from:to], LogProbs: h.LogProbs[from:to]}
}

// origin is the place in the marked hypothesis of a place in the plain one. Marks go with the letter before them.
func (d *decodedChunk) origin(at int) int {
	switch {
	case at == 0:
		return 0
	case at >= len(d.places):
		return len(d.marked.Tokens)
	}
	return d.places[at]
}

// withoutMarks is the chunk as its phrases are looked for: in a vocabulary without diacritics, itself.
func (e *Engine) withoutMarks(d *decodedChunk, lp decode.LogProbs) (*decodedChunk, decode.LogProbs) {
	if e.marks == nil {
		return d, lp
	}
	plain := *d
	best := d.best
	plain.marked = &best
	plain.best, plain.places = e.marks.hypothesis(best)
	return &plain, e.marks.logProbs(lp)
}
