package audio_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// newSpeechLike returns n samples of a gliding tone with harmonics and pauses, at EncodedRate.
func newSpeechLike(n int) []int16 {
	pcm, phase := make([]int16, n), 0.0
	for i := range pcm {
		at := float64(i) / audio.EncodedRate
		phase += 2 * math.Pi * (180 + 60*math.Sin(4*at)) / audio.EncodedRate
		level := math.Max(0, math.Sin(9*at)) * 9000
		pcm[i] = int16(level * (math.Sin(phase) + 0.5*math.Sin(2*phase) + 0.25*math.Sin(5*phase)))
	}
	return pcm
}

func encodeAll(t testing.TB, format audio.FileFormat, pcm []int16, step int) []byte {
	t.Helper()
	var file bytes.Buffer
	e, err := audio.NewSpeechEncoder(t.Context(), &file, format, len(pcm), audio.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(pcm); at += step {
		if err := e.EncodeSamples(pcm[at:min(at+step, len(pcm))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestEncodedFilesDecode: FLAC is what WAV is, Opus sounds like it and is as long, whatever the pieces they come in.
func TestEncodedFilesDecode(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 479, 480, 481, 4096, 4097, 3*audio.EncodedRate + 17} {
		for _, step := range []int{160, 5000} {
			pcm := newSpeechLike(n)
			want, err := audio.DecodeAll(t.Context(), bytes.NewReader(encodeAll(t, audio.FormatWAV, pcm, step)), audio.DecodeOptions{})
			if n == 0 {
				continue // such a file is refused as empty
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range []audio.FileFormat{audio.FormatFLAC, audio.FormatOpus} {
				got, err := audio.DecodeAll(t.Context(), bytes.NewReader(encodeAll(t, format, pcm, step)), audio.DecodeOptions{})
				if err != nil {
					t.Fatalf("%s of %d samples: %v", format, n, err)
				}
				if off := len(got) - len(want); off < -1 || off > 1 {
					t.Errorf("%s of %d samples: %d decoded, want %d", format, n, len(got), len(want))
				}
				if least := map[audio.FileFormat]float64{audio.FormatFLAC: 1, audio.FormatOpus: 0.9}[format]; n > 4097 && correlation(got, want) < least-1e-6 {
					t.Errorf("%s of %d samples: correlation %v", format, n, correlation(got, want))
				}
			}
		}
	}
}

func correlation(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range min(len(a), len(b)) {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// TestOthersReadEncodedFiles: ffmpeg finds the codec, the rate and the length of each file, and no fault.
func TestOthersReadEncodedFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ffprobe"); err != nil {
		t.Skip("ffprobe is not installed")
	}
	for _, format := range audio.EncodableFormats(t.Context(), audio.EncodeOptions{}) {
		if format == audio.FormatPCM {
			continue
		}
		path := filepath.Join(t.TempDir(), "speech."+string(format))
		if err := os.WriteFile(path, encodeAll(t, format, newSpeechLike(5*audio.EncodedRate), 4096), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("ffmpeg", "-v", "warning", "-xerror", "-i", path, "-f", "null", "-").CombinedOutput()
		if err != nil || strings.Contains(string(said), "rror") {
			t.Errorf("%s: %v %s", format, err, said)
		}
		said, err = exec.Command("ffprobe", "-v", "error", "-show_entries", "stream=codec_name,channels:format=duration", "-of", "default=nw=1", path).CombinedOutput()
		var codec string
		var channels int
		var seconds float64
		if _, scanned := fmt.Sscanf(string(said), "codec_name=%s\nchannels=%d\nduration=%f", &codec, &channels, &seconds); err != nil || scanned != nil {
			t.Fatalf("%s: %v %v %s", format, err, scanned, said)
		}
		want := string(format)
		if format == audio.FormatWAV {
			want = "pcm_s16le"
		}
		if codec != want || channels != 1 || seconds < 5 || seconds > 5.1 {
			t.Errorf("%s: %s", format, said)
		}
	}
}

// TestMP3 is there if ffmpeg encodes it; a program that dies, a writer that takes no more, and "none" are errors.
func TestMP3(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"none", broken, "/nowhere/ffmpeg"} {
		o := audio.EncodeOptions{FFmpeg: program}
		if formats := audio.EncodableFormats(t.Context(), o); formats[0] != audio.FormatWAV || len(formats) != 4 {
			t.Errorf("%s: %v", program, formats)
		}
	}
	e, err := audio.NewSpeechEncoder(t.Context(), &bytes.Buffer{}, audio.FormatMP3, 0, audio.EncodeOptions{FFmpeg: broken})
	if err != nil {
		t.Fatal(err)
	}
	pcm := newSpeechLike(audio.EncodedRate)
	for err = nil; err == nil; {
		err = e.EncodeSamples(pcm)
	}
	if err := e.Close(); err == nil {
		t.Error("a program that fails is no error")
	}
	if audio.EncodableFormats(t.Context(), audio.EncodeOptions{})[0] != audio.FormatMP3 {
		t.Skip("ffmpeg is not installed, or has no MP3 encoder")
	}
	full := errors.New("full")
	e, err = audio.NewSpeechEncoder(t.Context(), refusingWriter{full}, audio.FormatMP3, 0, audio.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for err = nil; err == nil; {
		err = e.EncodeSamples(pcm)
	}
	if err := e.Close(); !errors.Is(err, full) {
		t.Errorf("a writer that takes no more: %v", err)
	}
}

type refusingWriter struct{ err error }

func (w refusingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestStretchSpeech: the length is exact at each speed, and a tone keeps its pitch and level.
func TestStretchSpeech(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0.25, 0.5, 0.9, 1.3, 2, 4} {
		for _, n := range []int{0, 1, 100, 240, 16000, 48123} {
			tone := make([]int16, n)
			for i := range tone {
				tone[i] = int16(16384 * math.Sin(2*math.Pi*150*float64(i)/audio.Rate))
			}
			var out []float32
			if err := audio.StretchSpeech(tone, audio.Rate, speed, func(block []float32) error {
				out = append(out, block...)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if len(out) != audio.StretchedLength(n, speed) || len(out) != int(math.Round(float64(n)/speed)) {
				t.Errorf("%d samples at %v: %d", n, speed, len(out))
			}
			if n < 16000 {
				continue
			}
			out = out[:len(out)-len(out)/10] // the end fades into the silence behind it
			crossings, energy := 0, 0.0
			for i := 1; i < len(out); i++ {
				if out[i-1] < 0 && out[i] >= 0 {
					crossings++
				}
				energy += float64(out[i]) * float64(out[i])
			}
			pitch, level := float64(crossings)*audio.Rate/float64(len(out)), math.Sqrt(energy/float64(len(out)))
			if math.Abs(pitch-150) > 5 || math.Abs(level-0.5/math.Sqrt2) > 0.01 {
				t.Errorf("%d samples at %v: %.1f Hz, level %.3f", n, speed, pitch, level)
			}
		}
	}
	stop := errors.New("stop")
	if err := audio.StretchSpeech(make([]int16, 1000), audio.Rate, 2, func([]float32) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the receiver: %v", err)
	}
}
