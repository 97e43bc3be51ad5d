package audio_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/engine/audio"
)

// fuzzLimit is the maximum duration of valid inputs.
const fuzzLimit = 20 * time.Second

// addSeeds adds the recordings of testdata that match, whole and cut.
func addSeeds(f *testing.F, patterns ...string) {
	f.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "fuzz") {
				continue // a folder
			}
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
			f.Add(b[:len(b)/3])
		}
	}
}

// checkSound checks the invariants of decoding any input in this process.
func checkSound(t *testing.T, b []byte) {
	opt := audio.DecodeOptions{FFmpeg: "none", MaxDuration: fuzzLimit, Helper: []string{"/nonexistent"}}
	samples, err := decodeBytes(t, b, opt)
	var e *audio.DecodeError
	if err != nil && !errors.As(err, &e) && !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("not the recording's fault: %v", err)
	}
	if err == nil && len(samples) == 0 {
		t.Fatal("no sample and no error")
	}
	if len(samples) > int(fuzzLimit.Seconds()+1)*audio.Rate {
		t.Fatalf("%d samples", len(samples))
	}
	for i, v := range samples {
		if !(v >= -1 && v <= 1) {
			t.Fatalf("sample %d is %v", i, v)
		}
	}
}

func FuzzWAV(f *testing.F) {
	addSeeds(f, "*.wav")
	f.Fuzz(checkSound)
}

func FuzzFLAC(f *testing.F) {
	addSeeds(f, "*.flac")
	f.Fuzz(checkSound)
}

func FuzzMP3(f *testing.F) {
	addSeeds(f, "*.mp3")
	f.Add(append(testdataFile(f, "mpeg25.mp3"), testdataFile(f, "notag.mp3")...))
	f.Fuzz(checkSound)
}

// FuzzOpen fuzzes format detection and decoding with all formats.
func FuzzOpen(f *testing.F) {
	addSeeds(f, "*")
	f.Add([]byte("%PDF-1.7"))
	f.Add([]byte("ID3\x04\x00\x00\x00\x00\x00\x01\x00fLaC"))
	f.Add([]byte("<html>"))
	f.Fuzz(checkSound)
}

// FuzzOgg decodes Ogg in this process instead of a child, ignoring checksums.
func FuzzOgg(f *testing.F) {
	addSeeds(f, "*.ogg", "*.opus")
	f.Fuzz(func(t *testing.T, b []byte) { knownFormats(t, audio.DecodeOgg(b, int(fuzzLimit.Seconds())*48000)) })
}

// FuzzWebM is FuzzOgg for WebM.
func FuzzWebM(f *testing.F) {
	addSeeds(f, "*.webm")
	f.Fuzz(func(t *testing.T, b []byte) { knownFormats(t, audio.DecodeWebM(b, int(fuzzLimit.Seconds())*48000)) })
}

func knownFormats(t *testing.T, err error) {
	if err != nil && !audio.IsFault(err) {
		t.Fatalf("not the recording's fault: %v", err)
	}
}

// FuzzWire: whatever a compromised child writes, the parent neither panics nor hangs.
func FuzzWire(f *testing.F) {
	f.Add(audio.WireOf([]float32{0.5, -0.5}))
	f.Add([]byte("F\x02\x00\x00\x00{}"))
	f.Fuzz(func(_ *testing.T, b []byte) { audio.ReadWire(b) })
}
