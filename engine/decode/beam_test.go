package decode_test

import (
	"cmp"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/decode"
)

// isNear allows for float32 logits of the toys.
func isNear(a, b float64) bool { return math.Abs(a-b) < 1e-5 }

func TestMALSDWideEnoughIsExact(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		n := toyNetwork{labels: 2, seed: seed}
		f := n.drawFrames(2, 0)
		o := decode.BeamDefaults()
		o.Size, o.MaxSymbols = 500, 3
		got, err := decode.MALSDSearch(t.Context(), n, f, o)
		if err != nil {
			t.Fatal(err)
		}
		// Up to three labels the limit on a frame's labels cuts nothing off. For longer ones it depends on which of
		// the merged hypotheses was better, as it does in NeMo.
		want, found := n.everyAlignment(f, 3), 0
		for _, h := range got {
			if len(h.Tokens) > 3 {
				continue
			}
			found++
			if p := math.Log(want[sequenceKey(h.Tokens)]); !isNear(h.Score, p) {
				t.Errorf("seed %d: %v has %g, want %g", seed, h.Tokens, h.Score, p)
			}
		}
		if found != 1+2+4+8 {
			t.Errorf("seed %d: %d sequences", seed, found)
		}
	}
}

func TestMALSDIsNoWorseThanGreedy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n := toyNetwork{labels: rapid.IntRange(1, 3).Draw(r, "labels"), seed: rapid.Uint64().Draw(r, "seed")}
		f := n.drawFrames(rapid.IntRange(1, 4).Draw(r, "frames"), 2)
		greedy := plainGreedy(n, f, 1)
		o := decode.BeamDefaults()
		o.Size, o.MaxSymbols = 200, 4
		got, err := decode.MALSDSearch(t.Context(), n, f, o)
		if err != nil {
			r.Fatal(err)
		}
		path := greedy.Score // and the blanks between its labels
		for frame := range f.T {
			done := 0
			for done < len(greedy.Frames) && greedy.Frames[done] <= frame {
				done++
			}
			path += n.logProbs(f, frame, greedy.Tokens[:done])[n.labels]
		}
		best := slices.MaxFunc(got, func(a, b decode.Hypothesis) int { return cmp.Compare(a.Score, b.Score) })
		if best.Score < path-1e-5 {
			r.Fatalf("best %g, the greedy path alone has %g", best.Score, path)
		}
	})
}

func TestRNNTForwardSumsAllAlignments(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		n := toyNetwork{labels: 2, seed: seed}
		f := n.drawFrames(3, 0)
		// With at most 3 tokens no frame can hold more than 3, so nothing is left out.
		all := n.everyAlignment(f, 3)
		for _, tokens := range [][]int{nil, {0}, {1}, {1, 1}, {0, 1}, {1, 0, 0}} {
			got, err := decode.RNNTForward(t.Context(), n, f, tokens)
			if err != nil {
				t.Fatal(err)
			}
			if want := math.Log(all[sequenceKey(tokens)]); !isNear(got, want) {
				t.Errorf("seed %d: %v has %g, want %g", seed, tokens, got, want)
			}
		}
	}
}

func TestBatchJointGivesTheSame(t *testing.T) {
	t.Parallel()
	v := readGolden(t)
	net := newLSTM(t, filepath.Join(v.dir, "net.npy"))
	f := v.frameVectors(t, "g26")
	b := &batchedNetwork{TransducerNetwork: net}
	want, err := decode.MALSDSearch(t.Context(), net, f, decode.BeamDefaults())
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode.MALSDSearch(t.Context(), b, f, decode.BeamDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || b.calls == 0 {
		t.Errorf("%d batches give %v, want %v", b.calls, got, want)
	}
	one, err := decode.RNNTForward(t.Context(), net, f, want[0].Tokens)
	if err != nil {
		t.Fatal(err)
	}
	many, err := decode.RNNTForward(t.Context(), b, f, want[0].Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if one != many || one < want[0].Score-tolerance {
		t.Errorf("lattice %g, in batches %g, best of the beam %g", one, many, want[0].Score)
	}
}

// countingNetwork counts how often predictions are computed.
type countingNetwork struct {
	decode.TransducerNetwork
	next map[*decode.PredictionState]map[int]int
}

func (c countingNetwork) NextState(s *decode.PredictionState, label int) *decode.PredictionState {
	if c.next[s] == nil {
		c.next[s] = map[int]int{}
	}
	c.next[s][label]++
	return c.TransducerNetwork.NextState(s, label)
}

func TestBeamsPredictASequenceOnce(t *testing.T) {
	t.Parallel()
	n := toyNetwork{labels: 4, seed: 5}
	for name, search := range searches {
		c := countingNetwork{n, map[*decode.PredictionState]map[int]int{}}
		if err := search(t.Context(), c, n.drawFrames(10, 3)); err != nil {
			t.Fatal(err)
		}
		for _, labels := range c.next {
			for label, times := range labels {
				if times > 1 {
					t.Errorf("%s: label %d predicted %d times after one state", name, label, times)
				}
			}
		}
	}
}
