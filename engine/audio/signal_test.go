package audio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"munadi/engine/audio"
)

// testTones returns the sound in testdata: two steady tones, one that swells, and a sweep, all below 3 kHz.
func testTones(t float64) float64 {
	v := 0.25*math.Sin(2*math.Pi*440*t) + 0.15*math.Sin(2*math.Pi*1330*t)
	v += 0.2 * math.Sin(2*math.Pi*777*t) * math.Sin(2*math.Pi*1.5*t)
	return v + 0.15*math.Sin(2*math.Pi*(300*t+1200*t*t))
}

// toneAt returns n samples of tone.
func toneAt(rate, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(testTones(float64(i) / float64(rate)))
	}
	return s
}

// matchTones returns the signal-to-noise ratio in dB of got against tone·gain at 16 kHz, and the lag in samples, from
// -40 to 1600, at which it is best. The first and last 40 ms are ignored.
func matchTones(got []float32, gain float64) (db float64, lag int) {
	const edge, early, late = 640, 40, 3200
	want := make([]float64, len(got)+early+late)
	for i := range want {
		want[i] = gain * testTones(float64(i-late)/audio.Rate)
	}
	noise := func(lag, from, to int) (signal, sum float64) {
		for i := from; i < to; i++ {
			w := want[i-lag+late]
			signal += w * w
			sum += (float64(got[i]) - w) * (float64(got[i]) - w)
		}
		return signal, sum
	}
	best := math.Inf(1)
	for l := -early; l <= late; l++ { // find the lag by a piece in the middle
		if _, n := noise(l, len(got)/2-200, len(got)/2+200); n < best {
			best, lag = n, l
		}
	}
	signal, sum := noise(lag, edge+max(0, lag), len(got)-edge)
	return 10 * math.Log10(signal/(sum+1e-30)), lag
}

func testdataFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// plainOptions returns options without ffmpeg.
func plainOptions() audio.DecodeOptions { return audio.DecodeOptions{FFmpeg: "none"} }

func decodeBytes(t testing.TB, b []byte, opt audio.DecodeOptions) ([]float32, error) {
	t.Helper()
	return audio.DecodeAll(context.Background(), bytes.NewReader(b), opt)
}

// drainBlocks reads to the end in blocks of n samples.
func drainBlocks(s *audio.SampleStream, block int) ([]float32, error) {
	var all []float32
	p := make([]float32, block)
	for {
		n, err := s.Read(p)
		all = append(all, p[:n]...)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

// wantError checks that err is an *audio.DecodeError with that code.
func wantError(t *testing.T, err error, code audio.ErrorCode) *audio.DecodeError {
	t.Helper()
	var e *audio.DecodeError
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want an error with code %s", err, code)
	}
	return e
}
