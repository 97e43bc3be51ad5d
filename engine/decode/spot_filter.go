package decode

import (
	"slices"
	"strings"
)

// Boundary begins a word in a piece (SentencePiece's U+2581).
const Boundary = "▁"

// sameInterval is the overlap, in percent of the phrase already kept, from which two phrases exclude each other.
const sameInterval = 10

// overlapPercent returns how much of the frames [start, end] lies in [from, to], in percent.
func overlapPercent(start, end, from, to int) float64 {
	common := max(0, min(end, to)-max(start, from)+1)
	return 100 / float64(end-start+1) * float64(common)
}

// bestSpotted resolves overlaps (NeMo find_best_hyps). One phrase is compared with those kept so far, in their
// order: the first it overlaps and beats gives way to it; one it overlaps and does not beat drops it, unless a later
// one gives way.
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

// spotWord is a word of the greedy CTC path as phrases compete with it.
type spotWord struct {
	start, end int
	score      float64
}

// spotWords splits the greedy path into words (NeMo get_ctc_word_alignment): the frame of a token is the last of its
// run, its score the sum over the run plus weight. A piece that is nothing but a boundary ends the word before it and
// counts for nothing itself, unless there is no word before it.
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

// filterSpotted keeps the phrases that score at least as much as the words in their place (NeMo filter_wb_hyps): all
// of the first word that a phrase overlaps, of the following ones the overlapping part. A phrase kept moves on where
// later ones look for words. Where there is no word, a phrase falls, unless there is none at all.
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
