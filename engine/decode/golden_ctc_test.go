package decode_test

import (
	"math"
	"slices"
	"testing"

	"munadi/engine/decode"
)

func TestCTCGreedyAnswersAsNeMo(t *testing.T) {
	t.Parallel()
	v := readGolden(t)
	for name, file := range v.Files {
		if file.CTC == nil {
			continue
		}
		lp, want := v.logProbs(t, name), file.CTC["greedy"][0]
		got := decode.CTCGreedy(lp)
		// NeMo returns one label a frame; its frames are all those that are not blank.
		var tokens, frames []int
		for frame, label := range want.Tokens {
			if label != v.Blank && (frame == 0 || want.Tokens[frame-1] != label) {
				tokens, frames = append(tokens, label), append(frames, frame)
			}
		}
		if !slices.Equal(got.Tokens, tokens) || !slices.Equal(got.Frames, frames) {
			t.Errorf("%s: %v at %v, want %v at %v", name, got.Tokens, got.Frames, tokens, frames)
		}
		if math.Abs(got.Score-want.Score) > tolerance {
			t.Errorf("%s: score %g, want %g", name, got.Score, want.Score)
		}
	}
}
