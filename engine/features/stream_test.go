package features

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Streamed frames equal those of the whole clip, however it is split.
func TestStreamedFramesEqualTheWhole(t *testing.T) {
	o := DefaultOptions()
	o.Normalize = None
	long := o
	long.Length, long.Window = 512, "hamming"
	fixed := o
	fixed.Normalize, fixed.Mean, fixed.Std = Fixed, slices.Repeat([]float32{-7}, 80), slices.Repeat([]float32{3}, 80)
	random := rand.New(rand.NewPCG(1, 2))
	clip := make([]float32, 16789)
	for i := range clip {
		clip[i] = random.Float32()*2 - 1
	}
	for _, o := range []ExtractorOptions{o, long, fixed} {
		e, err := NewExtractor(80, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range []int{1, 160, 512, 1000, 20000} {
			s := e.NewStream()
			var got []float32
			for part := range slices.Chunk(clip, piece) {
				got = append(got, s.PushSamples(part)...)
			}
			got = append(got, s.LastFrames()...)
			if len(s.samples) > 3*hop+2*fftSize && piece < 1000 {
				t.Errorf("%d samples are kept", len(s.samples))
			}
			whole, n := e.ExtractMel(nil, clip)
			for i := range n * 80 {
				if want := whole[i%80*(n+1)+i/80]; got[i] != want {
					t.Fatalf("%d samples at once: frame %d, filter %d is %v, want %v", piece, i/80, i%80, got[i], want)
				}
			}
			if len(got) != n*80 {
				t.Errorf("%d samples at once: %d numbers, want %d", piece, len(got), n*80)
			}
		}
	}
	if e := NewDefaultExtractor(80); e.IsStreamable() {
		t.Error("features normalized over the clip count as streamable")
	}
}
