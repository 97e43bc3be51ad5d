package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"munadi/engine/arabic"
	"munadi/engine/decode"
	"munadi/engine/features"
	"munadi/engine/model"
)

const (
	// wordSlack is the padding around a word's sound for the verifier, in levels of 10 ms, as in its training
	// (engine/train/recipe/verifier.py).
	wordSlack = 3
	// longestWord is the longest sound that the verifier judges, in samples: 2 s.
	longestWord = 2 * sampleRate
	// maxRivals is the number of words that both heads score beside the best hypothesis.
	maxRivals = 4
)

// wordVerifier is the model's word verifier with its own features and its words in the model's tokens.
type wordVerifier struct {
	*model.WordVerifier
	mel    *features.MelExtractor // normalized over all bands together
	tokens [][]int                // of each word; nil for one that the model cannot write
	folded []string               // each word with its spelling folded
}

// newWordVerifier returns the verifier of a model; nil without one.
func newWordVerifier(m *model.SpeechModel) (*wordVerifier, error) {
	if m.Verifier == nil {
		return nil, nil
	}
	o := features.DefaultOptions()
	o.Normalize = features.AllFeatures
	mel, err := features.NewExtractor(m.Features, o)
	if err != nil {
		return nil, err
	}
	v := &wordVerifier{WordVerifier: m.Verifier, mel: mel}
	for _, word := range m.Verifier.Words {
		v.tokens = append(v.tokens, encodePhrase(m, word))
		v.folded = append(v.folded, arabic.FoldSpelling(word))
	}
	return v, nil
}

// verifyHypothesis decides a best hypothesis that is one word of the verifier's list among the likeliest words of that
// list.
func (e *Engine) verifyHypothesis(
	ctx context.Context, d *decodedChunk, ch speechChunk, enc model.EncodedSpeech, o decode.ReadingOptions,
) error {
	plain, folded := e.foldMarks(d.best, enc.CTC)
	enc.CTC = folded
	said := e.verifiableReadings([]decode.SentenceReading{{Tokens: plain.Tokens}})
	if len(said) == 0 {
		return nil
	}
	verified, err := e.words.scoreSound(ctx, ch.samples)
	if verified == nil {
		return err
	}
	sentences := append([][]int{plain.Tokens}, e.words.likeliestRivals(said[0].word, verified, enc.CTC, o.Sharpness)...)
	readings, err := decode.ScoreSentences(ctx, e.latticeNetwork(enc.CTC.T > 0), enc.Joint, enc.CTC, sentences, o)
	if err != nil {
		return err
	}
	weighWords(readings, e.verifiableReadings(readings), verified, e.words.VerifierConfig)
	if decode.SortReadings(readings); !slices.Equal(readings[0].Tokens, plain.Tokens) {
		d.best = hypothesisFor(enc, readings[0].Tokens, d.best)
	}
	return nil
}

// likeliestRivals returns the tokens of the likeliest other words of the verifier's list, by the verifier and the CTC
// head: the transducer is too slow to score all of them.
func (v *wordVerifier) likeliestRivals(said int, verified []float32, lp decode.LogProbs, sharpness float64) [][]int {
	type rival struct {
		tokens []int
		score  float64
	}
	var rivals []rival
	for i, tokens := range v.tokens {
		if i == said || tokens == nil {
			continue
		}
		score := float64(verified[i]) + v.LogPriors[v.Words[i]]
		if lp.Labels > 0 {
			score += sharpness * decode.CTCForward(lp, tokens)
		}
		rivals = append(rivals, rival{tokens, score})
	}
	slices.SortFunc(rivals, func(a, b rival) int { return cmp.Compare(b.score, a.score) })
	var likeliest [][]int
	for _, r := range rivals[:min(len(rivals), maxRivals)] {
		likeliest = append(likeliest, r.tokens)
	}
	return likeliest
}

// verifyWord updates the probabilities of readings that are one word of the verifier's list by the verifier's
// likelihoods (weighWords), and sorts the readings again. It does nothing if there are no two such words, or the sound
// is too long or too short for a word.
func (e *Engine) verifyWord(ctx context.Context, samples []float32, readings []decode.SentenceReading) error {
	words := e.verifiableReadings(readings)
	if !slices.ContainsFunc(words, func(w wordReading) bool { return w.word != words[0].word }) {
		return nil
	}
	verified, err := e.words.scoreSound(ctx, samples)
	if verified == nil {
		return err
	}
	weighWords(readings, words, verified, e.words.VerifierConfig)
	decode.SortReadings(readings)
	return nil
}

// scoreSound returns the log-likelihoods of the words and of any other, [K+1]; nil for a sound that is too long or too
// short for a word.
func (v *wordVerifier) scoreSound(ctx context.Context, samples []float32) ([]float32, error) {
	from, to := newLoudness(samples).soundBounds(len(samples), wordSlack)
	if to-from > longestWord {
		return nil, nil
	}
	mel, valid := v.mel.ExtractMel(nil, samples[from:to])
	if valid < 2 {
		return nil, nil
	}
	return v.ScoreWords(ctx, mel, valid)
}

// wordReading is a reading by its index, and its word's by the verifier's.
type wordReading struct{ reading, word int }

// verifiableReadings returns the readings that are one word of the verifier's list; none without a verifier.
func (e *Engine) verifiableReadings(readings []decode.SentenceReading) []wordReading {
	if e.words == nil {
		return nil
	}
	var found []wordReading
	for i, r := range readings {
		text := arabic.FoldSpelling(e.tokensText(r.Tokens))
		if word := slices.Index(e.words.folded, text); word >= 0 {
			found = append(found, wordReading{i, word})
		}
	}
	return found
}

// weighWords updates probabilities that sum to 1 by the verifier's log-likelihoods, of the words and of any other word
// (Bayes' rule with independent witnesses). The verifier's LogPriors enter the choice between the words, not the prior
// probability of the words together.
func weighWords(readings []decode.SentenceReading, words []wordReading, verified []float32, c model.VerifierConfig) {
	prior := func(w wordReading) float64 { return math.Exp(c.LogPriors[c.Words[w.word]]) }
	before, after := 0.0, 0.0 // the words' probability together
	for _, w := range words {
		p := readings[w.reading].Probability
		before += p
		after += p * prior(w)
	}
	best := float64(slices.Max(verified))
	likelihood := func(class int) float64 { return math.Exp(float64(verified[class]) - best) }
	factors := slices.Repeat([]float64{likelihood(len(verified) - 1)}, len(readings))
	share := before / max(after, math.SmallestNonzeroFloat64)
	for _, w := range words {
		factors[w.reading] = share * prior(w) * likelihood(w.word)
	}
	scaleReadings(readings, factors)
}

// scaleReadings multiplies the probabilities by factors, and brings their sum back to 1.
func scaleReadings(readings []decode.SentenceReading, factors []float64) {
	sum := 0.0
	for i := range readings {
		readings[i].Probability *= factors[i]
		sum += readings[i].Probability
	}
	for i := range readings {
		readings[i].Probability /= max(sum, math.SmallestNonzeroFloat64)
	}
}
