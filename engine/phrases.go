package engine

import (
	"context"
	"strings"

	"munadi/engine/decode"
)

// spotting is a set of phrases that the CTC word spotter looks for, and what becomes of those that it finds.
type spotting struct {
	graph        *decode.ContextGraph
	options      decode.SpotOptions
	intersection float64 // percent of a word that a phrase must cover to replace it
	apply        bool
}

// spotting builds the graph of a request's phrases; nil for none, or for a model without a CTC head.
func (e *Engine) spotting(phrases []string) (*spotting, error) {
	if !e.model.HasCTC() {
		return nil, nil
	}
	var entries []decode.Phrase
	for _, text := range phrases {
		if entry, ok := e.spell(text, text); ok {
			entries = append(entries, entry)
		}
	}
	return e.graph(entries)
}

func (e *Engine) graph(entries []decode.Phrase) (*spotting, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	g, err := decode.NewContextGraph(len(e.model.Vocabulary), entries)
	if err != nil {
		return nil, err
	}
	return &spotting{
		graph: g, options: decode.SpotDefaults(), intersection: DebugDefaults().CTCWSIntersectionThreshold, apply: true,
	}, nil
}

// spell makes an entry out of its spellings; one that the vocabulary cannot write (unknown characters) is left out.
func (e *Engine) spell(text string, spellings ...string) (decode.Phrase, bool) {
	entry := decode.Phrase{Text: strings.Join(strings.Fields(text), " ")}
	for _, s := range spellings {
		if ids := e.model.Tokenizer.Encode(s); len(ids) > 0 && e.writable(ids) {
			entry.Spellings = append(entry.Spellings, ids)
		}
	}
	return entry, entry.Text != "" && len(entry.Spellings) > 0
}

func (e *Engine) writable(ids []int) bool {
	for _, id := range ids {
		if piece := e.model.Vocabulary[id]; piece == "<unk>" {
			return false
		}
	}
	return true
}

// spot looks for the plan's phrases and merges them into the words of the best hypothesis.
func (e *Engine) spot(ctx context.Context, d *decoded, lp decode.LogProbs, p plan) error {
	var err error
	d.spotted, err = decode.Spot(ctx, lp, p.spot.graph, e.model.Vocabulary, p.spot.options)
	if err != nil {
		return err
	}
	var words []decode.Word
	if p.mode == CTC {
		words = decode.MergeCTC(lp, e.model.Vocabulary, d.spotted, p.spot.intersection)
	} else {
		words = decode.MergeRNNT(d.best, e.model.Vocabulary, d.spotted, p.spot.intersection)
	}
	d.merged = e.placed(words, d)
	return nil
}

// placed gives merged words their times. A word of the hypothesis keeps its own; a phrase becomes as many words as it
// has, sharing its time evenly, each with the phrase's confidence.
func (e *Engine) placed(words []decode.Word, d *decoded) []Word {
	var out []Word
	for _, w := range words {
		if w.Phrase < 0 {
			h := decode.Hypothesis{
				Tokens: d.best.Tokens[w.From:w.To], Frames: d.best.Frames[w.From:w.To], LogProbs: d.best.LogProbs[w.From:w.To],
			}
			out = append(out, assemble(h, e.model.Vocabulary, d.clock)...)
			continue
		}
		parts := strings.Fields(w.Text)
		start, end := d.clock.at(w.Start), d.clock.at(w.End+1)
		step := (end - start) / float64(max(len(parts), 1))
		for i, part := range parts {
			out = append(out, Word{
				Text: part, Start: round3(start + step*float64(i)), End: round3(start + step*float64(i+1)),
				Confidence: confidence(w.Score / float64(w.End-w.Start+1)),
			})
		}
	}
	return out
}
