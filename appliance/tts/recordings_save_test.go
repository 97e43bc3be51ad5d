package tts_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/tts"
	"munadi/engine/audio"
)

const greeting = "أهلا بكم في عيادة الهناء"

func confirmedClip() error { return nil }

// TestSavedRecording: a saved recording speaks its text at once, at the prompts' loudness and without silent ends, goes
// before the operator's file, is replaced, and is removed again.
func TestSavedRecording(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	own := filepath.Join(folder, "acme")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "zz.wav"), toneWAV(t, 300, 16000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "zz.txt"), []byte(greeting), 0o600); err != nil {
		t.Fatal(err)
	}
	c, r := newChain(t, tts.ChainOptions{Recordings: folder}), tts.NewRecordings(folder, clipNames(t))
	if found, saved := r.HasRecording("acme", greeting); !found || saved {
		t.Errorf("before: found %v, saved %v", found, saved)
	}
	for _, hz := range []float64{600, 900} {
		sound, err := tts.DecodeLine(t.Context(), bytes.NewReader(quietEnds(t, hz)))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.SaveRecording("acme", greeting, sound, confirmedClip); err != nil {
			t.Fatal(err)
		}
		s := speakText(t, c, "acme", "أَهلًا بِكُم في عيادةِ الهناء") // compared without vowel marks
		if got := tonePitch(s.PCM) * float64(len(s.PCM)) / tts.Rate; math.Abs(got-hz) > hz/20 {
			t.Errorf("%.0f periods, want those of a second at %.0f Hz", got, hz)
		}
		if seconds := float64(len(s.PCM)) / tts.Rate; seconds < 1.2 || seconds > 1.6 {
			t.Errorf("%.2f s, want a second with 200 ms before and behind it", seconds)
		}
	}
	if n, err := r.CountSaved("acme"); err != nil || n != 1 {
		t.Errorf("%d saved, %v", n, err)
	}
	if found, saved := r.HasRecording("acme", greeting); !found || !saved {
		t.Errorf("saved: found %v, saved %v", found, saved)
	}
	if found, _ := r.HasRecording("other", greeting); found {
		t.Error("another organization has it")
	}
	if err := r.RemoveRecording("acme", greeting, confirmedClip); err != nil {
		t.Fatal(err)
	}
	if s := speakText(t, c, "acme", greeting); math.Abs(tonePitch(s.PCM)-300) > 10 {
		t.Errorf("the operator's file does not speak again: %.0f Hz", tonePitch(s.PCM))
	}
	if err := r.RemoveRecording("acme", greeting, confirmedClip); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed twice: %v", err)
	}
}

// quietEnds is a second of a tone between two of silence.
func quietEnds(t *testing.T, hz float64) []byte {
	t.Helper()
	samples := make([]float32, 5*48000)
	for i := 2 * 48000; i < 3*48000; i++ {
		samples[i] = float32(0.05 * math.Sin(2*math.Pi*hz*float64(i)/48000))
	}
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, samples, 48000); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRefusedRecordings: what is no sound, silent or too long is told apart; a refusal and a bad name change nothing.
func TestRefusedRecordings(t *testing.T) {
	t.Parallel()
	var bad *audio.DecodeError
	_, err := tts.DecodeLine(t.Context(), strings.NewReader("MZ this is no sound"))
	if !errors.As(err, &bad) || bad.Code != audio.CodeDecode {
		t.Errorf("no sound: %v", err)
	}
	long := func(seconds int) *bytes.Reader {
		var b bytes.Buffer
		if err := audio.WriteWAV(&b, make([]float32, 8000*seconds), 8000); err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(b.Bytes())
	}
	if _, err = tts.DecodeLine(t.Context(), long(121)); !errors.As(err, &bad) || bad.Code != audio.CodeTooLong {
		t.Errorf("too long: %v", err)
	}
	if _, err = tts.DecodeLine(t.Context(), long(2)); !errors.Is(err, tts.ErrSilent) {
		t.Errorf("silent: %v", err)
	}
	folder := t.TempDir()
	r, refusal := tts.NewRecordings(folder, clipNames(t)), errors.New("refused")
	if err := r.SaveRecording("acme", greeting, []byte("x"), func() error { return refusal }); !errors.Is(err, refusal) {
		t.Errorf("refused: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(folder, "acme")); err != nil || len(left) > 0 {
		t.Errorf("refused, and left: %v, %v", left, err)
	}
	for _, org := range []string{"..", ".", "a/b", ""} {
		if err := r.SaveRecording(org, greeting, []byte("x"), confirmedClip); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("organization %q: %v", org, err)
		}
	}
	if err := r.SaveRecording("acme", "؟!", []byte("x"), confirmedClip); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no word: %v", err)
	}
}
