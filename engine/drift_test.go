package engine

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"munadi/engine/vad"
)

// TestWordsAfterALongPauseAreNoticedAtOnce: on every kind of line, a word after 15 s or more of silence is detected as
// soon as a first word.
func TestWordsAfterALongPauseAreNoticedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	e := openTest(t)
	for line, level := range map[string]float64{"silent": 0, "telephone": 0.0003, "hiss": 0.003, "street": 0.03} {
		rng := rand.New(rand.NewPCG(3, 4))
		on := func(speech []float32) []float32 {
			for i := range speech {
				speech[i] += float32(level * rng.NormFloat64())
			}
			return speech
		}
		for _, name := range []string{"g00.wav", "g16.wav", "g28.wav"} {
			word := loadClip(t, filepath.Join("testdata/golden", name))
			lead := make([]float32, 16*window)
			alone := speechOnset(t, e, on(slices.Concat(lead, word)), 0)
			for _, seconds := range []int{15, 40} {
				before := slices.Concat(loadClip(t, "testdata/golden/g28.wav"), make([]float32, seconds*sampleRate))
				before = before[:len(before)/window*window]
				late := speechOnset(t, e, on(slices.Concat(before, lead, word)), len(before)/window) - alone
				if late > 2 {
					t.Errorf("%s line: %s is noticed %d ms later after %d s", line, name, late*32, seconds)
				}
			}
		}
	}
}

// speechOnset returns the first speech window from window from on, counted from it.
func speechOnset(t *testing.T, e *Engine, samples []float32, from int) int {
	t.Helper()
	probs, err := vad.NewStream(e.silero).PushSamples(t.Context(), samples)
	if err != nil {
		t.Fatal(err)
	}
	first := slices.IndexFunc(probs[from:], func(p float32) bool { return p >= 0.5 })
	if first < 0 {
		t.Error("a word is not noticed at all")
	}
	return first
}
