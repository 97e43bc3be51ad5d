package decode_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"munadi/engine/decode"
)

func TestCTCGreedyAnswersAsNeMo(t *testing.T) {
	t.Parallel()
	v := golden(t)
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

func TestCTCBeamBatchAnswersAsNeMo(t *testing.T) {
	t.Parallel()
	v := golden(t)
	for method, beta := range map[string]float64{"beam_batch": 0, "beam_batch_beta1": 1} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			files, worst := 0, 0.0
			for name, file := range v.Files {
				if file.CTC[method] == nil {
					continue
				}
				o := decode.CTCBatchDefaults()
				o.Beta = beta
				got, err := decode.CTCBeamBatch(context.Background(), v.logProbs(t, name), o)
				if err != nil {
					t.Fatal(err)
				}
				files, worst = files+1, max(worst, compare(t, name, got, file.CTC[method]))
			}
			if files < 5 {
				t.Errorf("only %d files", files)
			}
			t.Logf("%d files, scores within %.1e", files, worst)
		})
	}
}
