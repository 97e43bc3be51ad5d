package decode_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/engine/decode"
)

// The alignment is the best of all frame labellings that collapse to the tokens.
func TestCTCAlignByBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	const frames, labels = 6, 4
	for round := range 60 {
		lp := decode.LogProbs{Data: make([]float32, frames*labels), T: frames, Labels: labels}
		for i := range lp.Data {
			lp.Data[i] = float32(math.Log(rng.Float64() + 1e-3))
		}
		tokens := make([]int, 1+rng.IntN(4))
		for i := range tokens {
			tokens[i] = rng.IntN(labels - 1)
		}
		wantFirst, wantLast, possible := bestLabelling(lp, tokens)
		first, last, ok := decode.CTCAlign(lp, tokens)
		if ok != possible {
			t.Fatalf("round %d: tokens %v fit = %v, want %v", round, tokens, ok, possible)
		}
		for u := range first {
			if first[u] != wantFirst[u] || last[u] != wantLast[u] {
				t.Errorf("round %d: token %d of %v lies at %d–%d, want %d–%d", round, u, tokens, first[u], last[u], wantFirst[u], wantLast[u])
			}
		}
	}
}

// bestLabelling tries all labels^frames paths.
func bestLabelling(lp decode.LogProbs, tokens []int) (first, last []int, ok bool) {
	best := math.Inf(-1)
	path := make([]int, lp.T)
	for n := range int(math.Pow(float64(lp.Labels), float64(lp.T))) {
		score := 0.0
		for t := range path {
			path[t] = n % lp.Labels
			n /= lp.Labels
			score += float64(lp.At(t)[path[t]])
		}
		f, l, fits := runsOf(path, lp.BlankID(), tokens)
		if fits && score > best {
			best, first, last, ok = score, f, l, true
		}
	}
	return first, last, ok
}

func runsOf(path []int, blank int, tokens []int) (first, last []int, fits bool) {
	previous := blank
	for t, label := range path {
		switch {
		case label == blank:
		case label == previous:
			last[len(last)-1] = t
		case len(first) == len(tokens) || label != tokens[len(first)]:
			return nil, nil, false
		default:
			first, last = append(first, t), append(last, t)
		}
		previous = label
	}
	return first, last, len(first) == len(tokens)
}

func TestCTCAlignRefusesWhatCannotFit(t *testing.T) {
	t.Parallel()
	lp := decode.LogProbs{Data: make([]float32, 2*3), T: 2, Labels: 3}
	for name, tokens := range map[string][]int{"too long": {0, 1, 0}, "needs a blank": {0, 0}, "no label": {2}, "negative": {-1}} {
		if _, _, ok := decode.CTCAlign(lp, tokens); ok {
			t.Errorf("%s: %v was aligned", name, tokens)
		}
	}
	if first, _, ok := decode.CTCAlign(lp, nil); !ok || len(first) != 0 {
		t.Errorf("nothing: %v, %v", first, ok)
	}
}
