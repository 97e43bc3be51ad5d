package voice_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/engine/voice"
)

const characters = "testdata/characters"

// TestSupertonicAgrees compares ids and sounds with those of Supertonic's own runtime.
func TestSupertonicAgrees(t *testing.T) {
	python := findPeer(t, "supertonic")
	v := openCharacters(t, characters)
	sentences := []string{
		"مرحبا، كيف حالك الآن؟", "موعدكم يوم الخميس الساعة الخامسة والنصف مساء!", "مَوْعِدُكُمْ غدًا",
		"إلى أين؟ (آت) , لا بأس .", "رقم 5 — “نعم” ‘لا’ a_b [c] d/e #1 ☎ 😀 \"\"", "name@example.com",
	}
	in, err := json.Marshal(sentences)
	if err != nil {
		t.Fatal(err)
	}
	for i, theirs := range askPeer(t, in, python, "testdata/peer_supertonic.py", characters) {
		ids, _ := v.EncodePhonemes(sentences[i])
		if !slices.Equal(theirs.IDs, ids) {
			t.Errorf("%s: ids %v, want %v", sentences[i], ids, theirs.IDs)
		}
		ours, err := v.SynthesizeScaled(t.Context(), ids, 0, v.Length, 0)
		compareSamples(t, sentences[i], ours, theirs.Samples, err)
	}
}

func openCharacters(t *testing.T, dir string) *voice.NeuralVoice {
	t.Helper()
	loadRuntime(t)
	v, err := voice.OpenFolder(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func TestCharacterVoiceSpeaks(t *testing.T) {
	v := openCharacters(t, characters)
	if c, err := voice.DescribeFolder(characters); err != nil || c.SampleRate != 44100 || c.Language != "ar" {
		t.Errorf("described as %d Hz, %q, %v", c.SampleRate, c.Language, err)
	}
	if trial, err := v.RunTrial(t.Context()); err != nil || trial.Speech < 0.5 || trial.Loudest < 0.01 {
		t.Errorf("trial %+v, %v", trial, err)
	}
	ids, missing := v.EncodePhonemes("مرحبا 中中 أهلا")
	if !slices.Equal(missing, []string{"中"}) || len(ids) == 0 {
		t.Errorf("%d ids, missing %q", len(ids), missing)
	}
	for _, mute := range []string{"", " ,.", "中"} {
		if some, _ := v.EncodePhonemes(mute); some != nil {
			t.Errorf("%q has the ids %v", mute, some)
		}
	}
	quick, _ := v.SynthesizeScaled(t.Context(), ids, 0, 0.5, 0)
	slow, err := v.SynthesizeScaled(t.Context(), ids, 0, 1, 0)
	if err != nil || math.Abs(float64(len(slow)-2*len(quick))) > 2 {
		t.Errorf("%d samples, twice as quick %d, %v", len(slow), len(quick), err)
	}
	if _, err := v.Synthesize(t.Context(), make([]int64, 4001)); !errors.Is(err, voice.ErrTooLong) {
		t.Errorf("4001 ids: %v", err)
	}
}

// TestFaultyCharacterVoices checks that each faulty file is refused with an error that names the fault.
func TestFaultyCharacterVoices(t *testing.T) {
	loadRuntime(t)
	for _, c := range []struct{ file, text, want string }{
		{voice.ShapeFile, "{}", "ae.sample_rate is 0; 8000 to 48000"},
		{voice.ShapeFile, "[", "not the JSON of a Supertonic voice"},
		{voice.ShapeFile, `{"ae":{"sample_rate":44100,"base_chunk_size":512},"ttl":{"chunk_compress_factor":6,"latent_dim":25}}`, ""},
		{voice.CharactersFile, "[1, 2]", "the voice does not speak Arabic"},
		{voice.CharactersFile, `{"a": 1}`, "not a list of ids"},
		{voice.CharactersFile, "[-2]", "has the id -2"},
		{voice.StyleFile, `{"style_ttl": {"dims": [1, 1, 2], "data": [[[1, 2]]]}}`, "style_dp"},
		{voice.StyleFile, `{"style_ttl": {"dims": [1, 1, 3], "data": [[[1, 2]]]}}`, "has 2 numbers and the sizes [1 1 3]"},
		{voice.StyleFile, `{"style_ttl": {"dims": [1, 70000, 70000], "data": []}}`, "want sizes of at most"},
		{voice.StyleFile, `{"style_ttl": {"dims": [1, 1, 1], "data": [[[["x"]]]]}}`, "want numbers in arrays"},
		{"vocoder.onnx", "no network", "vocoder.onnx: "},
		{"vocoder.onnx", "text_encoder.onnx", "a Supertonic voice has latent"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(characters)); err != nil {
			t.Fatal(err)
		}
		text := []byte(c.text)
		if strings.HasSuffix(c.text, ".onnx") {
			text, _ = os.ReadFile(filepath.Join(dir, c.text))
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), text, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := voice.OpenFolder(dir, 1)
		if err == nil {
			_, err = v.RunTrial(t.Context())
			_ = v.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %.40q: %v, want: %s", c.file, c.text, err, c.want)
		}
	}
}
