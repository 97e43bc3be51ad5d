package engine

import (
	"math"
	"testing"

	"munadi/engine/decode"
)

func TestVerifierWeighsWordsByBayesRule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		likelihoods [3]float64 // of the first word, the second, another
		want        [3]float64 // probabilities afterwards, up to a factor
	}{
		"the second word":    {[3]float64{0.1, 1, 0.5}, [3]float64{0.35 * 0.1, 0.3 * 0.5, 0.35 * 1}},
		"another word":       {[3]float64{0.1, 0.1, 2}, [3]float64{0.35 * 0.1, 0.3 * 2, 0.35 * 0.1}},
		"no opinion at all":  {[3]float64{1, 1, 1}, [3]float64{0.35, 0.3, 0.35}},
		"certainly no other": {[3]float64{1, 0.5, 0}, [3]float64{0.35, 0, 0.35 * 0.5}},
	} {
		readings := []decode.SentenceReading{
			{Tokens: []int{1}, Probability: 0.5},
			{Tokens: []int{2, 3}, Probability: 0.3}, // more than a word
			{Tokens: []int{2}, Probability: 0.2},
		}
		var verified []float32
		for _, l := range c.likelihoods {
			verified = append(verified, float32(math.Log(l)))
		}
		weighWords(readings, []wordReading{{0, 0}, {2, 1}}, verified)
		sum := c.want[0] + c.want[1] + c.want[2]
		for i, want := range c.want {
			if got := readings[i].Probability; math.Abs(got-want/sum) > 1e-6 {
				t.Errorf("%s: reading %d has probability %.4f, want %.4f", name, i, got, want/sum)
			}
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
