package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"munadi/engine/arabic"
	"munadi/engine/decode"
	"munadi/engine/model"
)

const (
	// wordSlack is the padding around a word's sound for the verifier, in levels of 10 ms, as in its training
	// (engine/train/recipe/verifier.py).
	wordSlack = 3
	// longestWord is the longest sound that the verifier judges, in samples: 2 s.
	longestWord = 2 * sampleRate
)

// verifyHypothesis decides a best hypothesis that is one word of the verifier's list among the words of that list.
func (e *Engine) verifyHypothesis(ctx context.Context, d *decodedChunk, ch speechChunk, enc model.EncodedSpeech) error {
	readings := []decode.SentenceReading{{Tokens: d.best.Tokens, Probability: 1}}
	said := e.verifiableReadings(readings)
	if len(said) == 0 {
		return nil
	}
	for i, word := range e.model.Verifier.Words {
		if i != said[0].word {
			readings = append(readings, decode.SentenceReading{Tokens: e.encodePhrase(word)})
		}
	}
	judged, err := e.verifyWord(ctx, ch.samples, readings)
	if judged && !slices.Equal(readings[0].Tokens, d.best.Tokens) {
		d.best = hypothesisFor(enc, readings[0].Tokens, d.best)
	}
	return err
}

// verifyWord rescores the readings that are one word of the verifier's list. Among them only the verifier's
// probabilities count (combined with the speech model's, more answers of unseen speakers were wrong); their sum is
// weighed against all other readings by Bayes' rule. Readings are sorted by probability again. It returns false if
// there are no two such words, or the sound is too long or too short for a word.
func (e *Engine) verifyWord(
	ctx context.Context, samples []float32, readings []decode.SentenceReading,
) (judged bool, err error) {
	words := e.verifiableReadings(readings)
	if len(words) < 2 {
		return false, nil
	}
	from, to := newLoudness(samples).soundBounds(len(samples), wordSlack)
	if to-from > longestWord {
		return false, nil
	}
	mel, valid := e.wordMel.ExtractMel(nil, samples[from:to])
	if valid < 2 {
		return false, nil
	}
	scores, err := e.model.Verifier.ScoreWords(ctx, mel, valid)
	if err != nil {
		return false, err
	}
	weighWords(readings, words, scores)
	slices.SortStableFunc(readings, func(a, b decode.SentenceReading) int {
		return cmp.Compare(b.Probability, a.Probability)
	})
	return true, nil
}

// wordReading is a reading by its index, and its word's by the verifier's.
type wordReading struct{ reading, word int }

// verifiableReadings returns the readings that are one word of the verifier's list; none without a verifier.
func (e *Engine) verifiableReadings(readings []decode.SentenceReading) []wordReading {
	v := e.model.Verifier
	if v == nil {
		return nil
	}
	var found []wordReading
	for i, r := range readings {
		text := arabic.FoldSpelling(e.tokensText(r.Tokens))
		word := slices.IndexFunc(v.Words, func(w string) bool { return arabic.FoldSpelling(w) == text })
		if word >= 0 {
			found = append(found, wordReading{i, word})
		}
	}
	return found
}

// weighWords updates probabilities that sum to 1 by the verifier's log-likelihoods (Bayes' rule). The words have the
// same prior probability, the speech model's for all of them together.
func weighWords(readings []decode.SentenceReading, words []wordReading, verified []float32) {
	best := float64(slices.Max(verified))
	likelihood := func(class int) float64 { return math.Exp(float64(verified[class]) - best) }
	prior := 0.0
	for _, w := range words {
		prior += readings[w.reading].Probability / float64(len(words))
	}
	other := likelihood(len(verified) - 1)
	for i := range readings {
		readings[i].Probability *= other
	}
	for _, w := range words {
		readings[w.reading].Probability = prior * likelihood(w.word)
	}
	sum := 0.0
	for _, r := range readings {
		sum += r.Probability
	}
	for i := range readings {
		readings[i].Probability /= max(sum, math.SmallestNonzeroFloat64)
	}
}
