package decode

import (
	"slices"
	"strings"
)

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
