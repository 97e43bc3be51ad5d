package engine

import (
	"context"
	"math"
	"slices"
	"strings"

	"munadi/engine/arabic"
	"munadi/engine/decode"
	"munadi/engine/model"
)

// phraseSpotting is a set of phrases for the CTC word spotter, and the merge policy.
type phraseSpotting struct {
	graph        *decode.ContextGraph
	options      decode.SpotOptions
	intersection float64 // percent of a word that a phrase must cover to replace it
	apply        bool
	weigh        bool // production: only accept phrases with acoustic evidence
}

// newSpotting builds the graph of a request's phrases; nil for none, or for a model without a CTC head.
func (e *Engine) newSpotting(phrases []string) (*phraseSpotting, error) {
	if !e.model.HasCTC() {
		return nil, nil
	}
	var entries []decode.ContextPhrase
	for _, text := range phrases {
		if entry, ok := e.spellPhrase(text, text); ok {
			entries = append(entries, entry)
		}
	}
	return e.buildGraph(entries)
}

func (e *Engine) buildGraph(entries []decode.ContextPhrase) (*phraseSpotting, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	g, err := decode.NewContextGraph(len(e.model.Vocabulary), entries)
	if err != nil {
		return nil, err
	}
	return &phraseSpotting{
		graph: g, options: decode.SpotDefaults(), intersection: DebugDefaults().CTCWSIntersectionThreshold,
		apply: true, weigh: true,
	}, nil
}

// spellPhrase tokenizes the spellings of a phrase, without those that the vocabulary cannot write in any form; false if
// none is left.
func (e *Engine) spellPhrase(phrase string, spellings ...string) (decode.ContextPhrase, bool) {
	entry := decode.ContextPhrase{Text: strings.Join(strings.Fields(phrase), " ")}
	for _, s := range spellings {
		if ids := encodePhrase(e.model, s); ids != nil {
			entry.Spellings = append(entry.Spellings, ids)
		}
	}
	return entry, entry.Text != "" && len(entry.Spellings) > 0
}

// spotAndMerge spots the plan's phrases and merges them into the words of the best hypothesis: as NeMo does, or by
// acoustic evidence.
func (e *Engine) spotAndMerge(ctx context.Context, d *decodedChunk, lp decode.LogProbs, p decodePlan) error {
	if p.spot.weigh {
		return e.spotWeighed(ctx, d, lp, p.spot)
	}
	var err error
	d.spotted, err = decode.SpotPhrases(ctx, lp, p.spot.graph, e.model.Vocabulary, p.spot.options)
	switch {
	case err != nil:
		return err
	case p.mode == CTC && p.ctcBeam == 0:
		d.merged = e.placeWords(decode.MergeCTC(lp, e.model.Vocabulary, d.spotted, p.spot.intersection), d, lp, p.spot)
	case p.mode == CTC:
		d.merged = e.placedInBeam(d, lp, p.spot)
	default:
		d.merged = e.placeWords(
			decode.MergeRNNT(d.best, e.model.Vocabulary, d.spotted, p.spot.intersection), d, lp, p.spot)
	}
	return nil
}

// spotWeighed spots phrases as production does: without diacritics, and only those that the audio supports.
func (e *Engine) spotWeighed(ctx context.Context, d *decodedChunk, lp decode.LogProbs, sp *phraseSpotting) error {
	plain, lp := e.withoutMarks(d, lp)
	var err error
	plain.spotted, err = decode.SpotPhrases(ctx, lp, sp.graph, e.model.Vocabulary, sp.options)
	if err == nil {
		d.spotted, d.merged = e.acceptSpotted(plain, lp, sp)
		d.shown = plain.shown
	}
	return err
}

// placedInBeam is NeMo's merge for a prefix beam hypothesis, which NeMo does not define: it is force-aligned first,
// since it may differ from the greedy path.
func (e *Engine) placedInBeam(d *decodedChunk, lp decode.LogProbs, sp *phraseSpotting) []Word {
	first, last, ok := decode.CTCAlign(lp, d.best.Tokens)
	if !ok {
		return e.timedWords(d.best, d.clock)
	}
	words := decode.MergeTokens(d.best.Tokens, first, last, e.model.Vocabulary, d.spotted, sp.intersection)
	return e.placeWords(words, d, lp, sp)
}

// phraseBonus is how much less likely, in nats per token, a sentence may be with a phrase than without it. Word errors
// of the default model on 220 sentences by a parametric voice and on NeMo's 40 test sentences, in percent:
//
//	                              no phrases     0      0.5        1        2        3
//	a menu of 156 dishes and sizes  2.5, 10.9  2.5, 10.9  2.5, 11.5  2.7, 11.5  3.1, 11.5  3.9, 12.1
//	the sentence's first two words  2.5, 10.9  2.2,  9.8  1.9,  8.6  1.6,  8.6  1.6,  8.6  1.8,  8.6
const phraseBonus = 0.5

