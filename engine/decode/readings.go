package decode

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// ReadingOptions weigh the sentences of a grammar against the hypotheses of an unconstrained search.
type ReadingOptions struct {
	Search GrammarOptions
	Most   int // sentences of the grammar that both heads score, >= 1
	// RNNTShare is the transducer's weight in a reading's score, 0 to 1; the rest is the CTC head's. A missing head has
	// weight 0.
	RNNTShare float64
	// Sharpness scales log-scores before the softmax (inverse temperature), since heads are overconfident. 1: unscaled.
	Sharpness float64
	// Prior is added to the score of a sentence of the grammar, in nats: the log prior odds of an expected answer.
	Prior float64
}

// ReadingDefaults were tuned on speakers outside the training set; see engine/train/REPORT.md.
func ReadingDefaults() ReadingOptions {
	return ReadingOptions{Search: grammarDefaults(), Most: 12, RNNTShare: 0.5, Sharpness: 0.5, Prior: 2}
}

// SentenceReading is one interpretation of an utterance. The probabilities of all readings of an utterance sum to 1.
type SentenceReading struct {
	Tokens      []int
	Foreseen    bool    // a sentence of the grammar; otherwise from the unconstrained search
	Probability float64 // among the readings
	RNNT, CTC   float64 // log-probability over all alignments under each head; 0 without the head
}

// ScoreReadings scores the best sentences of a grammar together with the hypotheses of an unconstrained search, by both
// heads, and returns their posterior probabilities, best first. A closed grammar alone is always confident, whatever
// was said; the unconstrained hypotheses model out-of-grammar speech. A model without a CTC head has the zero lp, one
// without a transducer a nil net.
func ScoreReadings(
	ctx context.Context,
	net TransducerNetwork,
	f EncoderFrames,
	lp LogProbs,
	g *TokenGrammar,
	free [][]int,
	o ReadingOptions,
) ([]SentenceReading, error) {
	sentences, err := searchGrammar(ctx, net, f, lp, g, o.Search)
	if err != nil {
		return nil, err
	}
	var readings []SentenceReading
	for _, s := range limitSentences(sentences[:min(len(sentences), max(o.Most, 1))], max(f.T, lp.T)) {
		readings = append(readings, SentenceReading{Tokens: s.Tokens, Foreseen: true})
	}
	for _, tokens := range free {
		if !slices.ContainsFunc(readings, func(r SentenceReading) bool { return slices.Equal(r.Tokens, tokens) }) {
			readings = append(readings, SentenceReading{Tokens: tokens, Foreseen: g.AcceptsTokens(tokens)})
		}
	}
	if err := scoreReadings(ctx, net, f, lp, readings); err != nil {
		return nil, err
	}
	weighReadings(readings, lp.Labels > 0, net != nil, o)
	return readings, nil
}

// ScoreSentences scores sentences against each other by both heads and returns their posterior probabilities, best
// first. The heads are given as for ScoreReadings.
func ScoreSentences(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, lp LogProbs, sentences [][]int, o ReadingOptions,
) ([]SentenceReading, error) {
	readings := make([]SentenceReading, len(sentences))
	for i, tokens := range sentences {
		readings[i].Tokens = tokens
	}
	if err := scoreReadings(ctx, net, f, lp, readings); err != nil {
		return nil, err
	}
	weighReadings(readings, lp.Labels > 0, net != nil, o)
	return readings, nil
}

// maxJoints limits the transducer scoring of long sentences, in joints (tokens times frames).
const maxJoints = 40_000

// limitSentences returns the best sentences that fit maxJoints with the number of frames; at least one.
func limitSentences(sentences []GrammarSentence, frames int) []GrammarSentence {
	joints := 0
	for i, s := range sentences {
		if joints += len(s.Tokens) * frames; joints > maxJoints && i > 0 {
			return sentences[:i]
		}
	}
	return sentences
}

// searchGrammar searches with the CTC head, or with the transducer without one.
func searchGrammar(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, lp LogProbs, g *TokenGrammar, o GrammarOptions,
) ([]GrammarSentence, error) {
	if lp.Labels > 0 {
		return CTCGrammar(ctx, lp, g, o)
	}
	return RNNTGrammar(ctx, net, f, g, o)
}

func scoreReadings(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, lp LogProbs, readings []SentenceReading,
) error {
	sequences := make([][]int, len(readings))
	for i, r := range readings {
		sequences[i] = r.Tokens
		if lp.Labels > 0 {
			readings[i].CTC = CTCForward(lp, r.Tokens)
		}
	}
	if net == nil {
		return nil
	}
	scores, err := RNNTForwardAll(ctx, net, f, sequences)
	for i, s := range scores {
		readings[i].RNNT = s
	}
	return err
}

// weighReadings converts scores into probabilities (softmax) and sorts by them.
func weighReadings(readings []SentenceReading, ctc, rnnt bool, o ReadingOptions) {
	share := o.RNNTShare
	switch {
	case !ctc:
		share = 1
	case !rnnt:
		share = 0
	}
	scores, best := make([]float64, len(readings)), negInf
	for i, r := range readings {
		s := weightedScore(share, r.RNNT) + weightedScore(1-share, r.CTC)
		if r.Foreseen {
			s += o.Prior
		}
		scores[i] = s * o.Sharpness
		best = max(best, scores[i])
	}
	sum := 0.0
	for i, s := range scores {
		readings[i].Probability = 0
		if s > negInf {
			readings[i].Probability = math.Exp(s - best)
		}
		sum += readings[i].Probability
	}
	for i := range readings {
		if sum > 0 {
			readings[i].Probability /= sum
		}
	}
	SortReadings(readings)
}

// SortReadings sorts by probability, highest first.
func SortReadings(readings []SentenceReading) {
	slices.SortStableFunc(readings, func(a, b SentenceReading) int { return cmp.Compare(b.Probability, a.Probability) })
}

// weightedScore returns share times score; 0 for share 0, even if score is -Inf.
func weightedScore(share, score float64) float64 {
	if share == 0 {
		return 0
	}
	return share * score
}
