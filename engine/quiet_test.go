package engine

import (
	"math"
	"testing"

	"munadi/engine/arabic"
	"munadi/engine/heldout"
)

// attenuate returns a recording that is quieter by a number of decibels, as a file of 16 bits has it.
func attenuate(samples []float32, decibels float64) []float32 {
	out, factor := make([]float32, len(samples)), math.Pow(10, -decibels/20)
	for i, v := range samples {
		out[i] = float32(math.Round(float64(v)*factor*32767)) / 32768
	}
	return out
}

func TestQuietRecordingsAreHeard(t *testing.T) {
	for _, path := range []string{
		"../assets/web/samples/confirm.flac", "../assets/web/samples/appointment.flac", "testdata/golden/g16.wav",
	} {
		samples := loadClip(t, path)
		want := transcribeSamples(t, samples)
		for _, decibels := range []float64{10, 20} {
			if got := transcribeSamples(t, attenuate(samples, decibels)); got != want {
				t.Errorf("%s, %v dB quieter: %q, want %q", path, decibels, got, want)
			}
		}
	}
}

// TestEchoInOneChannel: in one channel of several, quiet speech is the other side's echo.
func TestEchoInOneChannel(t *testing.T) {
	echo := attenuate(loadClip(t, "testdata/golden/g00.wav"), 50)
	for one, want := range map[bool]bool{true: false, false: true} {
		res, err := openTest(t).Transcribe(t.Context(), &memoryClip{samples: echo}, TranscribeOptions{OneChannel: one})
		if err != nil {
			t.Fatal(err)
		}
		if heard := res.Text != ""; heard != want {
			t.Errorf("one channel %v: an echo 50 dB below speech is heard as %q", one, res.Text)
		}
	}
}

// TestDigitsOfStrangers counts the digits of anonymous people, held out, that are transcribed exactly, as they were
// recorded (some at −43 dB) and quieter. MUNADI_SPEECH is the folder of the recordings.
func TestDigitsOfStrangers(t *testing.T) {
	takes := heldout.DigitClips(t, heldout.OpenRecordings(t))
	for _, c := range []struct{ decibels, percent float64 }{{0, 95}, {10, 93}, {20, 90}} {
		right := 0
		for _, take := range takes {
			if arabic.FoldSpelling(transcribeSamples(t, attenuate(take.Samples, c.decibels))) == arabic.FoldSpelling(take.Word) {
				right++
			}
		}
		share := 100 * float64(right) / float64(len(takes))
		t.Logf("%v dB quieter: %d of %d (%.1f %%)", c.decibels, right, len(takes), share)
		if share < c.percent {
			t.Errorf("%v dB quieter: %.1f %% of the digits are right, want %v", c.decibels, share, c.percent)
		}
	}
}

func transcribeSamples(t *testing.T, samples []float32, phrases ...string) string {
	t.Helper()
	res, err := openTest(t).Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{Phrases: phrases})
	if err != nil {
		t.Fatal(err)
	}
	return res.Text
}