// acceptSpotted accepts spotted phrases one by one if the resulting sentence is not much less likely under the CTC
// head. NeMo's merge compares frames of two heads, which differ by up to three, and may keep a word next to the phrase
// that should replace it; and its spotter's bonus lets a phrase beat a clearly recognized word. Therefore words are
// force-aligned to the CTC head first, and each sentence is scored as a whole.
func (e *Engine) acceptSpotted(
	d *decodedChunk, lp decode.LogProbs, sp *phraseSpotting,
) ([]decode.SpottedPhrase, []Word) {
	var kept []decode.SpottedPhrase
	first, last, ok := decode.CTCAlign(lp, d.best.Tokens)
	if !ok {
		return nil, e.timedWords(d.hypothesisPart(0, len(d.best.Tokens)), d.clock)
	}
	merge := func(spotted []decode.SpottedPhrase) []decode.MergedWord {
		return decode.MergeTokens(d.best.Tokens, first, last, e.model.Vocabulary, spotted, sp.intersection)
	}
	words := merge(nil)
	score := decode.CTCForward(lp, d.best.Tokens)
	for _, s := range d.spotted {
		with := append(slices.Clone(kept), s)
		candidate := merge(with)
		tokens := sp.spellWords(candidate, d.best.Tokens)
		bonus := phraseBonus * float64(len(sp.phraseSpelling(s.Phrase)))
		if now := decode.CTCForward(lp, tokens); now+bonus >= score {
			kept, words, score = with, candidate, now
		}
	}
	return kept, e.placeWords(words, d, lp, sp)
}

// spellWords returns the tokens of merged words: the hypothesis's own, or a phrase's first spelling.
func (sp *phraseSpotting) spellWords(words []decode.MergedWord, own []int) []int {
	var out []int
	for _, w := range words {
		if w.Phrase >= 0 {
			out = append(out, sp.phraseSpelling(w.Phrase)...)
		} else {
			out = append(out, own[w.From:w.To]...)
		}
	}
	return out
}

func (sp *phraseSpotting) phraseSpelling(phrase int) []int {
	return sp.graph.GraphPhrases()[phrase].Spellings[0]
}

// placeWords assigns times to merged words. A word of the hypothesis keeps its own; a phrase is split into its words,
// which share its time evenly, each with the phrase's confidence.
func (e *Engine) placeWords(words []decode.MergedWord, d *decodedChunk, lp decode.LogProbs, sp *phraseSpotting) []Word {
	var out []Word
	d.shown = decode.Hypothesis{}
	for _, w := range words {
		if w.Phrase < 0 {
			h := d.hypothesisPart(w.From, w.To)
			if own := e.timedWords(h, d.clock); len(own) > 0 {
				out = append(out, own...)
				d.addTokens(h.Tokens, h.LogProbs...)
			}
			continue
		}
		parts := strings.Fields(e.style.Write(w.Text))
		start, end := d.clock.secondsAt(w.Start), d.clock.secondsAt(w.End+1)
		step := (end - start) / float64(max(len(parts), 1))
		sure := sp.phraseConfidence(lp, w)
		spelling := sp.phraseSpelling(w.Phrase)
		d.addTokens(spelling, slices.Repeat([]float64{math.Log(sure)}, len(spelling))...)
		counts := e.tokensOfWords(spelling, len(parts))
		for i, part := range parts {
			out = append(out, Word{
				Text: part, Start: roundMilliseconds(start + step*float64(i)), End: roundMilliseconds(start + step*float64(i+1)),
				Confidence: sure, TokenCount: counts[i],
			})
		}
	}
	return out
}

// addTokens appends tokens of the displayed text.
func (d *decodedChunk) addTokens(tokens []int, logProbs ...float64) {
	d.shown.Tokens = append(d.shown.Tokens, tokens...)
	d.shown.LogProbs = append(d.shown.LogProbs, logProbs...)
}

// tokensOfWords returns how many tokens of a phrase's spelling belong to each of its n words; the rest belongs to the
// last one.
func (e *Engine) tokensOfWords(tokens []int, n int) []int {
	counts, at := make([]int, n), 0
	for i, id := range tokens {
		if i > 0 && at < n-1 && strings.HasPrefix(e.model.Vocabulary[id], wordMark) {
			at++
		}
		counts[at]++
	}
	return counts
}

// phraseConfidence returns the geometric mean of a phrase's token probabilities under the CTC head, each at the best
// frame of its run; the spotter's score includes a bonus and is no probability. A phrase that cannot be aligned gets
// the minimum.
func (sp *phraseSpotting) phraseConfidence(lp decode.LogProbs, w decode.MergedWord) float64 {
	from, to := max(w.Start, 0), min(w.End+1, lp.T)
	if from >= to {
		return minConfident
	}
	width := lp.Labels
	part := decode.LogProbs{Data: lp.Data[from*width : to*width], T: to - from, Labels: lp.Labels}
	tokens := sp.phraseSpelling(w.Phrase)
	first, last, ok := decode.CTCAlign(part, tokens)
	if !ok || len(tokens) == 0 {
		return minConfident
	}
	sum := 0.0
	for i, id := range tokens {
		best := part.At(first[i])[id]
		for t := first[i]; t <= last[i]; t++ {
			best = max(best, part.At(t)[id])
		}
		sum += float64(best)
	}
	return confidenceOf(sum / float64(len(tokens)))
}

// encodePhrase tokenizes a phrase without diacritics; if the vocabulary can't write it, in lower case, then folded as
// text is compared. It returns nil if no form can be written.
func encodePhrase(m *model.SpeechModel, phrase string) []int {
	plain := plainText(phrase)
	for _, form := range []string{plain, strings.ToLower(plain), arabic.FoldSpelling(plain)} {
		if ids := m.Tokenizer.EncodeText(form); len(ids) > 0 && canWrite(m, ids) {
			return ids
		}
	}
	return nil
}

// canWrite reports whether no token stands for an unknown character.
func canWrite(m *model.SpeechModel, ids []int) bool {
	for _, id := range ids {
		if id == m.Tokenizer.UnknownID() || m.Vocabulary[id] == unknownPiece {
			return false
		}
	}
	return true
}
