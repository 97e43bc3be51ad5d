package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// SpotOptions are NeMo's parameters of run_word_spotter.
type SpotOptions struct {
	BeamThreshold     float64 // beam_threshold: tokens this much below the best of a frame are dropped
	ContextScore      float64 // cb_weight: bonus of every frame that a phrase spends on a token
	AliTokenWeight    float64 // ctc_ali_token_weight: bonus of every token of the words that a phrase competes with
	KeywordThreshold  float64 // keyword_threshold: least score of a phrase
	BlankThreshold    float64 // blank_threshold: no phrase begins on a frame whose blank is more probable
	NonBlankThreshold float64 // non_blank_threshold: no phrase begins with a token less probable
}

// SpotDefaults are those of the service. They are NeMo's but for the beam threshold (5).
func SpotDefaults() SpotOptions {
	return SpotOptions{
		BeamThreshold: 7, ContextScore: 3, AliTokenWeight: 0.5, KeywordThreshold: -5,
		BlankThreshold: 0.8, NonBlankThreshold: 0.001,
	}
}

func (o SpotOptions) checkBounds() error {
	for _, v := range []float64{o.BeamThreshold, o.ContextScore, o.AliTokenWeight, o.KeywordThreshold} {
		if math.IsNaN(v) {
			return fmt.Errorf("%w: not a number", ErrOption)
		}
	}
	if !(o.BeamThreshold >= 0) || !(o.BlankThreshold >= 0) || !(o.NonBlankThreshold >= 0) {
		return fmt.Errorf("%w: beam_threshold %g, blank_threshold %g, non_blank_threshold %g",
			ErrOption, o.BeamThreshold, o.BlankThreshold, o.NonBlankThreshold)
	}
	return nil
}

// SpottedPhrase is a phrase that was heard.
type SpottedPhrase struct {
	Phrase     int // index into the phrases of the graph
	Text       string
	Score      float64 // log-probability with the bonuses of [SpotOptions]
	Start, End int     // first and last frame
}

// SpotPhrases finds the phrases of a graph in CTC scores (NeMo ctc_based_word_spotter.py; Andrusenko et al. 2024,
// arXiv:2406.07096): tokens are passed through the graph frame by frame; of phrases that overlap the best is kept, and
// only if it beats the words that greedy decoding has in its place. Those need the pieces of the labels, in which
// U+2581 begins a word. The order is that in which NeMo reports.
func SpotPhrases(ctx context.Context, lp LogProbs, g *ContextGraph, pieces []string, o SpotOptions) ([]SpottedPhrase, error) {
	if err := cmp.Or(lp.checkShape(), o.checkBounds(), checkPieces(lp, pieces)); err != nil {
		return nil, err
	}
	if lp.BlankID() != g.blank {
		return nil, fmt.Errorf("%w: graph for blank %d, log-probabilities with blank %d", ErrShape, g.blank, lp.BlankID())
	}
	if g.IsEmpty() {
		return nil, nil
	}
	s := wordSpotter{LogProbs: lp, SpotOptions: o, graph: g, seat: make([]int, len(g.nodes))}
	s.minBlank, s.minLabel = math.Log(o.BlankThreshold), math.Log(o.NonBlankThreshold)
	for t := range lp.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		s.passFrame(t)
	}
	return filterSpotted(bestSpotted(s.found), spotWords(lp, pieces, o.AliTokenWeight)), nil
}

// checkPieces wants a piece for every label but the blank.
func checkPieces(lp LogProbs, pieces []string) error {
	if len(pieces) < lp.BlankID() {
		return fmt.Errorf("%w: %d pieces for %d labels", ErrShape, len(pieces), lp.BlankID())
	}
	return nil
}

// spotToken is a phrase under way: the node it has reached, since when, with what score.
type spotToken struct {
	node, start int
	score       float64
}

// wordSpotter is the search of [SpotPhrases] under way.
type wordSpotter struct {
	LogProbs
	SpotOptions
	graph              *ContextGraph
	minBlank, minLabel float64 // thresholds as log-probabilities
	active, next       []spotToken
	seat               []int // while pruning: where in next, plus one, the best token of a node is
	best               float64
	hasBest            bool // NeMo takes a best score of exactly zero for none
	found              []SpottedPhrase
}

// passFrame passes all tokens over the arcs of frame t.
func (s *wordSpotter) passFrame(t int) {
	s.next, s.hasBest = s.next[:0], false
	for _, tok := range append(s.active, spotToken{node: contextRoot, start: t}) {
		s.passToken(tok, t)
	}
	s.pruneTokens()
	s.active, s.next = s.next, s.active
}

// passToken moves one token over the arcs of its node.
func (s *wordSpotter) passToken(tok spotToken, t int) {
	frame := s.At(t)
	if tok.node == contextRoot && float64(frame[s.BlankID()]) > s.minBlank {
		return
	}
	for _, arc := range s.graph.nodes[tok.node].arcs {
		logProb := float64(frame[arc.label])
		if tok.node == contextRoot && logProb < s.minLabel {
			continue
		}
		score := tok.score + logProb
		if arc.label != s.BlankID() {
			score += s.ContextScore
		}
		isBest := !s.hasBest || score > s.best
		if !isBest && score < s.best-s.BeamThreshold {
			continue
		}
		if isBest {
			s.best, s.hasBest = score, score != 0
		}
		to := spotToken{arc.to, tok.start, score}
		if s.noteEnd(to, t) {
			s.hasBest = s.hasBest && !isBest
			continue
		}
		s.next = append(s.next, to)
	}
}

// noteEnd notes a phrase that ends at a token's node. It tells whether nothing can follow there but the last token held.
func (s *wordSpotter) noteEnd(tok spotToken, t int) bool {
	node := s.graph.nodes[tok.node]
	if node.phrase < 0 || !(tok.score > s.KeywordThreshold) {
		return false
	}
	s.found = append(s.found, SpottedPhrase{node.phrase, s.graph.phrases[node.phrase].Text, tok.score, tok.start, t})
	return len(node.arcs) == 1
}

// pruneTokens keeps the tokens near the best one, and of every node the best, the first of equals.
func (s *wordSpotter) pruneTokens() {
	top := negInf
	for _, tok := range s.next {
		top = max(top, tok.score)
	}
	for i, tok := range s.next {
		if at := s.seat[tok.node]; tok.score > top-s.BeamThreshold && (at == 0 || tok.score > s.next[at-1].score) {
			s.seat[tok.node] = i + 1
		}
	}
	kept := s.next[:0]
	for i, tok := range s.next {
		if s.seat[tok.node] == i+1 {
			s.seat[tok.node] = 0
			kept = append(kept, tok)
		}
	}
	s.next = kept
}
