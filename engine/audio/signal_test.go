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

// tone is the sound in testdata: two steady tones, one that swells, and a sweep, all below 3 kHz.
func tone(t float64) float64 {
	v := 0.25*math.Sin(2*math.Pi*440*t) + 0.15*math.Sin(2*math.Pi*1330*t)
	v += 0.2 * math.Sin(2*math.Pi*777*t) * math.Sin(2*math.Pi*1.5*t)
	return v + 0.15*math.Sin(2*math.Pi*(300*t+1200*t*t))
}

// toneAt returns n samples of tone.
func toneAt(rate, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(tone(float64(i) / float64(rate)))
	}
	return s
}

// match returns the signal-to-noise ratio in dB of got against tone·gain at 16 kHz, and the lag in samples at which
// it is best. The first and last 40 ms do not count.
func match(got []float32, gain float64) (db float64, lag int) {
	db = math.Inf(-1)
	const edge = 640
	for try := -40; try <= 40; try++ {
		var signal, noise float64
		for i := edge; i < len(got)-edge; i++ {
			want := gain * tone(float64(i-try)/audio.Rate)
			signal += want * want
			noise += (float64(got[i]) - want) * (float64(got[i]) - want)
		}
		if d := 10 * math.Log10(signal/(noise+1e-30)); d > db {
			db, lag = d, try
		}
	}
	return db, lag
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// plain options never use ffmpeg.
func plain() audio.Options { return audio.Options{FFmpeg: "none"} }

func decodeBytes(t testing.TB, b []byte, opt audio.Options) ([]float32, error) {
	t.Helper()
	return audio.Decode(context.Background(), bytes.NewReader(b), opt)
}

// drain reads to the end in blocks of so many samples.
func drain(s *audio.Stream, block int) ([]float32, error) {
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

// wantError checks that err is an *audio.Error with that code.
func wantError(t *testing.T, err error, code audio.Code) *audio.Error {
	t.Helper()
	var e *audio.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want an error with code %s", err, code)
	}
	return e
}
