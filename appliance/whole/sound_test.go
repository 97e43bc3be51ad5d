package whole_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// What the default model recognizes in recordings of the project.
const (
	goldenText  = "حجم كبير"            // engine/testdata/golden/g00.wav
	confirmText = "نعم أؤكد الموعد"     // assets/web/samples/confirm.flac
	timeText    = "الساعة الخامسة مساء" // assets/web/samples/time.flac
)

// recordingSamples decodes a recording to 16 kHz mono.
func recordingSamples(t testing.TB, recording []byte) []float32 {
	t.Helper()
	s, err := audio.DecodeAll(t.Context(), bytes.NewReader(recording), audio.DecodeOptions{FFmpeg: "none"})
	mustSucceed(t, err)
	return s
}

// encodeWAV encodes samples as a WAV file.
func encodeWAV(t testing.TB, sound []float32) []byte {
	t.Helper()
	var b bytes.Buffer
	mustSucceed(t, audio.WriteWAV(&b, sound, audio.Rate))
	return b.Bytes()
}

// silentSeconds returns silence of this length.
func silentSeconds(seconds float64) []float32 { return make([]float32, int(seconds*audio.Rate)) }

// repeatedRecording repeats a recording, with pauses, for at least this many seconds.
func repeatedRecording(t testing.TB, recording []byte, seconds float64) []float32 {
	t.Helper()
	once := append(recordingSamples(t, recording), silentSeconds(1)...)
	var out []float32
	for len(out) < int(seconds*audio.Rate) {
		out = append(out, once...)
	}
	return out
}

// convertWithFFmpeg converts a recording with args between input and output. Without ffmpeg the test is skipped.
func convertWithFFmpeg(t testing.TB, recording []byte, extension string, args ...string) []byte {
	t.Helper()
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		skipOrFail(t, "no ffmpeg on this machine")
	}
	out := filepath.Join(t.TempDir(), "out."+extension)
	in := filepath.Join(t.TempDir(), "in")
	mustSucceed(t, os.WriteFile(in, recording, 0o600))
	all := append([]string{"-hide_banner", "-loglevel", "error", "-i", in}, append(args, out)...)
	if said, err := exec.Command(program, all...).CombinedOutput(); err != nil {
		if strings.Contains(string(said), "Unknown encoder") {
			skipOrFail(t, "ffmpeg cannot write "+extension)
		}
		t.Fatalf("ffmpeg: %v\n%s", err, said)
	}
	b, err := os.ReadFile(out)
	mustSucceed(t, err)
	return b
}

// flacOfSilence returns a small FLAC file with this many seconds of silence.
func flacOfSilence(t testing.TB, seconds int) []byte {
	t.Helper()
	return convertWithFFmpeg(t, encodeWAV(t, silentSeconds(1)), "flac", "-af", "apad=pad_dur="+strconv.Itoa(seconds-1))
}
