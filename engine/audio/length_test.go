package audio_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"munadi/engine/audio"
)

// The length is known before anything is decoded: for WAV and FLAC from the header, for Ogg from the last page.
func TestLengthIsKnownBeforeDecoding(t *testing.T) {
	t.Parallel()
	for _, one := range accepted {
		if one.foreign {
			continue
		}
		s := openFile(t, one.file)
		got, known := s.Length()
		if !known || got <= 0 {
			t.Errorf("%s: length %g, known %v", one.file, got, known)
		}
		want := float64(one.samples) / audio.Rate
		switch s.Format().Container {
		case "WAV", "FLAC":
			if math.Abs(got-want) > 0.01 {
				t.Errorf("%s: length %g, want %g", one.file, got, want)
			}
		case "Ogg":
			if math.Abs(got-want) > 0.05 {
				t.Errorf("%s: length %g, want about %g", one.file, got, want)
			}
		}
	}
}

func openFile(t *testing.T, name string) *audio.SampleStream {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	s, err := audio.OpenStream(t.Context(), f, audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(); _ = f.Close() })
	return s
}

// Of joined FLAC files, the header of the first one says only its own length.
func TestLengthOfJoinedFLACIsUnknown(t *testing.T) {
	t.Parallel()
	b := testdataFile(t, "s16.flac")
	for _, padding := range []int{0, 1<<16 - len(b)%(1<<16), 1<<16 - len(b)%(1<<16) + 2, 200_000} { // at the reader's borders
		joined := append(append(bytes.Clone(b), make([]byte, padding)...), b...)
		s, err := audio.OpenStream(t.Context(), bytes.NewReader(joined), audio.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if length, known := s.Length(); known {
			t.Errorf("behind %d bytes: the length is known, %g s", padding, length)
		}
		_ = s.Close()
	}
}

// A FLAC file without a stated length may have hours of audio in a few kilobytes.
func TestLengthOfAnUnfinishedFLACIsUnknown(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/s16.flac")
	if err != nil {
		t.Fatal(err)
	}
	packed := binary.BigEndian.Uint64(b[18:]) // rate, channels, bits, 36 bits of samples (RFC 9639 §8.2)
	binary.BigEndian.PutUint64(b[18:], packed>>36<<36)
	s, err := audio.OpenStream(t.Context(), bytes.NewReader(b), audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if length, known := s.Length(); known {
		t.Errorf("length = %g, want it to be unknown", length)
	}
}
