package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/config"
	"munadi/appliance/modelhub/hubtest"
)

// voiceCommand runs "munadi voice ARGS" on a data folder and returns what it printed.
func voiceCommand(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	var cli struct {
		config.Config
		Voice VoiceCmd `cmd:"" settings:"model-hub,proxy,espeak,cache,data"`
	}
	return runParsed(t, &cli, &cli.Config, append([]string{"--data=" + data, "voice"}, args...)...)
}

const tinyVoice = "../../../engine/voice/testdata/tiny.onnx"

func TestVoiceIsImportedUsedAndRemoved(t *testing.T) {
	data := t.TempDir()
	for _, step := range []struct{ args, said, fault string }{
		{"list", "ar_JO-kareem-medium", ""},
		{"import " + tinyVoice + " --license CC0", "0.1 M parameters, 22050 Hz", ""},
		{"import " + tinyVoice, "", `the voice "tiny" exists already`},
		{"import " + tinyVoice + " --name ../x", "", "a name must have"},
		{"import ../../../engine/voice/testdata/nan.onnx", "", "nan.onnx.json is missing"},
		{"import ../../../engine/voice/testdata", "", "files *.onnx; a voice is one"},
		{"use other", "", `there is no voice "other"; installed: tiny`},
		{"use tiny", "spoken by tiny from now on", ""},
		{"list", "tiny       yes", ""},
		{"remove tiny", "", "munadi voice use built-in"},
		{"use built-in", "No neural voice speaks", ""},
		{"remove tiny", "tiny is removed", ""},
		{"pull nothing", "", "is not the name of a voice"},
	} {
		said, err := voiceCommand(t, data, strings.Fields(step.args)...)
		if step.fault == "" && (err != nil || !strings.Contains(said, step.said)) ||
			step.fault != "" && (err == nil || !strings.Contains(err.Error(), step.fault)) {
			t.Errorf("%s said %q, %v", step.args, said, err)
		}
	}
	left, err := os.ReadDir(filepath.Join(data, "voices"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestDamagedVoice flips a bit of an installed voice: list and doctor name the file and what to do, and it can't be used.
func TestDamagedVoice(t *testing.T) {
	data := t.TempDir()
	if said, err := voiceCommand(t, data, "import", tinyVoice); err != nil {
		t.Fatal(said, err)
	}
	said, err := voiceCommand(t, data, "list")
	if f := checkVoices(t.Context(), &config.Config{Data: data}); err != nil || !strings.Contains(said, "verified") || f.err != nil {
		t.Fatalf("intact: %s, %v; %+v", said, err, f)
	}
	graph := filepath.Join(data, "voices", "tiny", "tiny.onnx")
	b, err := os.ReadFile(graph)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(graph, b, 0o600); err != nil {
		t.Fatal(err)
	}
	const fault, remedy = "tiny.onnx is damaged", "munadi voice remove"
	if said, err = voiceCommand(t, data, "list"); err != nil || !strings.Contains(said, fault) || !strings.Contains(said, remedy) {
		t.Errorf("list: %s, %v", said, err)
	}
	f := checkVoices(t.Context(), &config.Config{Data: data})
	if f.err == nil || !strings.Contains(f.err.Error(), fault) || !strings.Contains(f.err.Error(), remedy) || f.warning {
		t.Errorf("doctor: %+v", f)
	}
	if _, err = voiceCommand(t, data, "use", "tiny"); err == nil || !strings.Contains(err.Error(), fault) {
		t.Errorf("use: %v", err)
	}
}

// TestVoiceIsPulled checks that licence and size are shown before the question, and the pull after it.
func TestVoiceIsPulled(t *testing.T) {
	data := t.TempDir()
	hub := &hubtest.ModelHub{Ranges: true, Files: map[string][]byte{"ar/MODEL_CARD": []byte("License: CC0\n")}}
	for _, ext := range []string{"", ".json"} {
		b, err := os.ReadFile(tinyVoice + ext)
		if err != nil {
			t.Fatal(err)
		}
		hub.Files["ar/small.onnx"+ext] = b
	}
	hub.StartHub(t)
	said, err := voiceCommand(t, data, "pull", "org/name:small", "--model-hub", hub.URL)
	if err == nil || !strings.Contains(err.Error(), "--yes accepts size and licence") || !strings.Contains(said, "CC0") {
		t.Fatalf("without --yes: %q, %v", said, err)
	}
	said, err = voiceCommand(t, data, "pull", "org/name:small", "--yes", "--model-hub", hub.URL)
	if err != nil || !strings.Contains(said, "small is installed") {
		t.Fatalf("%q, %v", said, err)
	}
	if said, err = voiceCommand(t, data, "list"); err != nil || !strings.Contains(said, "CC0") || !strings.Contains(said, "org/name at 0123456789ab") {
		t.Errorf("listed %q, %v", said, err)
	}
}
