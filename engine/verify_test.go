package engine

import (
	"math"
	"testing"

	"munadi/engine/decode"
	"munadi/engine/model"
)

func TestVerifierWeighsWordsByBayesRule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		likelihoods [3]float64 // of the first word, the second, another
		want        [4]float64 // probabilities afterwards, up to a factor
	}{
		"the second word":    {[3]float64{0.1, 1, 0.5}, [4]float64{0.4 * 0.1, 0.3 * 0.5, 0.2, 0.1}},
		"another word":       {[3]float64{0.1, 0.1, 2}, [4]float64{0.4 * 0.1, 0.3 * 2, 0.2 * 0.1, 0.1 * 0.1}},
		"no opinion at all":  {[3]float64{1, 1, 1}, [4]float64{0.4, 0.3, 0.2, 0.1}},
		"certainly no other": {[3]float64{1, 0.5, 0}, [4]float64{0.4, 0, 0.2 * 0.5, 0.1 * 0.5}},
	} {
		compareProbabilities(t, name, weighedExample(c.likelihoods, nil), c.want)
	}
}

// TestPriorsOfVerifiedWords: priors change the choice between the words, not what all of them have together.
func TestPriorsOfVerifiedWords(t *testing.T) {
	t.Parallel()
	priors := map[string]float64{"نعم": math.Log(3)}
	share := 0.7 / 1.5 // of 0.4 * 3 + 0.2 + 0.1
	want := [4]float64{0.4 * 3 * share, 0.3, 0.2 * share, 0.1 * share}
	compareProbabilities(t, "no opinion at all", weighedExample([3]float64{1, 1, 1}, priors), want)
}

// weighedExample returns what a verifier makes of the first word, a sentence of two, and two spellings of the second word.
func weighedExample(likelihoods [3]float64, priors map[string]float64) []decode.SentenceReading {
	readings := []decode.SentenceReading{
		{Tokens: []int{1}, Probability: 0.4},
		{Tokens: []int{2, 3}, Probability: 0.3},
		{Tokens: []int{2}, Probability: 0.2},
		{Tokens: []int{4}, Probability: 0.1},
	}
	var verified []float32
	for _, l := range likelihoods {
		verified = append(verified, float32(math.Log(l)))
	}
	config := model.VerifierConfig{Words: []string{"نعم", "لا"}, LogPriors: priors}
	weighWords(readings, []wordReading{{0, 0}, {2, 1}, {3, 1}}, verified, config)
	return readings
}

// compareProbabilities compares the readings' probabilities with weights.
func compareProbabilities(t *testing.T, name string, readings []decode.SentenceReading, weights [4]float64) {
	t.Helper()
	sum := weights[0] + weights[1] + weights[2] + weights[3]
	for i, w := range weights {
		if got := readings[i].Probability; math.Abs(got-w/sum) > 1e-6 {
			t.Errorf("%s: reading %d has probability %.4f, want %.4f", name, i, got, w/sum)
		}
	}
}

func TestSoundBoundsOfAWord(t *testing.T) {
	t.Parallel()
	samples := make([]float32, 2*sampleRate)
	for i := 8000; i < 16000; i++ {
		samples[i] = 0.3 * float32(math.Sin(float64(i)/7))
	}
	if from, to := newLoudness(samples).soundBounds(len(samples), wordSlack); from != 8000-3*hop || to != 16000+3*hop {
		t.Errorf("a word from 8000 to 16000 is bounded at %d and %d", from, to)
	}
	quiet := make([]float32, 900)
	if from, to := newLoudness(quiet).soundBounds(len(quiet), wordSlack); from != 0 || to != len(quiet) {
		t.Errorf("silence is cut to %d–%d", from, to)
	}
}
