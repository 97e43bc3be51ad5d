package vad_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/vad"
)

// driftingNetwork is a network whose probability is a frame's first new sample, but 1 for the first windows after a
// reset if that sample is alarming. Its state counts windows, and it records the count after each.
type driftingNetwork struct{ counts []int }

const alarming = 0.125

func (d *driftingNetwork) RunVAD(
	_ context.Context, input []float32, frames int, h, c []float32,
) (probs, hn, cn []float32, err error) {
	hn = slices.Clone(h)
	for i := range frames {
		p := input[i*576+64]
		if hn[0]++; hn[0] <= 4 && p == alarming {
			p = 1
		}
		probs, d.counts = append(probs, p), append(d.counts, int(hn[0]))
	}
	return probs, hn, slices.Clone(c), nil
}

// TestStateIsReset: after 94 consecutive silent windows the last 16 are processed with a reset state, which is adopted
// unless it reports speech; however the samples are split.
func TestStateIsReset(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		net := &driftingNetwork{}
		s := vad.NewStream(net)
		var want, past []int
		var sound []float32
		count, calm := 0, 0
		for range rapid.IntRange(1, 8).Draw(t, "stretches") {
			prob := rapid.SampledFrom([]float32{0, alarming, 0.25, 0.9}).Draw(t, "probability")
			windows := rapid.IntRange(1, 400).Draw(t, "windows")
			sound = append(sound, slices.Repeat([]float32{prob}, windows*512)...)
		}
		for w := range len(sound) / 512 {
			count++
			calm++
			if sound[w*512] >= 0.25 || count <= 4 && sound[w*512] == alarming {
				calm = 0
			}
			want = append(want, count)
			if calm < 94 {
				continue
			}
			calm, past = 0, nil
			for i := range 16 {
				past = append(past, i+1)
			}
			want = append(want, past...)
			if !slices.Contains(sound[(w-15)*512:(w-11)*512], alarming) {
				count = 16
			}
		}
		for len(sound) > 0 {
			n := min(len(sound), rapid.IntRange(500, 1<<19).Draw(t, "piece"))
			if _, err := s.PushSamples(t.Context(), sound[:n]); err != nil {
				t.Fatal(err)
			}
			sound = sound[n:]
		}
		if !slices.Equal(net.counts, want) {
			t.Fatalf("the windows' memories are\n%v, want\n%v", net.counts, want)
		}
	})
}
