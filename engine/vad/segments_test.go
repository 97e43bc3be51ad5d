package vad_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"munadi/engine/vad"
)

const mixSamples = 670029 // length of the recording of testdata/vad_mix.probs.npy

// sileroParams is a parameter set under Silero's names; missing ones have Silero's defaults.
type sileroParams struct {
	Threshold    float64 `json:"threshold"`
	MinSpeechMS  int     `json:"min_speech_duration_ms"`
	MaxSpeechS   int     `json:"max_speech_duration_s"`
	MinSilenceMS int     `json:"min_silence_duration_ms"`
	PadMS        int     `json:"speech_pad_ms"`
}

var sileroDefaults = sileroParams{Threshold: 0.5, MinSpeechMS: 250, MinSilenceMS: 100, PadMS: 30}

// TestSegmentsOfARecording compares with silero-vad's answers for a real recording.
func TestSegmentsOfARecording(t *testing.T) {
	t.Parallel()
	probs := readProbs(t)
	var sets map[string]struct {
		Params   json.RawMessage
		Segments []struct{ Start, End int }
	}
	readJSON(t, "testdata/vad.json", &sets)
	if len(sets) != 4 {
		t.Fatalf("%d parameter sets, want 4", len(sets))
	}
	for name, set := range sets {
		p := sileroDefaults
		if err := json.Unmarshal(set.Params, &p); err != nil {
			t.Fatal(err)
		}
		var want []vad.SpeechSegment
		for _, s := range set.Segments {
			want = append(want, vad.SpeechSegment(s))
		}
		checkBoth(t, name, probs, mixSamples, vad.SpeechParams(p), want)
	}
}

// TestSegmentsOfRandomProbabilities compares with what silero-vad's own code answers for
// probabilities and parameters drawn by testdata/make_random.py.
func TestSegmentsOfRandomProbabilities(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Params   sileroParams
		Samples  int
		Percent  []int
		Segments [][2]int
	}
	readJSON(t, "testdata/random.json", &cases)
	for i, c := range cases {
		probs := make([]float32, len(c.Percent))
		for j, p := range c.Percent {
			probs[j] = float32(float64(p) / 100)
		}
		var want []vad.SpeechSegment
		for _, s := range c.Segments {
			want = append(want, vad.SpeechSegment{Start: s[0], End: s[1]})
		}
		checkBoth(t, fmt.Sprint("case ", i), probs, c.Samples, vad.SpeechParams(c.Params), want)
	}
}

func TestDefaultsAreTheServices(t *testing.T) {
	t.Parallel()
	want := vad.SpeechParams{Threshold: 0.4, MinSpeechMS: 100, MaxSpeechS: 20, MinSilenceMS: 200, PadMS: 30}
	if got := vad.DefaultParams(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func checkBoth(t *testing.T, name string, probs []float32, samples int, p vad.SpeechParams, want []vad.SpeechSegment) {
	t.Helper()
	if got := vad.FindSegments(probs, samples, p); !slices.Equal(got, want) {
		t.Errorf("%s, %+v: Segments\n got %v\nwant %v", name, p, got, want)
	}
	if got := detectIncrementally(probs, samples, p); !slices.Equal(got, want) {
		t.Errorf("%s, %+v: Segmenter\n got %v\nwant %v", name, p, got, want)
	}
}

func detectIncrementally(probs []float32, samples int, p vad.SpeechParams) []vad.SpeechSegment {
	s := vad.NewSegmenter(p)
	var got []vad.SpeechSegment
	for _, prob := range probs {
		got = append(got, s.Push(prob)...)
	}
	return append(got, s.FinishRecording(samples)...)
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func readProbs(t *testing.T) []float32 {
	t.Helper()
	raw, err := os.ReadFile("testdata/vad_mix.probs.npy")
	if err != nil {
		t.Fatal(err)
	}
	raw = raw[10+binary.LittleEndian.Uint16(raw[8:]):]
	probs := make([]float32, len(raw)/4)
	for i := range probs {
		probs[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return probs
}

// TestPaddingEndsWithTheRecording: the last window has one sample, which a StreamSegmenter must allow for before it is
// known.
func TestPaddingEndsWithTheRecording(t *testing.T) {
	t.Parallel()
	p := vad.SpeechParams{Threshold: 0.5, PadMS: 16}
	want := []vad.SpeechSegment{{Start: 0, End: 1537}}
	checkBoth(t, "one sample", []float32{1, 1, 1, 0}, 1537, p, want)
}
