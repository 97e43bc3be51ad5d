package engine

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTranscribeAgreesWithItself: for any phrases and audio, the text consists of the words, which are in order within
// their segments.
func TestTranscribeAgreesWithItself(t *testing.T) {
	e, clips := openTest(t), shortClips(t)
	names := slices.Sorted(maps.Keys(clips))
	rapid.Check(t, func(t *rapid.T) {
		o := TranscribeOptions{
			Mode:        rapid.SampledFrom([]DecodeMode{"", Hybrid, RNNT, CTC}).Draw(t, "mode"),
			Phrases:     SplitPhrases(anyContext(t)),
			Temperature: rapid.SampledFrom([]float64{0, 0.01, 0.5, 1}).Draw(t, "temperature"),
			NoVAD:       rapid.Bool().Draw(t, "no VAD"),
		}
		samples := clips[rapid.SampledFrom(names).Draw(t, "clip")]
		res, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, o)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		last := 0.0
		for i, s := range res.Segments {
			if s.ID != i || s.Text == "" || s.Text != joinWords(s.Words) || s.Start < last || s.End < s.Start || s.End > res.Duration {
				t.Fatalf("segment %d after %v of %v s: %+v", i, last, res.Duration, s)
			}
			last = s.End
			texts = append(texts, s.Text)
			inOrder(t, s)
		}
		if want := strings.Join(texts, " "); res.Text != want || res.Duration != secondsOf(len(samples)) {
			t.Fatalf("%q in %v s, want %q in %v s", res.Text, res.Duration, want, secondsOf(len(samples)))
		}
	})
}

// inOrder checks a segment's words.
func inOrder(t *rapid.T, s Segment) {
	t.Helper()
	start := s.Start
	for _, w := range s.Words {
		if w.Text == "" || w.Start < start || w.End < w.Start || w.End > s.End || w.Confidence <= 0 || w.Confidence > 1 {
			t.Fatalf("word %+v after %v in %v–%v: %+v", w, start, s.Start, s.End, s.Words)
		}
		start = w.Start
	}
}
