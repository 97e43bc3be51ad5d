package modelhub_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/modelhub"
	"munadi/appliance/modelhub/hubtest"
)

// TestVoiceIsFoundAndDownloaded checks that one voice of a collection is found with the licence of its card, and that its
// files come into one folder.
func TestVoiceIsFoundAndDownloaded(t *testing.T) {
	t.Parallel()
	hub := &hubtest.ModelHub{Ranges: true, Files: map[string][]byte{
		"ar/one/ar_JO-one-medium.onnx":      make([]byte, 5000),
		"ar/one/ar_JO-one-medium.onnx.json": []byte("{}"),
		"ar/one/MODEL_CARD":                 []byte("# Model card\n\n## Dataset\n* URL: x\n* License: CC0\n"),
		"en/two/en_US-two-low.onnx":         make([]byte, 5000),
		"en/two/en_US-two-low.onnx.json":    []byte("{}"),
		"lonely.onnx":                       make([]byte, 10),
	}}
	hub.StartHub(t)
	h, err := modelhub.OpenHub(hub.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.FindVoice(t.Context(), modelhub.VoiceName{Repository: "org/name", Voice: "ar_JO-one-medium"})
	if err != nil || m.License != "CC0" || len(m.Files) != 3 {
		t.Fatalf("found %+v, %v", m, err)
	}
	folder := t.TempDir()
	if err := h.Download(t.Context(), m, folder, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ar_JO-one-medium.onnx", "ar_JO-one-medium.onnx.json", "MODEL_CARD"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	other, err := h.FindVoice(t.Context(), modelhub.VoiceName{Repository: "org/name", Voice: "en_US-two-low"})
	if err != nil || other.License != "cc-by-4.0" {
		t.Errorf("without a card: %+v, %v; want the repository's licence", other, err)
	}
	for _, name := range []string{"", "three", "lonely"} {
		_, err := h.FindVoice(t.Context(), modelhub.VoiceName{Repository: "org/name", Voice: name})
		if err == nil || !strings.Contains(err.Error(), "ar_JO-one-medium, en_US-two-low") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestStyleIsFound checks that one style of a voice in Supertonic's layout is found with the networks of all.
func TestStyleIsFound(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"README.md": nil, "LICENSE": []byte("x"), "config.json": []byte("{}")}
	for _, name := range []string{
		"onnx/tts.json", "onnx/unicode_indexer.json", "onnx/duration_predictor.onnx", "onnx/text_encoder.onnx",
		"onnx/vector_estimator.onnx", "onnx/vocoder.onnx", "voice_styles/F1.json", "voice_styles/M1.json",
	} {
		files[name] = []byte(name)
	}
	hub := &hubtest.ModelHub{Ranges: true, Files: files}
	hub.StartHub(t)
	h, err := modelhub.OpenHub(hub.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.FindVoice(t.Context(), modelhub.VoiceName{Repository: "org/name", Voice: "F1"})
	if err != nil || len(m.Files) != 8 || m.Files[0].Name != "voice_styles/F1.json" {
		t.Fatalf("found %+v, %v", m, err)
	}
	_, err = h.FindVoice(t.Context(), modelhub.VoiceName{Repository: "org/name"})
	if err == nil || !strings.Contains(err.Error(), "F1, M1") {
		t.Errorf("without a name: %v", err)
	}
}

func TestVoiceNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]modelhub.VoiceName{
		"ar_JO-kareem-medium":      {"rhasspy/piper-voices", "ar_JO-kareem-medium", "v1.0.0"},
		"ar_JO-kareem-medium@main": {"rhasspy/piper-voices", "ar_JO-kareem-medium", "main"},
		"org/name:pt_PT-tugão@v1":  {"org/name", "pt_PT-tugão", "v1"},
		"supertonic-3-F1@main":     {"Supertone/supertonic-3", "F1", "main"},
		"org/name":                 {Repository: "org/name"},
	} {
		if got, err := modelhub.ParseVoiceName(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "name", "org/name:../x", "org/name:a/b", "org/name@../x", "ar_JO-kareem-low@../x", "org/name:"} {
		if got, err := modelhub.ParseVoiceName(text); err == nil && text != "org/name:" {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestLicenses(t *testing.T) {
	t.Parallel()
	for card, want := range map[string]string{
		"* License: CC0":                         "CC0",
		"---\nlanguage: ar\nlicense: mit\n---":   "mit",
		"**License:** CC BY 4.0\n":               "CC BY 4.0",
		"# x\nLicence: \"Apache-2.0\"\nmore":     "Apache-2.0",
		"The licence of this model is not clear": "",
	} {
		if got := modelhub.FindLicense([]byte(card)); got != want {
			t.Errorf("%q: %q, want %q", card, got, want)
		}
	}
}
