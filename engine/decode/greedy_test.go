package decode_test

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/decode"
)

// plainGreedy is the definition, word by word, without regard to work done twice.
func plainGreedy(n toyNetwork, f decode.EncoderFrames, maxSymbols int) (h decode.Hypothesis) {
	for t := 0; t < f.T; t++ {
		for n1 := 0; maxSymbols == 0 || n1 < maxSymbols; n1++ {
			lp := n.logProbs(f, t, h.Tokens)
			best := 0
			for k := range lp {
				if lp[k] > lp[best] {
					best = k
				}
			}
			if best == n.labels {
				break
			}
			h.Tokens, h.Frames = append(h.Tokens, best), append(h.Frames, t)
			h.LogProbs, h.Score = append(h.LogProbs, lp[best]), h.Score+lp[best]
		}
	}
	return h
}

func TestGreedyIsTheSameInBothOrders(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n := toyNetwork{labels: rapid.IntRange(1, 6).Draw(r, "labels"), seed: rapid.Uint64().Draw(r, "seed")}
		f := n.drawFrames(rapid.IntRange(0, 12).Draw(r, "frames"), float32(rapid.IntRange(0, 3).Draw(r, "push")))
		o := decode.GreedyOptions{MaxSymbols: rapid.IntRange(1, 4).Draw(r, "max symbols")}
		byFrames, err := decode.GreedySearch(t.Context(), n, f, o)
		if err != nil {
			r.Fatal(err)
		}
		o.LoopLabels = true
		byLabels, err := decode.GreedySearch(t.Context(), n, f, o)
		if err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(byFrames, byLabels) {
			r.Fatalf("by frames %+v, by labels %+v", byFrames, byLabels)
		}
		want := plainGreedy(n, f, o.MaxSymbols)
		if !reflect.DeepEqual(byFrames.Tokens, want.Tokens) || !reflect.DeepEqual(byFrames.Frames, want.Frames) ||
			math.Abs(byFrames.Score-want.Score) > 1e-9 {
			r.Fatalf("%+v, by definition %+v", byFrames, want)
		}
	})
}

func TestGreedyTakesTheFirstOfEquals(t *testing.T) {
	t.Parallel()
	// All logits equal: label 0 wins over the blank, on every frame as often as allowed.
	net, f := constantNetwork{row: []float32{1, 1, 1}}, decode.EncoderFrames{Data: make([]float32, 2), T: 2, J: 1}
	h, err := decode.GreedySearch(t.Context(), net, f, decode.GreedyOptions{MaxSymbols: 2, LoopLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 0, 0}; !reflect.DeepEqual(h.Tokens, want) {
		t.Errorf("tokens %v, want %v", h.Tokens, want)
	}
	if want := []int{0, 0, 1, 1}; !reflect.DeepEqual(h.Frames, want) {
		t.Errorf("frames %v, want %v", h.Frames, want)
	}
	if want := -4 * math.Log(3); math.Abs(h.Score-want) > 1e-9 {
		t.Errorf("score %g, want %g", h.Score, want)
	}
}

func TestGreedyTemperatureChangesOnlyScores(t *testing.T) {
	t.Parallel()
	// Logits 2, 0, 0 at temperature 2 are 1, 0, 0.
	net, f := constantNetwork{row: []float32{2, 0, 0}}, decode.EncoderFrames{Data: make([]float32, 1), T: 1, J: 1}
	h, err := decode.GreedySearch(t.Context(), net, f, decode.GreedyOptions{MaxSymbols: 1, Temperature: 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 - math.Log(math.E+2); len(h.Tokens) != 1 || math.Abs(h.Score-want) > 1e-7 {
		t.Errorf("%v scores %g, want [0] %g", h.Tokens, h.Score, want)
	}
}

func TestGreedyDoesNotAllocatePerFrame(t *testing.T) {
	// Not parallel: it counts allocations.
	net := constantNetwork{row: []float32{0, 0, 1}}
	for _, labels := range []bool{false, true} {
		allocs := func(frames int) float64 {
			f := decode.EncoderFrames{Data: make([]float32, frames), T: frames, J: 1}
			return testing.AllocsPerRun(10, func() {
				o := decode.GreedyOptions{MaxSymbols: 10, LoopLabels: labels}
				if _, err := decode.GreedySearch(t.Context(), net, f, o); err != nil {
					t.Error(err)
				}
			})
		}
		if short, long := allocs(1), allocs(1000); long > short {
			t.Errorf("loop labels %v: %g allocations for 1 frame, %g for 1000", labels, short, long)
		}
	}
}

// constantNetwork is a network with the same logits always.
type constantNetwork struct{ row []float32 }

func (n constantNetwork) BlankID() int { return len(n.row) - 1 }

func (n constantNetwork) StartState() *decode.PredictionState { return &decode.PredictionState{} }
func (n constantNetwork) NextState(s *decode.PredictionState, _ int) *decode.PredictionState {
	return s
}

func (n constantNetwork) JointLogits(dst, _ []float32, _ *decode.PredictionState) { copy(dst, n.row) }
