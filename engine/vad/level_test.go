package vad_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"munadi/engine/vad"
)

// soundOf returns seconds of noise at a level (RMS, 1 is full scale).
func soundOf(level, seconds float64) []float32 {
	rng := rand.New(rand.NewPCG(1, 1))
	out := make([]float32, int(seconds*16000))
	for i := range out {
		out[i] = float32(level * rng.NormFloat64())
	}
	return out
}

// gainOf returns how much louder b is than a.
func gainOf(t *testing.T, a, b []float32) float64 {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d samples became %d", len(a), len(b))
	}
	i := slices.IndexFunc(a, func(v float32) bool { return v != 0 })
	return float64(b[i]) / float64(a[i])
}

func TestQuietSoundIsRaised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		speech, background float64
		want               float64 // gain
	}{
		"usual speech":                  {0.1, 0.0001, 1},
		"loud speech":                   {0.5, 0.0001, 1},
		"quiet speech":                  {0.02, 0.0001, 5},
		"very quiet speech":             {0.0005, 0, 8},
		"quiet speech over a telephone": {0.01, 0.001, 3},
		"quiet speech in a room":        {0.02, 0.005, 1},
		"a room without speech":         {0.002, 0.002, 1.5},
	} {
		block := slices.Concat(soundOf(c.background, 0.4), soundOf(c.speech, 1), soundOf(c.background, 1.6))
		before := slices.Clone(block)
		got := gainOf(t, block, new(vad.LevelRaiser).RaiseBlock(block))
		if math.Abs(got-c.want) > 0.2*c.want {
			t.Errorf("%s: gain %.1f, want %.1f", name, got, c.want)
		}
		if !slices.Equal(block, before) {
			t.Errorf("%s: the recording itself was changed", name)
		}
	}
}

// TestPauseOfLoudSpeaker: the background of a pause is not raised as a quiet recording is.
func TestPauseOfLoudSpeaker(t *testing.T) {
	t.Parallel()
	var r vad.LevelRaiser
	r.RaiseBlock(soundOf(0.2, 3))
	for _, pause := range []struct {
		seconds, most float64
	}{{3, 1}, {3, 1.1}, {40, 4}} {
		block := soundOf(0.0002, pause.seconds)
		if got := gainOf(t, block, r.RaiseBlock(block)); got > pause.most {
			t.Errorf("a pause of %v s more: gain %.1f, want at most %.1f", pause.seconds, got, pause.most)
		}
	}
}

func TestShortAndEmptyBlocksStay(t *testing.T) {
	t.Parallel()
	var r vad.LevelRaiser
	for _, block := range [][]float32{nil, soundOf(0.01, 0.03), make([]float32, 5000)} {
		if got := r.RaiseBlock(block); !slices.Equal(got, block) {
			t.Errorf("%d samples became %d others", len(block), len(got))
		}
	}
}
