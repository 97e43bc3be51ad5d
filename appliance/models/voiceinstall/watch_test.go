package voiceinstall_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/models"
	"munadi/appliance/models/voiceinstall"
)

// flipBit changes one bit of a file and keeps its size and time, as a disk does.
func flipBit(t *testing.T, path string) {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err == nil {
		b[len(b)/2] ^= 4
		err = errors.Join(os.WriteFile(path, b, 0o600), os.Chtimes(path, st.ModTime(), st.ModTime()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamagedVoiceIsFound flips a bit in a file that nobody reads: within an hour it is named by the health warning and
// the desk, and the voice can't be selected. A voice that is installed again has no fault.
func TestDamagedVoiceIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		voices := models.OpenVoices(t.TempDir())
		install := func() {
			from := t.TempDir()
			err := os.WriteFile(filepath.Join(from, "one.onnx"), make([]byte, 1000), 0o600)
			if _, installErr := voices.InstallModel(from, "one", nil); err != nil || installErr != nil {
				t.Fatal(err, installErr)
			}
		}
		install()
		warning := ""
		watch := &voiceinstall.VoiceWatch{
			Voices: voices, Warn: func(message string) { warning = message }, Log: slog.New(slog.DiscardHandler),
		}
		desk := voiceinstall.VoiceDesk{VoiceInstaller: voiceinstall.VoiceInstaller{Voices: voices}, Watch: watch}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = watch.Run(ctx) }()
		synctest.Wait()
		if fault := desk.ListVoices()[0].Fault; fault != nil || warning != "" {
			t.Fatalf("an intact voice: %v, %q", fault, warning)
		}
		graph := filepath.Join(voices.Folder("one"), "one.onnx")
		flipBit(t, graph)
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		fault := desk.ListVoices()[0].Fault
		if fault == nil || !strings.Contains(fault.Error(), "one.onnx is damaged") || !strings.Contains(warning, "the neural voice one does not speak: one.onnx is damaged") {
			t.Errorf("a flipped bit: %v, %q", fault, warning)
		}
		if err := desk.UseVoice(ctx, "one", voiceinstall.Actor{}); !errors.Is(err, voiceinstall.ErrDamaged) {
			t.Errorf("it is selected: %v", err)
		}
		if err := voices.Remove("one"); err != nil {
			t.Fatal(err)
		}
		install()
		if fault := desk.ListVoices()[0].Fault; fault != nil || warning != "" {
			t.Errorf("installed again: %v, %q", fault, warning)
		}
		if err := os.Remove(graph); err != nil {
			t.Fatal(err)
		}
		if fault := desk.ListVoices()[0].Fault; fault == nil || !strings.Contains(warning, "one.onnx is missing") {
			t.Errorf("without a file: %v, %q", fault, warning)
		}
		if err := voices.Remove("one"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if warning != "" {
			t.Errorf("of a voice that was removed: %q", warning)
		}
	})
}

// TestVoiceWithoutChecksums checks that a voice without its list, which never speaks, does not count as intact.
func TestVoiceWithoutChecksums(t *testing.T) {
	t.Parallel()
	err := voiceinstall.VerifyVoice(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "munadi.sha256 is missing") || !strings.Contains(err.Error(), "munadi voice pull") {
		t.Errorf("error = %v", err)
	}
}
