package engine

import (
	"math"
	"slices"

	"munadi/engine/decode"
)

// debugSegment returns the report of one chunk.
func (e *Engine) debugSegment(d decodedChunk, p decodePlan) DebugSegment {
	s := DebugSegment{
		Start: d.segment.Start, End: d.segment.End, Text: d.segment.Text,
		CTC: e.describeHypothesis(d.ctc, d.clock), Spotted: []SpottedPhrase{},
	}
	s.RNNT = e.describeHypothesis(decode.Hypothesis{}, d.clock)
	if len(d.rnnt) > 0 {
		s.RNNT = e.describeHypothesis(d.rnnt[0], d.clock)
	}
	ranking := hybridRanking(d)
	s.Hybrid = HybridPick{Text: s.CTC.Text, Score: s.CTC.Score, Picked: string(CTC)}
	if len(ranking) > 0 {
		s.Hybrid.Text, s.Hybrid.Score = e.hypothesisText(ranking[0].Hypothesis), ranking[0].Total
		if !ranking[0].FromCTC {
			s.Hybrid.Picked = string(RNNT)
		}
	}
	s.NBest = e.listNBest(d, p.mode)
	for _, sp := range d.spotted {
		s.Spotted = append(s.Spotted, SpottedPhrase{
			Phrase: sp.Text, Start: d.clock.secondsAt(sp.Start), End: d.clock.secondsAt(sp.End + 1), Score: sp.Score,
		})
	}
	s.SpottedText = s.Text
	if d.merged != nil {
		s.SpottedText = joinWords(d.merged)
		s.Applied = p.spot.apply && len(d.spotted) > 0
	}
	return s
}

// hybridRanking returns the hybrid ranking, or the RNNT's n-best without one.
func hybridRanking(d decodedChunk) []decode.RankedCandidate {
	if len(d.ranked) > 0 {
		return d.ranked
	}
	var out []decode.RankedCandidate
	for _, h := range d.rnnt {
		out = append(out, decode.RankedCandidate{Hypothesis: h, RNNT: h.Score, CTC: math.Inf(-1), Total: h.Score})
	}
	return out
}

// listNBest returns the hypotheses that the mode chose from: the result first, duplicates of a text removed.
func (e *Engine) listNBest(d decodedChunk, mode DecodeMode) []NBest {
	out, seen := []NBest{}, map[string]bool{}
	for _, c := range d.listCandidates(mode) {
		text := e.hypothesisText(c.Hypothesis)
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

// listCandidates returns the hypotheses that the mode chose from, best first, each with its hybrid scores.
func (d decodedChunk) listCandidates(mode DecodeMode) []decode.RankedCandidate {
	ranked := hybridRanking(d)
	own := d.rnnt
	switch {
	case mode == Hybrid && len(ranked) > 0:
		return ranked
	case mode == CTC || len(own) == 0:
		own = d.ctcBest
	}
	out := make([]decode.RankedCandidate, len(own))
	for i, h := range own {
		out[i] = decode.RankedCandidate{Hypothesis: h, RNNT: math.Inf(-1), CTC: math.Inf(-1)}
		for _, c := range ranked {
			if slices.Equal(c.Tokens, h.Tokens) {
				out[i].RNNT, out[i].CTC = c.RNNT, c.CTC
			}
		}
		out[i].Total = h.Score
	}
	return out
}

func (e *Engine) describeHypothesis(h decode.Hypothesis, c frameClock) HeadResult {
	d := HeadResult{
		Text:       e.hypothesisText(h),
		Score:      h.Score,
		Tokens:     []string{},
		TokenIDs:   notNil(h.Tokens),
		Timestamps: []float64{},
	}
	for i, id := range h.Tokens {
		d.Tokens = append(d.Tokens, e.model.Vocabulary[id])
		d.Timestamps = append(d.Timestamps, c.secondsAt(h.Frames[i]))
	}
	return d
}

// hypothesisText returns the text of a hypothesis.
func (e *Engine) hypothesisText(h decode.Hypothesis) string {
	return joinWords(e.timedWords(h, frameClock{frame: 1, end: 1e9}))
}

func notNil(ids []int) []int {
	if ids == nil {
		return []int{}
	}
	return ids
}
