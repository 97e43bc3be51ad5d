package engine

import (
	"math"
	"slices"

	"munadi/engine/decode"
)

// debugSegment reports one chunk.
func (e *Engine) debugSegment(d decoded, p plan) DebugSegment {
	s := DebugSegment{
		Start: d.segment.Start, End: d.segment.End, Text: d.segment.Text,
		CTC: e.describe(d.ctc, d.clock), Spotted: []Spotted{},
	}
	s.RNNT = e.describe(decode.Hypothesis{}, d.clock)
	if len(d.rnnt) > 0 {
		s.RNNT = e.describe(d.rnnt[0], d.clock)
	}
	ranking := hybridRanking(d)
	s.Hybrid = HybridPick{Text: s.CTC.Text, Score: s.CTC.Score, Picked: string(CTC)}
	if len(ranking) > 0 {
		s.Hybrid.Text, s.Hybrid.Score = e.text(ranking[0].Hypothesis), ranking[0].Total
		if !ranking[0].FromCTC {
			s.Hybrid.Picked = string(RNNT)
		}
	}
	s.NBest = e.nbest(d, p.mode)
	for _, sp := range d.spotted {
		s.Spotted = append(s.Spotted, Spotted{
			Phrase: sp.Text, Start: d.clock.at(sp.Start), End: d.clock.at(sp.End + 1), Score: sp.Score,
		})
	}
	s.SpottedText = s.Text
	if d.merged != nil {
		s.SpottedText = join(d.merged)
		s.Applied = p.spot.apply && len(d.spotted) > 0
	}
	return s
}

// hybridRanking is the hybrid ranking, or the RNNT's own where nothing was ranked.
func hybridRanking(d decoded) []decode.Candidate {
	if len(d.ranked) > 0 {
		return d.ranked
	}
	var out []decode.Candidate
	for _, h := range d.rnnt {
		out = append(out, decode.Candidate{Hypothesis: h, RNNT: h.Score, CTC: math.Inf(-1), Total: h.Score})
	}
	return out
}

// nbest are the hypotheses that the mode chose from, in its order: the answer first, and of those with one text the
// best alone.
func (e *Engine) nbest(d decoded, mode Mode) []NBest {
	out, seen := []NBest{}, map[string]bool{}
	for _, c := range d.candidates(mode) {
		text := e.text(c.Hypothesis)
		if seen[text] {
			continue
		}
		seen[text] = true
		out = append(out, NBest{
			Text: text, Score: c.Total, RNNTScore: c.RNNT, CTCScore: c.CTC, TokenIDs: notNil(c.Tokens),
		})
	}
	return out
}

// candidates are what the mode chose from, best first, each with what the hybrid ranking knows of it.
func (d decoded) candidates(mode Mode) []decode.Candidate {
	ranked := hybridRanking(d)
	own := d.rnnt
	switch {
	case mode == Hybrid && len(ranked) > 0:
		return ranked
	case mode == CTC || len(own) == 0:
		own = d.ctcBest
	}
	out := make([]decode.Candidate, len(own))
	for i, h := range own {
		out[i] = decode.Candidate{Hypothesis: h, RNNT: math.Inf(-1), CTC: math.Inf(-1)}
		for _, c := range ranked {
			if slices.Equal(c.Tokens, h.Tokens) {
				out[i].RNNT, out[i].CTC = c.RNNT, c.CTC
			}
		}
		out[i].Total = h.Score
	}
	return out
}

func (e *Engine) describe(h decode.Hypothesis, c clock) Decoded {
	d := Decoded{Text: e.text(h), Score: h.Score, Tokens: []string{}, TokenIDs: notNil(h.Tokens), Timestamps: []float64{}}
	for i, id := range h.Tokens {
		d.Tokens = append(d.Tokens, e.model.Vocabulary[id])
		d.Timestamps = append(d.Timestamps, c.at(h.Frames[i]))
	}
	return d
}

// text is a hypothesis as words.
func (e *Engine) text(h decode.Hypothesis) string {
	return join(assemble(h, e.model.Vocabulary, clock{frame: 1, end: 1e9}))
}

func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}
