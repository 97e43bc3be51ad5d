package decode_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/decode"
)

// exact prunes nothing.
var exact = decode.CTCPrefixOptions{Size: 10_000, BeamPruneLogp: math.Inf(-1), TokenMinLogp: math.Inf(-1)}

func TestCTCPrefixBeamUnprunedIsThePosterior(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		lp := ctcToy(seed, int(seed%6), 3)
		all := everyPath(lp)
		got, err := decode.CTCPrefixBeam(t.Context(), lp, exact)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(all) {
			t.Errorf("seed %d: %d sequences, want %d", seed, len(got), len(all))
		}
		for i, h := range got {
			want := all[sequenceKey(h.Tokens)]
			if !isNear(h.Score, math.Log(want.sum)) {
				t.Errorf("seed %d: %v has %g, want %g", seed, h.Tokens, h.Score, math.Log(want.sum))
			}
			if !slices.Equal(h.Frames, want.frames) {
				t.Errorf("seed %d: %v at %v, likeliest %v", seed, h.Tokens, h.Frames, want.frames)
			}
			if i > 0 && h.Score > got[i-1].Score {
				t.Errorf("seed %d: %d is better than the one before", seed, i)
			}
		}
	}
}

func TestCTCPrefixBeamPrunedStaysBelowThePosterior(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lp := ctcToy(rapid.Uint64().Draw(r, "seed"), rapid.IntRange(1, 20).Draw(r, "frames"), 5)
		o := decode.CTCPrefixDefaults()
		o.Size = rapid.IntRange(1, 8).Draw(r, "beam")
		got, err := decode.CTCPrefixBeam(t.Context(), lp, o)
		if err != nil || len(got) == 0 || len(got) > o.Size {
			r.Fatalf("%d hypotheses, %v", len(got), err)
		}
		for _, h := range got {
			if whole := decode.CTCForward(lp, h.Tokens); h.Score > whole+1e-6 {
				r.Fatalf("%v has %g, more than its posterior %g", h.Tokens, h.Score, whole)
			}
		}
	})
}

func TestCTCForwardSumsAllPaths(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		lp := ctcToy(seed, int(seed%6), 3)
		for _, r := range everyPath(lp) {
			if got := decode.CTCForward(lp, r.tokens); !isNear(got, math.Log(r.sum)) {
				t.Errorf("seed %d: %v has %g, want %g", seed, r.tokens, got, math.Log(r.sum))
			}
		}
	}
	lp := ctcToy(1, 2, 3)
	for _, tokens := range [][]int{{0, 0}, {0, 1, 2}, {3}, {-1}} {
		if got := decode.CTCForward(lp, tokens); !math.IsInf(got, -1) {
			t.Errorf("%v fits into two frames with %g", tokens, got)
		}
	}
}

func TestCTCGreedyByHand(t *testing.T) {
	t.Parallel()
	// a a blank a b: the runs of a are two tokens; the score leaves the blank out.
	lp := decode.LogProbs{T: 5, Labels: 3, Data: []float32{
		-1, -9, -9,
		-0.5, -9, -9,
		-9, -9, -0.25,
		-2, -9, -9,
		-9, -3, -9,
	}}
	h := decode.CTCGreedy(lp)
	if !slices.Equal(h.Tokens, []int{0, 0, 1}) || !slices.Equal(h.Frames, []int{0, 3, 4}) ||
		!slices.Equal(h.LogProbs, []float64{-0.5, -2, -3}) || h.Score != -6.5 {
		t.Errorf("%+v", h)
	}
}

// ctcSearches are all that take CTC scores and a context.
var ctcSearches = map[string]func(context.Context, decode.LogProbs) error{
	"prefix": func(ctx context.Context, lp decode.LogProbs) error {
		_, err := decode.CTCPrefixBeam(ctx, lp, decode.CTCPrefixDefaults())
		return err
	},
}

func TestCTCSearchesRefuseNonsenseAndStop(t *testing.T) {
	t.Parallel()
	good := ctcToy(1, 3, 3)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	short := decode.LogProbs{Data: good.Data, T: 4, Labels: 4}
	for name, search := range ctcSearches {
		if err := search(t.Context(), short); !errors.Is(err, decode.ErrShape) {
			t.Errorf("%s takes a short matrix: %v", name, err)
		}
		if err := search(ended, good); !errors.Is(err, context.Canceled) {
			t.Errorf("%s does not see that its context has ended: %v", name, err)
		}
	}
	if _, err := decode.CTCPrefixBeam(t.Context(), good, decode.CTCPrefixOptions{}); !errors.Is(err, decode.ErrOption) {
		t.Errorf("beam of none: %v", err)
	}
}

func TestCTCSearchesWithInvalidNumbers(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range [][]float32{{nan, nan, nan}, {0, nan, 0}, {inf, 0, 0}, {-inf, -inf, -inf}, {0}} {
		lp := decode.LogProbs{T: 3, Labels: len(row), Data: slices.Repeat(row, 3)}
		for name, search := range ctcSearches {
			if err := search(t.Context(), lp); err != nil {
				t.Errorf("%s on %v: %v", name, row, err)
			}
		}
		decode.CTCGreedy(lp)
		decode.CTCForward(lp, []int{0})
	}
}
