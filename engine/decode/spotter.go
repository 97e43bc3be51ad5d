package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// SpotOptions are the parameters of NeMo's run_word_spotter (context biasing).
type SpotOptions struct {
	BeamThreshold     float64 // beam_threshold: token pruning below the best of a frame
	ContextScore      float64 // cb_weight: bonus per frame that a phrase spends on a token
	AliTokenWeight    float64 // ctc_ali_token_weight: bonus per token of the words that a phrase competes with
	KeywordThreshold  float64 // keyword_threshold: minimum score of a phrase
	BlankThreshold    float64 // blank_threshold: no phrase starts on a frame with a more probable blank
	NonBlankThreshold float64 // non_blank_threshold: no phrase starts with a less probable token
}

// SpotDefaults are the service's defaults. They are NeMo's except for the beam threshold (5).
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

// SpottedPhrase is a detected phrase.
type SpottedPhrase struct {
	Phrase     int // index into the phrases of the graph
	Text       string
	Score      float64 // log-probability with the bonuses of [SpotOptions]
	Start, End int     // first and last frame
}

// SpotPhrases is CTC-based word spotting (NeMo ctc_based_word_spotter.py; Andrusenko et al. 2024, arXiv:2406.07096): it
// detects the phrases of a graph by token passing, frame by frame. Of overlapping phrases the best is kept, and only if
// it beats the words of greedy decoding at its place. Those are built from the labels' pieces, in which U+2581 starts a
// word. The order is NeMo's.
func SpotPhrases(
	ctx context.Context, lp LogProbs, g *ContextGraph, pieces []string, o SpotOptions,
) ([]SpottedPhrase, error) {
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

// checkPieces checks that every label except the blank has a piece.
func checkPieces(lp LogProbs, pieces []string) error {
	if len(pieces) < lp.BlankID() {
		return fmt.Errorf("%w: %d pieces for %d labels", ErrShape, len(pieces), lp.BlankID())
	}
	return nil
}

// spotToken is a token of the token passing: node, start frame and score.
type spotToken struct {
	node, start int
	score       float64
}

// wordSpotter is the state of one [SpotPhrases].
type wordSpotter struct {
	LogProbs
	SpotOptions
	graph              *ContextGraph
	minBlank, minLabel float64 // thresholds as log-probabilities
	active, next       []spotToken
	seat               []int // while pruning: index+1 in next of the best token per node
	best               float64
	hasBest            bool // NeMo treats a best score of exactly zero as none
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

// passToken passes one token over the arcs of its node.
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

// noteEnd records a phrase that ends at a token's node. It reports whether only the last token can be held from there.
func (s *wordSpotter) noteEnd(tok spotToken, t int) bool {
	node := s.graph.nodes[tok.node]
	if node.phrase < 0 || !(tok.score > s.KeywordThreshold) {
		return false
	}
	s.found = append(s.found, SpottedPhrase{node.phrase, s.graph.phrases[node.phrase].Text, tok.score, tok.start, t})
	return len(node.arcs) == 1
}

// pruneTokens keeps the tokens near the best one, and the best of every node (first of equals).
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
