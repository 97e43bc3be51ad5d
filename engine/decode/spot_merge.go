package decode

import "strings"

// MergedWord is a word of a hypothesis, or a spotted phrase that took the place of some.
type MergedWord struct {
	Text       string
	Start, End int     // first and last frame as the merge counts them, see [MergeCTC] and [MergeRNNT]
	From, To   int     // its tokens are Tokens[From:To] of the hypothesis; an empty range for a phrase
	Phrase     int     // index of the spotted phrase in the graph, -1 for a word of the hypothesis
	Score      float64 // of the spotted phrase
}

// MergeCTC puts spotted phrases into the words of the greedy CTC path, in place of those that they cover by more than
// intersectionThreshold percent (NeMo merge_alignment_with_ws_hyps). Tokens are those of [CTCGreedy]; the frame of a
// token is here the last of its run. Joining the texts by spaces gives the sentence.
//
// Unlike NeMo, which cuts the first character off a piece that opens a word without a boundary, and which leaves empty
// words in, all characters are kept and empty words are not.
func MergeCTC(lp LogProbs, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64) []MergedWord {
	var tokens, frames []int
	for _, r := range bestPathRuns(lp) {
		tokens, frames = append(tokens, r.label), append(frames, r.last)
	}
	return mergeSpotted(splitWords(tokens, frames, pieces), spotted, intersectionThreshold)
}

// MergeRNNT is [MergeCTC] for a transducer's hypothesis. A token's frame is where it was emitted; phrases are taken to
// begin one frame earlier, as transducers tend to be that much earlier than CTC.
func MergeRNNT(h Hypothesis, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64) []MergedWord {
	early := make([]SpottedPhrase, len(spotted))
	for i, s := range spotted {
		s.Start = max(0, s.Start-1)
		early[i] = s
	}
	return mergeSpotted(splitWords(h.Tokens, h.Frames, pieces), early, intersectionThreshold)
}

// MergeTokens is [MergeCTC] for any tokens, of which the interval of frames is known: their frames are first for a word's
// first token and last for its last one.
func MergeTokens(tokens, first, last []int, pieces []string, spotted []SpottedPhrase, intersectionThreshold float64) []MergedWord {
	ws := splitWords(tokens, last, pieces)
	for i := range ws {
		ws[i].Start = first[ws[i].From]
	}
	return mergeSpotted(ws, spotted, intersectionThreshold)
}

// splitWords splits tokens at boundaries. A piece that is nothing but a boundary belongs to the word it opens, whose
// frames begin with the piece after it.
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

// dropEmpty takes the last word away if it has no text.
func dropEmpty(ws []MergedWord) []MergedWord {
	if n := len(ws); n > 0 && ws[n-1].Text == "" {
		return ws[:n-1]
	}
	return ws
}

// mergeSpotted takes one phrase after the other into the words.
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
