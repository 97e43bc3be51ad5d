package conversation

import (
	"context"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
	"munadi/engine/grammar"
)

// keptSound is a recognizer that stores what it receives.
type keptSound []float32

func (k *keptSound) Push(_ context.Context, samples []float32) ([]RecognizerReport, error) {
	*k = append(*k, samples...)
	return nil, nil
}

func (*keptSound) Flush(context.Context) ([]RecognizerReport, error) { return nil, nil }

func (*keptSound) ExpectPhrases([]string, *grammar.RuleGrammar) error { return nil }

func (*keptSound) EndTurnsBy(func(PausedTurn) time.Duration) {}

// TestWidebandReachesTheRecognizer checks that a wideband frame reaches the recognizer unchanged, and a narrowband one
// resampled.
func TestWidebandReachesTheRecognizer(t *testing.T) {
	t.Parallel()
	var kept keptSound
	ears := lineListener{hear: &kept, resampler: audio.NewResampler(carrier.Rate, audio.Rate)}
	f := carrier.Frame{Wide: new([2 * carrier.Samples]int16)}
	for i := range f.Wide {
		f.Wide[i] = int16(16384 * (1 - 2*(i%2))) // 8 kHz: nothing of it would be left at a narrower rate
	}
	if _, err := ears.pushFrame(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(f.Wide) || kept[0] != 0.5 || kept[1] != -0.5 {
		t.Fatalf("%d samples: %v", len(kept), kept[:min(4, len(kept))])
	}
	for range 10 {
		if _, err := ears.pushFrame(t.Context(), carrier.Frame{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(kept) - len(f.Wide); n < 9*len(f.Wide) || n > 10*len(f.Wide) {
		t.Errorf("ten narrowband frames give %d samples", n)
	}
}

// TestVoicedStart checks that the silence before a prompt's first sound is measured.
func TestVoicedStart(t *testing.T) {
	t.Parallel()
	pcm := make([]int16, carrier.Rate)
	if got := voicedStart(pcm); got != 0 {
		t.Errorf("silence begins after %v", got)
	}
	for i := range pcm {
		pcm[i] = int16(40 * (i % 3)) // a line's noise
	}
	for i := carrier.Rate / 10; i < len(pcm); i++ {
		pcm[i] = int16(2000 * (i % 3))
	}
	if got := voicedStart(pcm); got != 100*time.Millisecond {
		t.Errorf("the sound begins after %v, want 100 ms", got)
	}
}

// TestVoicedEnd checks that the end of a person's speech is where their sound was last voiced, and the recognizer's
// where the line is silent, or loud, throughout.
func TestVoicedEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		loud       func(frame int) bool
		end, wants time.Duration
	}{
		"a tail":     {func(i int) bool { return i < 50 }, 1100 * time.Millisecond, time.Second},
		"none":       {func(i int) bool { return i < 50 }, time.Second, time.Second},
		"long since": {func(i int) bool { return i < 50 }, 1400 * time.Millisecond, 1400 * time.Millisecond},
		"silent":     {func(int) bool { return false }, time.Second, time.Second},
		"noise":      {func(int) bool { return true }, 1100 * time.Millisecond, 1100 * time.Millisecond},
	} {
		var kept keptSound
		ears := lineListener{hear: &kept, resampler: audio.NewResampler(carrier.Rate, audio.Rate)}
		for i := range 100 {
			f := carrier.Frame{At: time.Duration(i) * carrier.Tick, Wide: new([2 * carrier.Samples]int16)}
			for j := range f.Wide {
				if c.loud(i) {
					f.Wide[j] = int16(1000 * (1 - 2*(j%2)))
				}
			}
			if _, err := ears.pushFrame(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		if got := ears.voicedEnd(c.end); got != c.wants {
			t.Errorf("%s: %v, want %v", name, got, c.wants)
		}
	}
}
