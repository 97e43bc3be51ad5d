package decode_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"munadi/engine/decode"
)

// pairGrammar is the grammar "a? (b c | c b) a*" over labels 0, 1, 2.
func pairGrammar(t *testing.T) *decode.TokenGrammar {
	t.Helper()
	g, err := decode.NewGrammar(3, 6, []decode.GrammarArc{
		{From: 0, To: 1, Label: 0},
		{From: 0, To: 1, Label: decode.Epsilon},
		{From: 1, To: 2, Label: 1},
		{From: 2, To: 4, Label: 2},
		{From: 1, To: 3, Label: 2},
		{From: 3, To: 4, Label: 1},
		{From: 4, To: 5, Label: decode.Epsilon},
		{From: 5, To: 5, Label: 0},
	}, []int{5})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGrammarAccepts(t *testing.T) {
	t.Parallel()
	g := pairGrammar(t)
	for _, c := range []struct {
		tokens []int
		want   bool
	}{
		{[]int{1, 2}, true},
		{[]int{0, 1, 2}, true},
		{[]int{2, 1, 0, 0}, true},
		{nil, false},
		{[]int{0}, false},
		{[]int{0, 0, 1, 2}, false},
		{[]int{1, 1}, false},
		{[]int{7}, false},
	} {
		if got := g.AcceptsTokens(c.tokens); got != c.want {
			t.Errorf("%v: %t, want %t", c.tokens, got, c.want)
		}
	}
}

func TestGrammarAcceptsPrefix(t *testing.T) {
	t.Parallel()
	g := pairGrammar(t)
	for _, c := range []struct {
		tokens []int
		want   bool
	}{
		{nil, true},
		{[]int{0}, true},
		{[]int{2}, true},
		{[]int{0, 0}, false},
		{[]int{1, 1}, false},
		{[]int{1, 2}, true}, // more zeros may follow
	} {
		if got := g.AcceptsPrefix(c.tokens); got != c.want {
			t.Errorf("%v: %t, want %t", c.tokens, got, c.want)
		}
	}
}

func TestGrammarIsRefused(t *testing.T) {
	t.Parallel()
	for name, arcs := range map[string][]decode.GrammarArc{
		"state": {{From: 0, To: 9, Label: 0}}, "token": {{From: 0, To: 1, Label: 3}}, "below": {{From: -1, To: 1, Label: 0}},
	} {
		if _, err := decode.NewGrammar(3, 2, arcs, []int{1}); !errors.Is(err, decode.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := decode.NewGrammar(3, 2, nil, []int{2}); !errors.Is(err, decode.ErrOption) {
		t.Errorf("final: %v", err)
	}
	if _, err := decode.NewGrammar(2, 20, doublingAcceptor(20), []int{19}); !errors.Is(err, decode.ErrOption) {
		t.Errorf("a grammar of a million states: %v", err)
	}
}

// doublingAcceptor is the textbook's acceptor whose deterministic form doubles with each state: the n-th token from the end
// is 0.
func doublingAcceptor(n int) []decode.GrammarArc {
	arcs := []decode.GrammarArc{{From: 0, To: 0, Label: 0}, {From: 0, To: 0, Label: 1}, {From: 0, To: 1, Label: 0}}
	for i := 1; i < n-1; i++ {
		arcs = append(arcs, decode.GrammarArc{From: i, To: i + 1, Label: 0}, decode.GrammarArc{From: i, To: i + 1, Label: 1})
	}
	return arcs
}

// wide prunes nothing.
var wide = decode.GrammarOptions{Size: 100_000, PruneLogp: math.Inf(-1), MaxSymbols: 3}

// TestCTCGrammarIsExact: without pruning the search finds every sentence that fits, with its exact score.
func TestCTCGrammarIsExact(t *testing.T) {
	t.Parallel()
	g := pairGrammar(t)
	for seed := range uint64(20) {
		lp := ctcToy(seed, 6, 3)
		found, err := decode.CTCGrammar(t.Context(), lp, g, wide)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for k, r := range everyPath(lp) {
			if g.AcceptsTokens(r.tokens) {
				want[k] = math.Log(r.sum)
			}
		}
		compareSentences(t, found, want)
	}
}

// TestRNNTGrammarIsExact: the same over a transducer.
func TestRNNTGrammarIsExact(t *testing.T) {
	t.Parallel()
	g, seeds := pairGrammar(t), uint64(10)
	if testing.Short() {
		seeds = 2 // every alignment of each
	}
	for seed := range seeds {
		net := toyNetwork{labels: 3, seed: seed}
		f := net.drawFrames(3, 0)
		found, err := decode.RNNTGrammar(t.Context(), net, f, g, wide)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for k, p := range net.everyAlignment(f, wide.MaxSymbols) {
			if g.AcceptsTokens(tokensOf(k)) {
				want[k] = math.Log(p)
			}
		}
		compareSentences(t, found, want)
	}
}

func tokensOf(key string) []int {
	tokens := make([]int, len(key))
	for i := range key {
		tokens[i] = int(key[i] - 'a')
	}
	return tokens
}

func compareSentences(t *testing.T, found []decode.GrammarSentence, want map[string]float64) {
	t.Helper()
	if len(found) != len(want) {
		t.Errorf("%d sentences, want %d", len(found), len(want))
	}
	for i, s := range found {
		if w, ok := want[sequenceKey(s.Tokens)]; !ok || math.Abs(w-s.Score) > 1e-4 {
			t.Errorf("%v: %g, want %g", s.Tokens, s.Score, w)
		}
		if i > 0 && s.Score > found[i-1].Score {
			t.Errorf("sentence %d is better than the one before", i)
		}
	}
}

func TestRNNTForwardAll(t *testing.T) {
	t.Parallel()
	net := toyNetwork{labels: 4, seed: 3}
	f := net.drawFrames(7, 1)
	sequences := [][]int{{}, {0}, {0, 1, 2}, {0, 1, 3}, {0, 1}, {2, 2, 2}, {0, 1, 2}}
	got, err := decode.RNNTForwardAll(t.Context(), net, f, sequences)
	if err != nil {
		t.Fatal(err)
	}
	for i, tokens := range sequences {
		want, err := decode.RNNTForward(t.Context(), net, f, tokens)
		if err != nil || math.Abs(want-got[i]) > 1e-9 {
			t.Errorf("%v: %g, want %g (%v)", tokens, got[i], want, err)
		}
	}
	if _, err := decode.RNNTForwardAll(t.Context(), net, f, [][]int{{4}}); !errors.Is(err, decode.ErrOption) {
		t.Errorf("a blank among the tokens: %v", err)
	}
}

// TestReadings: what the free search heard and the grammar does not hold takes its share; sentences come once.
func TestReadings(t *testing.T) {
	t.Parallel()
	net, g := toyNetwork{labels: 3, seed: 5}, pairGrammar(t)
	f, lp := net.drawFrames(6, 0), ctcToy(5, 6, 3)
	o := decode.ReadingDefaults()
	free := [][]int{{1, 2}, {0, 0, 0}, {2}}
	for name, heads := range map[string]struct {
		net decode.TransducerNetwork
		lp  decode.LogProbs
	}{"both": {net, lp}, "ctc": {nil, lp}, "rnnt": {net, decode.LogProbs{}}} {
		readings, err := decode.ScoreReadings(t.Context(), heads.net, f, heads.lp, g, free, o)
		if err != nil {
			t.Fatal(name, err)
		}
		sum, seen := 0.0, map[string]bool{}
		for i, r := range readings {
			sum += r.Probability
			if seen[sequenceKey(r.Tokens)] || r.Foreseen != g.AcceptsTokens(r.Tokens) || i > 0 && r.Probability > readings[i-1].Probability {
				t.Errorf("%s: reading %d of %+v", name, i, readings)
			}
			seen[sequenceKey(r.Tokens)] = true
		}
		if math.Abs(sum-1) > 1e-9 || !seen["aaa"] || !seen["bc"] {
			t.Errorf("%s: %+v adds up to %g", name, readings, sum)
		}
	}
	o.Prior = 1000
	readings, err := decode.ScoreReadings(t.Context(), net, f, lp, g, free, o)
	if err != nil || !readings[0].Foreseen {
		t.Errorf("what was foreseen is not preferred: %+v %v", readings, err)
	}
}

func TestGrammarSearchEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	net := toyNetwork{labels: 3, seed: 1}
	if _, err := decode.CTCGrammar(ctx, ctcToy(1, 4, 3), pairGrammar(t), wide); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := decode.RNNTGrammar(ctx, net, net.drawFrames(4, 0), pairGrammar(t), wide); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := decode.CTCGrammar(t.Context(), ctcToy(1, 4, 3), pairGrammar(t), decode.GrammarOptions{}); !errors.Is(err, decode.ErrOption) {
		t.Error(err)
	}
	few, err := decode.CTCGrammar(t.Context(), ctcToy(1, 4, 3), pairGrammar(t), decode.GrammarOptions{Size: 2, MaxSymbols: 1})
	if err != nil || len(few) > 2 || !slices.IsSortedFunc(few, func(a, b decode.GrammarSentence) int {
		if a.Score >= b.Score {
			return -1
		}
		return 1
	}) {
		t.Error(few, err)
	}
}
