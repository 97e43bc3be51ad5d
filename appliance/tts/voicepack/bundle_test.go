package voicepack_test

import (
	"math"
	"strings"
	"testing"

	"munadi/appliance/tts/loudness"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine/arabic"
	"munadi/engine/audio"
)

func shippedPack(t testing.TB) *voicepack.VoicePack {
	t.Helper()
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryClipIsLevelledAndWhole(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	b := shippedPack(t)
	bytes := 0
	for _, c := range b.Clips() {
		pcm := b.PCM(c)
		bytes += len(pcm)
		samples := toFloats(pcm)
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

// TestWideSound: the clips that are spoken have the same sound at twice the rate, as loud, and with what lies above 4 kHz.
func TestWideSound(t *testing.T) {
	t.Parallel()
	b := shippedPack(t)
	above, clips := 0.0, 0
	for i, c := range b.Clips() {
		narrow, wide := b.PCM(c), b.Wide(c)
		if !c.IsSpoken() {
			if wide != nil {
				t.Errorf("%s is never spoken, and has %d wideband samples", c.Name, len(wide))
			}
			continue
		}
		if len(wide) != 2*len(narrow) {
			t.Fatalf("%s: %d samples, %d at twice the rate", c.Name, len(narrow), len(wide))
		}
		if i%7 != 0 { // the rest takes long
			continue
		}
		samples := toFloats(wide)
		if got := loudness.IntegratedLoudness(samples, voicepack.WideRate); math.Abs(got-loudness.Target) > 1 {
			t.Errorf("%s: %.2f LUFS, want %.0f ± 1", c.Name, got, loudness.Target)
		}
		// What is left of the wideband sound without its upper half is the narrowband one, later by the coder's delay.
		down := audio.NewResampler(voicepack.WideRate, voicepack.Rate)
		low := down.Flush(down.Push(nil, samples))
		if got := soundCorrelation(toFloats(narrow), low[11:]); got < 0.9 {
			t.Errorf("%s: the two sounds are alike by %.3f", c.Name, got)
		}
		up := audio.NewResampler(voicepack.Rate, voicepack.WideRate)
		above, clips = above+missingPower(samples, up.Flush(up.Push(nil, low))), clips+1
	}
	if above /= float64(clips); above < 0.002 {
		t.Errorf("%.5f of the power of %d clips lies above 4 kHz", above, clips)
	} else {
		t.Logf("%.5f of the power of %d clips lies above 4 kHz", above, clips)
	}
}

func toFloats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}

// soundCorrelation is the correlation of two sounds.
func soundCorrelation(a, b []float32) float64 {
	var aa, bb, ab float64
	for i := range min(len(a), len(b)) {
		aa, bb, ab = aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i]), ab+float64(a[i])*float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// missingPower is the part of a sound's power that another lacks.
func missingPower(whole, part []float32) float64 {
	var all, lacks float64
	for i := range min(len(whole), len(part)) {
		d := float64(whole[i]) - float64(part[i])
		all, lacks = all+float64(whole[i])*float64(whole[i]), lacks+d*d
	}
	return lacks / all
}

func TestGroupsAndVoices(t *testing.T) {
	t.Parallel()
	b := shippedPack(t)
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
	if count["prompt"] != 58 || count["block"] != 182 {
		t.Errorf("%v, want 58 prompts and 182 blocks", count)
	}
	if n := count["other side "]; n == 0 || n != count["other side high"] || n != count["other side low"] {
		t.Errorf("%v, want the same number of clips in each voice", count)
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
		if _, err := voicepack.OpenPack(index, strings.Repeat("x", 4), ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := voicepack.OpenPack("a\t0\t4\tنعم\tنعم\n", "xxxx", "xxx"); err == nil {
		t.Error("wideband audio that is too short: no error")
	}
}
