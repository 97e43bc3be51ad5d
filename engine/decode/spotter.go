package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
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

// Boundary is the word boundary marker of a piece (SentencePiece's U+2581).
const Boundary = "▁"

// sameInterval is the overlap, in percent of the phrase already kept, from which two phrases conflict.
const sameInterval = 10

// overlapPercent returns the share of the frames [start, end] within [from, to], in percent.
func overlapPercent(start, end, from, to int) float64 {
	common := max(0, min(end, to)-max(start, from)+1)
	return 100 / float64(end-start+1) * float64(common)
}

// bestSpotted resolves overlaps (NeMo find_best_hyps). A phrase is compared with the kept ones in order: it replaces
// the first one that it overlaps and beats; it is dropped if it overlaps and does not beat one, unless a later one is
// replaced.
func bestSpotted(found []SpottedPhrase) []SpottedPhrase {
	var kept []SpottedPhrase
	for _, s := range found {
		insert := true
		for i, k := range kept {
			if overlapPercent(k.Start, k.End, s.Start, s.End) < sameInterval {
				continue
			}
			insert = s.Score > k.Score
			if insert {
				kept = slices.Delete(kept, i, i+1)
				break
			}
		}
		if !insert {
			continue
		}
		same := func(k SpottedPhrase) bool { return k.Start == s.Start && k.End == s.End }
		if i := slices.IndexFunc(kept, same); i >= 0 {
			kept[i] = s
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// spotWord is a word of the greedy CTC path that phrases compete with.
type spotWord struct {
	start, end int
	score      float64
}

// spotWords splits the greedy path into words (NeMo get_ctc_word_alignment): the frame of a token is the last of its
// run, its score the sum over the run plus weight. A bare boundary piece ends the previous word and is not counted
// itself, unless there is no previous word.
func spotWords(lp LogProbs, pieces []string, weight float64) []spotWord {
	var words []spotWord
	open := false
	for _, r := range bestPathRuns(lp) {
		piece := pieces[r.label]
		if open && piece == Boundary {
			open = false
			continue
		}
		if !open || strings.HasPrefix(piece, Boundary) {
			words, open = append(words, spotWord{start: r.last}), true
		}
		w := &words[len(words)-1]
		w.end, w.score = r.last, w.score+r.sum+weight
	}
	return words
}

// filterSpotted keeps the phrases that score at least as much as the words they overlap (NeMo filter_wb_hyps): the
// whole first overlapped word, and the overlapping part of the following ones. A kept phrase advances the search
// position of later ones. A phrase without overlapped words is dropped, unless there are no words.
func filterSpotted(found []SpottedPhrase, words []spotWord) []SpottedPhrase {
	if len(words) == 0 {
		return found
	}
	var kept []SpottedPhrase
	from := 0
	for _, s := range found {
		rival, met, next := 0.0, false, from
		for i := from; i < len(words); i++ {
			w := words[i]
			part := overlapPercent(w.start, w.end, s.Start, s.End)
			if part > 0 {
				if met {
					part = part / 100
				} else {
					part = 1
				}
				rival, met = rival+part*w.score, true
			} else if met {
				next = i
				break
			}
		}
		if met && s.Score >= rival {
			kept, from = append(kept, s), next
		}
	}
	return kept
}

// MergedWord is a word of a hypothesis, or a spotted phrase that replaced some words.
type MergedWord struct {
	Text       string
	Start, End int     // first and last frame for the merge, see [MergeCTC] and [MergeRNNT]
	From, To   int     // token range Tokens[From:To] of the hypothesis; empty for a phrase
	Phrase     int     // index of the spotted phrase in the graph, -1 for a word of the hypothesis
	Score      float64 // of the spotted phrase
}

// MergeCTC merges spotted phrases into the words of the greedy CTC path: a phrase replaces the words that it covers by
// more than intersectionThreshold percent (NeMo merge_alignment_with_ws_hyps). Tokens are those of [CTCGreedy]; a
// token's frame is here the last of its run. The texts joined by spaces are the sentence.
//
// Unlike NeMo, which cuts the first character off a word-initial piece without boundary and keeps empty words, all
// characters are kept and empty words dropped.
func MergeCTC(lp LogProbs, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64) []MergedWord {
	var tokens, frames []int
	for _, r := range bestPathRuns(lp) {
		tokens, frames = append(tokens, r.label), append(frames, r.last)
	}
	return mergeSpotted(splitWords(tokens, frames, pieces), spotted, intersectionThreshold)
}

// MergeRNNT is [MergeCTC] for a transducer's hypothesis. A token's frame is its emission; phrases are shifted one frame
// earlier, since transducers tend to emit that much earlier than CTC.
func MergeRNNT(h Hypothesis, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64) []MergedWord {
	early := make([]SpottedPhrase, len(spotted))
	for i, s := range spotted {
		s.Start = max(0, s.Start-1)
		early[i] = s
	}
	return mergeSpotted(splitWords(h.Tokens, h.Frames, pieces), early, intersectionThreshold)
}

// MergeTokens is [MergeCTC] for any tokens with known frame intervals: a word spans from first of its first token to
// last of its last one.
func MergeTokens(
	tokens, first, last []int, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64,
) []MergedWord {
	ws := splitWords(tokens, last, pieces)
	for i := range ws {
		ws[i].Start = first[ws[i].From]
	}
	return mergeSpotted(ws, spotted, intersectionThreshold)
}

// splitWords splits tokens at boundaries. A bare boundary piece belongs to the word that it opens, whose frames begin
// with the next piece.
func splitWords(tokens, frames []int, pieces []string) []MergedWord {
	var ws []MergedWord
	for i, token := range tokens {
		piece := ""
		if token < len(pieces) {
			piece = pieces[token]
		}
		text, opens := strings.CutPrefix(piece, Boundary)
		if opens || len(ws) == 0 {
			ws = dropEmpty(ws)
			ws = append(ws, MergedWord{Start: frames[i], From: i, Phrase: -1})
		}
		w := &ws[len(ws)-1]
		if w.Text == "" {
			w.Start = frames[i]
		}
		w.Text, w.End, w.To = w.Text+text, frames[i], i+1
	}
	return dropEmpty(ws)
}

// dropEmpty removes the last word if it has no text.
func dropEmpty(ws []MergedWord) []MergedWord {
	if n := len(ws); n > 0 && ws[n-1].Text == "" {
		return ws[:n-1]
	}
	return ws
}

// mergeSpotted merges the phrases into the words one by one.
func mergeSpotted(ws []MergedWord, spotted []SpottedPhrase, threshold float64) []MergedWord {
	for _, s := range spotted {
		phrase := MergedWord{Text: s.Text, Start: s.Start, End: s.End, Phrase: s.Phrase, Score: s.Score}
		next, placed := make([]MergedWord, 0, len(ws)+1), false
		place := func() {
			if !placed {
				next, placed = append(next, phrase), true
			}
		}
		for _, w := range ws {
			if s.Start < w.Start {
				place()
			}
			if overlapPercent(w.Start, w.End, s.Start, s.End) <= threshold {
				next = append(next, w)
			} else {
				place()
			}
		}
		place()
		ws = next
	}
	return ws
}
