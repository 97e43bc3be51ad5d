package voice_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"munadi/engine/voice"
)

func tinyDescription(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(tinyConfig)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConfigIsRead(t *testing.T) {
	t.Parallel()
	c, err := voice.ParseConfig(tinyDescription(t))
	if err != nil {
		t.Fatal(err)
	}
	if c.SampleRate != 22050 || c.ESpeak != "ar" || c.Language != "ar" || c.Symbols != 166 || c.Speakers != 1 ||
		c.Noise != 0.667 || c.Length != 1 || c.NoiseW != 0.8 || c.IDs["ħ"][0] != 43 {
		t.Errorf("read %+v", c)
	}
}

// TestFaultyConfigs checks that the error names each faulty field.
func TestFaultyConfigs(t *testing.T) {
	t.Parallel()
	var usual map[string]any
	if err := json.Unmarshal(tinyDescription(t), &usual); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]map[string]any{
		"audio.sample_rate is 100":      {"audio": map[string]any{"sample_rate": 100}},
		"phoneme_type is \"pinyin\"":    {"phoneme_type": "pinyin"},
		"espeak.voice is \"-w/tmp/x\"":  {"espeak": map[string]any{"voice": "-w/tmp/x"}},
		"num_symbols is 0":              {"num_symbols": 0},
		"default_speaker_id 5":          {"default_speaker_id": 5},
		"inference.length_scale is 100": {"inference": map[string]any{"length_scale": 100}},
		"inference.noise_w is -1":       {"inference": map[string]any{"noise_w": -1}},
		"has the id 166":                {"phoneme_id_map": map[string]any{"^": []int{1}, "_": []int{0}, "$": []int{166}}},
		"phoneme_id_map has no \"^\"":   {"phoneme_id_map": map[string]any{}},
		"vowel_clusters":                {"vowel_clusters": [][]string{{"a", "q"}}},
		"language.family":               {"language": map[string]any{"family": "عربي"}},
		"is not the JSON":               {"phoneme_id_map": "none"},
	} {
		changed := maps.Clone(usual)
		maps.Copy(changed, change)
		text, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := voice.ParseConfig(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want: %s", err, want)
		}
	}
	if _, err := voice.ParseConfig(make([]byte, 2<<20)); err == nil || !strings.Contains(err.Error(), "2097152 bytes") {
		t.Errorf("two megabytes: %v", err)
	}
}

// FuzzConfig checks that any file is read or refused, and that what is read can encode any phonemes.
func FuzzConfig(f *testing.F) {
	f.Add(tinyDescription(f), "mˈarħabaː")
	f.Add([]byte(`{"audio":{"sample_rate":16000},"phoneme_type":"text"}`), "")
	f.Fuzz(func(t *testing.T, file []byte, phonemes string) {
		c, err := voice.ParseConfig(file)
		if err != nil {
			return
		}
		ids, _ := c.EncodePhonemes(phonemes)
		for _, id := range ids {
			if id < 0 || id >= int64(c.Symbols) {
				t.Fatalf("the id %d of %d", id, c.Symbols)
			}
		}
	})
}
