package decode_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"munadi/engine/decode"
)

// hybridToy is a transducer and a CTC head over the same frames, and an n best of the transducer.
func hybridToy(t *testing.T, seed uint64) (toyNetwork, decode.EncoderFrames, decode.LogProbs, []decode.Hypothesis) {
	t.Helper()
	n := toyNetwork{labels: 2, seed: seed}
	f := n.drawFrames(3, 1)
	nbest, err := decode.MALSDSearch(t.Context(), n, f, decode.BeamDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return n, f, ctcToy(seed, 3, 2), nbest
}

func TestRescoreFollowsItsFormula(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		n, f, lp, nbest := hybridToy(t, seed)
		paths := everyPath(lp)
		o := decode.HybridOptions{AcousticScale: 0.7, CTCWeight: 0.4, BeamLengthPenalty: 0.3}
		got, err := decode.RescoreHybrid(t.Context(), n, f, lp, nbest, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(nbest) {
			t.Fatalf("seed %d: %d candidates for %d hypotheses", seed, len(got), len(nbest))
		}
		for i, c := range got {
			want := 0.7*c.Score + 0.4*math.Log(paths[sequenceKey(c.Tokens)].sum) + 0.3*float64(len(c.Tokens))
			if c.Total != want && !isNear(c.Total, want) {
				t.Errorf("seed %d: %v has %g, want %g", seed, c.Tokens, c.Total, want)
			}
			if i > 0 && c.Total > got[i-1].Total {
				t.Errorf("seed %d: %d is better than the one before", seed, i)
			}
		}
	}
}

func TestRescoreWithCTCCandidateUsesTheLattice(t *testing.T) {
	t.Parallel()
	added := 0
	for seed := range uint64(20) {
		n, f, lp, nbest := hybridToy(t, seed)
		alignments, paths := n.everyAlignment(f, 3), everyPath(lp)
		greedy := decode.CTCGreedy(lp)
		o := decode.HybridOptions{AcousticScale: 1, CTCWeight: 0.5, CTCCandidate: true}
		got, err := decode.RescoreHybrid(t.Context(), n, f, lp, nbest[:1], o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			want := math.Log(alignments[sequenceKey(c.Tokens)]) + 0.5*math.Log(paths[sequenceKey(c.Tokens)].sum)
			if len(c.Tokens) <= 3 && c.Total != want && !isNear(c.Total, want) {
				t.Errorf("seed %d: %v has %g, want %g", seed, c.Tokens, c.Total, want)
			}
			if c.FromCTC {
				added++
				if !slices.Equal(c.Tokens, greedy.Tokens) {
					t.Errorf("seed %d: %v is not the greedy reading %v", seed, c.Tokens, greedy.Tokens)
				}
			}
		}
		if same := slices.Equal(nbest[0].Tokens, greedy.Tokens); same == (len(got) == 2) {
			t.Errorf("seed %d: %d candidates, equal readings: %v", seed, len(got), same)
		}
	}
	if added == 0 {
		t.Error("no seed has a CTC reading of its own")
	}
}

func TestRescoreByDefaultKeepsTheOrder(t *testing.T) {
	t.Parallel()
	n, f, lp, _ := hybridToy(t, 1)
	// By score/(U+1) the longer one leads, by score the other. Four tokens do not fit into three frames of CTC.
	nbest := []decode.Hypothesis{{Tokens: []int{0, 1, 0, 1}, Score: -4}, {Tokens: []int{0}, Score: -3}}
	o := decode.HybridDefaults()
	o.CTCCandidate = true // has no effect without a weight
	got, err := decode.RescoreHybrid(t.Context(), n, f, lp, nbest, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Total != -4 || got[1].Total != -3 || !math.IsInf(got[0].CTC, -1) {
		t.Errorf("%+v", got)
	}
	o.CTCWeight = math.NaN()
	if _, err := decode.RescoreHybrid(t.Context(), n, f, lp, nbest, o); !errors.Is(err, decode.ErrOption) {
		t.Errorf("weight NaN: %v", err)
	}
}
