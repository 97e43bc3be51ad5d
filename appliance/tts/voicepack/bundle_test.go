package voicepack_test

import (
	"math"
	"strings"
	"testing"

	"munadi/appliance/tts/loudness"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine/arabic"
)

func shipped(t testing.TB) *voicepack.VoicePack {
	t.Helper()
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryClipIsLevelledAndWhole(t *testing.T) {
	t.Parallel()
	b := shipped(t)
	bytes := 0
	for _, c := range b.Clips() {
		pcm := b.PCM(c)
		bytes += len(pcm)
		samples := make([]float32, len(pcm))
		for i, v := range pcm {
			samples[i] = float32(v) / 32768
		}
		if got := loudness.IntegratedLoudness(samples, voicepack.Rate); math.Abs(got-loudness.Target) > 1 {
			t.Errorf("%s: %.2f LUFS, want %.0f ± 1", c.Name, got, loudness.Target)
		}
		if peak := loudness.TruePeak(samples, voicepack.Rate); peak > 0.9 {
			t.Errorf("%s: true peak %.2f, want at most 0.9", c.Name, peak)
		}
		if s := len(pcm); s < voicepack.Rate/10 || s > 10*voicepack.Rate {
			t.Errorf("%s: %d samples", c.Name, s)
		}
		if arabic.FoldSpelling(c.Plain) != c.Folded || c.Folded == "" {
			t.Errorf("%s: %q without marks is %q", c.Name, c.Text, c.Plain)
		}
	}
	if bytes != len(prompts.VoiceBytes()) {
		t.Errorf("clips have %d bytes, the file %d", bytes, len(prompts.VoiceBytes()))
	}
}

func TestGroupsAndVoices(t *testing.T) {
	t.Parallel()
	b := shipped(t)
	count := map[string]int{}
	for _, c := range b.Clips() {
		switch {
		case c.IsOfGroup("appointment", "common", "restaurant"):
			count["prompt"]++
		case c.IsOfGroup("number", "hour", "day", "month", "word"):
			count["block"]++
		case c.IsOfGroup("callee", "machine"):
			count["other side "+c.Variant()]++
		default:
			t.Errorf("%s belongs to no group", c.Name)
		}
		if again, ok := b.Clip(c.Name); !ok || again != c {
			t.Errorf("%s is not found by its name", c.Name)
		}
	}
	if count["prompt"] != 57 || count["block"] != 181 {
		t.Errorf("%v, want 57 prompts and 181 blocks", count)
	}
	if n := count["other side "]; n == 0 || n != count["other side high"] || n != count["other side low"] {
		t.Errorf("%v, want as many clips in each voice", count)
	}
	if _, ok := b.Clip("callee.nobody"); ok {
		t.Error("found a clip that isn't there")
	}
}

func TestOpenRefusesABrokenIndex(t *testing.T) {
	t.Parallel()
	for name, index := range map[string]string{
		"too few fields": "a\t0\t2\tنعم\n",
		"beyond the end": "a\t2\t3\tنعم\tنعم\n",
		"no number":      "a\tx\t2\tنعم\tنعم\n",
		"negative":       "a\t0\t-2\tنعم\tنعم\n",
		"twice":          "a\t0\t2\tنعم\tنعم\na\t0\t2\tنعم\tنعم\n",
		"a large offset": "a\t4294967296\t2\tنعم\tنعم\n",
	} {
		if _, err := voicepack.OpenPack(index, strings.Repeat("x", 4)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
