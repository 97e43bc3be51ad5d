package decode

import "strings"

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
