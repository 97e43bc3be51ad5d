package vad_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/vad"
)

func drawParams(t *rapid.T) vad.SpeechParams {
	return vad.SpeechParams{
		Threshold:    rapid.SampledFrom([]float64{0, 0.05, 0.4, 0.5, 1}).Draw(t, "threshold"),
		MinSpeechMS:  rapid.IntRange(0, 300).Draw(t, "min speech"),
		MaxSpeechS:   rapid.IntRange(0, 3).Draw(t, "max speech"),
		MinSilenceMS: rapid.SampledFrom([]int{0, 32, 64, 99, 200}).Draw(t, "min silence"),
		PadMS:        rapid.SampledFrom([]int{0, 1, 10, 16, 30, 100, 300}).Draw(t, "pad"),
	}
}

func drawProbs(t *rapid.T) []float32 {
	var probs []float32
	for range rapid.IntRange(0, 20).Draw(t, "runs") {
		level := rapid.SampledFrom([]float32{0, 0.01, 0.3, 0.38, 0.45, 0.9, 1}).Draw(t, "level")
		probs = append(probs, slices.Repeat([]float32{level}, rapid.IntRange(1, 25).Draw(t, "windows"))...)
	}
	return probs
}

func TestSegmenterIsSegments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, probs := drawParams(t), drawProbs(t)
		samples := 512 * len(probs)
		if samples > 0 {
			samples -= rapid.IntRange(0, 511).Draw(t, "missing from the last window")
		}
		want, got := vad.FindSegments(probs, samples, p), detectIncrementally(probs, samples, p)
		if !slices.Equal(got, want) {
			t.Fatalf("Segmenter %v, Segments %v", got, want)
		}
	})
}

// TestSegmenterNeedsNoEarlierSamples: no segment begins before EarliestSample of an earlier call; segments are
// disjoint, in order and within the recording.
func TestSegmenterNeedsNoEarlierSamples(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, probs := drawParams(t), drawProbs(t)
		s := vad.NewSegmenter(p)
		earliest, end, length := 0, 0, 512*len(probs)
		check := func(found []vad.SpeechSegment) {
			for _, f := range found {
				if f.Start < earliest || f.Start < end || f.End <= f.Start || f.End > length {
					t.Fatalf("segment %v after %d, forgotten up to %d, length %d", f, end, earliest, length)
				}
				end = f.End
			}
		}
		for _, prob := range probs {
			check(s.Push(prob))
			if s.EarliestSample() < earliest {
				t.Fatalf("Earliest went back from %d to %d", earliest, s.EarliestSample())
			}
			earliest = s.EarliestSample()
		}
		check(s.FinishRecording(length))
	})
}

// TestSegmenterIsPrompt checks the window at which a segment is returned.
func TestSegmenterIsPrompt(t *testing.T) {
	t.Parallel()
	// Speech in windows 2 … 11, so that it begins at 1024 and ends at 6144.
	head := append(make([]float32, 2), slices.Repeat([]float32{1}, 10)...)
	cases := []struct {
		name string
		p    vad.SpeechParams
		tail []float32 // from window 12 on; zeros follow
		at   int
		want vad.SpeechSegment
	}{
		{
			"the silence is long enough", // 200 ms after 6144: window 19 begins at 9728
			vad.DefaultParams(), nil, 19, vad.SpeechSegment{Start: 544, End: 6624},
		},
		{
			"nothing can share the padding", // nothing begins before 6144 + 2·3200 from window 24 on
			vad.SpeechParams{Threshold: 0.4, MinSilenceMS: 32, PadMS: 200}, nil, 24, vad.SpeechSegment{Start: 0, End: 9344},
		},
		{
			"new speech is certain", // window 15 opens, 16 makes it longer than 32 ms
			vad.SpeechParams{Threshold: 0.4, MinSpeechMS: 32, MinSilenceMS: 32, PadMS: 200},
			[]float32{0, 0, 0, 1, 1, 1, 1},
			16,
			vad.SpeechSegment{Start: 0, End: 6912},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			probs := append(slices.Concat(head, c.tail), make([]float32, 40)...)
			s := vad.NewSegmenter(c.p)
			for i, prob := range probs {
				if found := s.Push(prob); len(found) > 0 {
					if i != c.at || found[0] != c.want {
						t.Errorf("%v at window %d, want %v at %d", found, i, c.want, c.at)
					}
					return
				}
			}
			t.Error("no segment")
		})
	}
}

func TestSegmenterAllocatesOnlyForSegments(t *testing.T) { // not parallel: allocations are counted
	s := vad.NewSegmenter(vad.DefaultParams())
	got := testing.AllocsPerRun(1000, func() {
		if found := s.Push(0.1); found != nil {
			t.Error("silence became a segment")
		}
	})
	if got != 0 {
		t.Errorf("%v allocations a window", got)
	}
}
