package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/engine/decode"
	"munadi/engine/grammar"
	"munadi/engine/model"
)

// GrammarReading is one interpretation of an utterance with a grammar. The probabilities of all its readings, including
// those of the unconstrained search (out-of-grammar speech), sum to 1.
type GrammarReading struct {
	Text        string
	Probability float64
	Foreseen    bool // a sentence of the grammar
	Incomplete  bool // the beginning of a sentence of the grammar, and not one itself
}

// compileGrammar compiles a grammar to the model's tokens, in a few milliseconds; nil for none.
func (e *Engine) compileGrammar(g *grammar.RuleGrammar) (*decode.TokenGrammar, error) {
	if g == nil {
		return nil, nil
	}
	words, err := g.CompileRule("")
	if err != nil {
		return nil, err
	}
	return e.spellGrammar(words)
}

// spellGrammar expands the words of an automaton into tokens. Words that the vocabulary cannot spell are left out.
func (e *Engine) spellGrammar(a grammar.WordAutomaton) (*decode.TokenGrammar, error) {
	states := a.States
	var arcs []decode.GrammarArc
	for _, word := range a.Arcs {
		if word.Word == "" {
			arcs = append(arcs, decode.GrammarArc{From: word.From, To: word.To, Label: decode.Epsilon})
			continue
		}
		tokens := encodePhrase(e.model, word.Word)
		if tokens == nil {
			continue
		}
		at := word.From
		for _, token := range tokens[:len(tokens)-1] {
			arcs = append(arcs, decode.GrammarArc{From: at, To: states, Label: token})
			at = states
			states++
		}
		arcs = append(arcs, decode.GrammarArc{From: at, To: word.To, Label: tokens[len(tokens)-1]})
	}
	return decode.NewGrammar(len(e.model.Vocabulary), states, arcs, []int{a.Final})
}

// readAnswer scores the sentences of the plan's grammar and the hypotheses of the unconstrained search. The most likely
// reading becomes the chunk's hypothesis.
func (r *engineRequest) readAnswer(
	ctx context.Context, d *decodedChunk, ch speechChunk, enc model.EncodedSpeech, p decodePlan,
) error {
	defer r.times.addSince(stageCTC, time.Now())
	plain, folded := r.engine.foldMarks(d.best, enc.CTC)
	enc.CTC = folded
	free := [][]int{nil} // silence
	for _, h := range d.rnnt {
		h, _ = r.engine.foldMarks(h, decode.LogProbs{})
		free = append(free, h.Tokens)
	}
	if enc.CTC.T > 0 {
		free = append(free, decode.CTCGreedy(enc.CTC).Tokens)
	}
	var err error
	net := r.engine.latticeNetwork(enc.CTC.T > 0)
	d.read, err = decode.ScoreReadings(ctx, net, enc.Joint, enc.CTC, p.answers, free, p.readings)
	if err == nil {
		err = r.engine.verifyWord(ctx, ch.samples, d.read)
	}
	if err != nil || len(d.read) == 0 {
		return err
	}
	for _, reading := range d.read {
		d.segment.Readings = append(d.segment.Readings, GrammarReading{
			Text: r.engine.tokensText(reading.Tokens), Probability: reading.Probability, Foreseen: reading.Foreseen,
			Incomplete: !reading.Foreseen && len(reading.Tokens) > 0 && p.answers.AcceptsPrefix(reading.Tokens),
		})
	}
	if d.read[0].Foreseen && !slices.Equal(d.read[0].Tokens, plain.Tokens) {
		d.best = hypothesisFor(enc, d.read[0].Tokens, plain)
	}
	return nil
}

// latticeNetwork returns the transducer that scores the sentences of a grammar, or nil if the CTC head alone scores
// them: lattices cannot follow TDT's duration jumps, and a prediction after a word without diacritics differs from one
// after the word as the model writes it.
func (e *Engine) latticeNetwork(ctc bool) decode.TransducerNetwork {
	switch {
	case !e.model.HasRNNT() || ctc && (e.isTDT() || e.marks != nil):
		return nil
	case e.marks != nil:
		return markFreeNetwork{e.model.NewNetwork(), e.marks}
	}
	return e.model.NewNetwork()
}

// tokensText returns the text of tokens.
func (e *Engine) tokensText(tokens []int) string {
	var b strings.Builder
	for _, id := range tokens {
		b.WriteString(e.model.Vocabulary[id])
	}
	words := strings.Fields(strings.ReplaceAll(b.String(), wordMark, " "))
	for i, word := range words {
		words[i] = e.style.Write(word)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// hypothesisFor converts a sentence of the grammar into a hypothesis with frames from CTC forced alignment. Without an
// alignment the tokens share the unconstrained hypothesis' time evenly.
func hypothesisFor(enc model.EncodedSpeech, tokens []int, free decode.Hypothesis) decode.Hypothesis {
	h := decode.Hypothesis{Tokens: tokens, Score: free.Score}
	first, _, ok := decode.CTCAlign(enc.CTC, tokens)
	for i, id := range tokens {
		frame, logProb := i*enc.T/max(len(tokens), 1), meanLogProb(free.LogProbs)
		if enc.CTC.T > 0 && ok {
			frame = first[i]
			logProb = float64(enc.CTC.At(frame)[id])
		}
		h.Frames, h.LogProbs = append(h.Frames, frame), append(h.LogProbs, logProb)
	}
	return h
}
