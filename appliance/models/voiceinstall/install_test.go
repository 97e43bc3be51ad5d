package voiceinstall_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/voiceinstall"
	assetsort "munadi/assets/ort"
	"munadi/engine/ort"
	"munadi/engine/voice"
	"munadi/store"
)

const tinyVoice = "../../../engine/voice/testdata/tiny.onnx"

// newDesk returns a desk over an empty folder, and the entries of the audit log that it adds.
func newDesk(t *testing.T) (voiceinstall.VoiceDesk, *[]string) {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err == nil {
		err = ort.LoadLibrary(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	entries, voices := &[]string{}, models.OpenVoices(t.TempDir())
	return voiceinstall.VoiceDesk{
		Watch: &voiceinstall.VoiceWatch{Voices: voices, Warn: func(string) {}, Log: slog.New(slog.DiscardHandler)},
		VoiceInstaller: voiceinstall.VoiceInstaller{
			Voices: voices,
			Open:   func(dir string) (*voice.NeuralVoice, error) { return voice.OpenFolder(dir, 1) },
		},
		AddAudit: func(_ context.Context, orgID string, e store.AuditEntry) error {
			*entries = append(*entries, orgID+" "+e.Actor+" "+e.Action+" "+e.Subject)
			return nil
		},
		Now: time.Now,
	}, entries
}

func TestVoiceOfADesk(t *testing.T) {
	desk, entries := newDesk(t)
	who := voiceinstall.Actor{OrgID: "default", Name: "admin"}
	absolute, err := filepath.Abs(tinyVoice)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := desk.ImportVoice(t.Context(), tinyVoice, "", who); !errors.Is(err, voiceinstall.ErrNoPath) {
		t.Errorf("a relative path: %v", err)
	}
	if name, err := desk.ImportVoice(t.Context(), absolute, "CC0", who); err != nil || name != "tiny" {
		t.Fatal(name, err)
	}
	if _, err := desk.ImportVoice(t.Context(), absolute, "", who); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a second one of the name: %v", err)
	}
	if err := desk.UseVoice(t.Context(), "gone", who); !errors.Is(err, voiceinstall.ErrNoVoice) {
		t.Errorf("one that is not there: %v", err)
	}
	if err := desk.UseVoice(t.Context(), "tiny", who); err != nil {
		t.Error(err)
	}
	if err := desk.RemoveVoice(t.Context(), "tiny", who); !errors.Is(err, voiceinstall.ErrInUse) {
		t.Errorf("the one in use: %v", err)
	}
	all := desk.ListVoices()
	if len(all) != 1 || !all[0].InUse || all[0].Report.License != "CC0" || all[0].Report.SampleRate != 22050 || all[0].Report.Trial.Speech <= 0 {
		t.Errorf("listed %+v", all)
	}
	if err := errors.Join(desk.UseVoice(t.Context(), "", who), desk.RemoveVoice(t.Context(), "tiny", who)); err != nil {
		t.Error(err)
	}
	want := []string{
		"default admin voice.install tiny", "default admin voice.use tiny", "default admin voice.use built-in", "default admin voice.remove tiny",
	}
	if !slices.Equal(*entries, want) {
		t.Errorf("audit log: %q", *entries)
	}
}

// TestStyleOfAVoice imports voices in Supertonic's layout: by one of their styles, by a folder with one, and from the
// folder of an installed one.
func TestStyleOfAVoice(t *testing.T) {
	desk, _ := newDesk(t)
	who := voiceinstall.Actor{OrgID: "default", Name: "admin"}
	model := filepath.Join(t.TempDir(), "supertonic-3")
	for _, name := range voice.CharacterVoiceFiles() {
		copyTo(t, name, filepath.Join(model, "onnx", name))
	}
	copyTo(t, voice.StyleFile, filepath.Join(model, "voice_styles", "F1.json"))
	copyTo(t, voice.StyleFile, filepath.Join(model, "voice_styles", "M1.json"))
	if _, err := desk.ImportVoice(t.Context(), model, "", who); err == nil || !strings.Contains(err.Error(), "2 styles (F1.json, M1.json)") {
		t.Errorf("two styles: %v", err)
	}
	name, err := desk.ImportVoice(t.Context(), filepath.Join(model, "voice_styles", "F1.json"), "OpenRAIL-M", who)
	if err != nil || name != "supertonic-3-F1" {
		t.Fatal(name, err)
	}
	if all := desk.ListVoices(); len(all) != 1 || all[0].Fault != nil || all[0].Report.Phonemes != voice.TextPhonemes || all[0].Report.SampleRate != 44100 {
		t.Errorf("listed %+v", all)
	}
	for path, want := range map[string]string{model: "supertonic-3-M1", filepath.Join(model, "onnx"): "onnx-M1"} {
		if path == model {
			err = os.Remove(filepath.Join(model, "voice_styles", "F1.json"))
		} else {
			copyTo(t, voice.StyleFile, filepath.Join(path, "M1.json"))
		}
		if name, importErr := desk.ImportVoice(t.Context(), path, "", who); err != nil || importErr != nil || name != want {
			t.Errorf("%s: %q, %v, %v", path, name, err, importErr)
		}
	}
	again := desk.Voices.Folder("supertonic-3-F1")
	p, err := desk.PrepareVoice(t.Context(), again, "again", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.InstallVoice(nil), p.DiscardVoice()); err != nil {
		t.Error(err)
	}
}

// copyTo copies a file of the voice that reads characters.
func copyTo(t *testing.T, name, to string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../engine/voice/testdata/characters", name))
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, b, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFaultyVoicesLeaveNothing checks that a voice that is refused is named as the fault, and leaves no files.
func TestFaultyVoicesLeaveNothing(t *testing.T) {
	desk, _ := newDesk(t)
	for _, name := range []string{"shape", "nan", "silent", "inputs"} {
		dir := t.TempDir()
		for from, to := range map[string]string{name + ".onnx": "x.onnx", "tiny.onnx.json": "x.onnx.json"} {
			b, err := os.ReadFile(filepath.Join(filepath.Dir(tinyVoice), from))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, to), b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		var fault *modelinstall.FaultError
		if _, err := desk.PrepareVoice(t.Context(), dir, "", ""); !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, err := os.ReadDir(desk.Voices.Folder(""))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
