package decode_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/decode"
)

// The toy vocabulary of these tests, and its blank.
const (
	tokA, tokB, tokC, tokMark = 0, 1, 2, 3
	tokBlank                  = 4
)

var toyPieces = []string{"▁a", "b", "▁c", "▁"}

// paintScores makes scores in which each frame has the given log-probabilities, and -20 for all else.
func paintScores(frames ...map[int]float32) decode.LogProbs {
	lp := decode.LogProbs{T: len(frames), Labels: tokBlank + 1}
	for _, f := range frames {
		row := []float32{-20, -20, -20, -20, -20}
		for label, v := range f {
			row[label] = v
		}
		lp.Data = append(lp.Data, row...)
	}
	return lp
}

func toyGraph(t *testing.T, phrases ...decode.ContextPhrase) *decode.ContextGraph {
	t.Helper()
	g, err := decode.NewContextGraph(tokBlank, phrases)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func phraseGraph(text string, spellings ...[]int) decode.ContextPhrase {
	return decode.ContextPhrase{Text: text, Spellings: spellings}
}

func TestSpotByHand(t *testing.T) {
	t.Parallel()
	ab := phraseGraph("ab", []int{tokA, tokB})
	onA, onB := map[int]float32{tokA: -0.25}, map[int]float32{tokB: -0.5}
	silence := map[int]float32{tokBlank: -0.125}
	for name, test := range map[string]struct {
		phrases []decode.ContextPhrase
		lp      decode.LogProbs
		set     func(*decode.SpotOptions)
		want    []decode.SpottedPhrase
	}{
		"two tokens": {
			[]decode.ContextPhrase{ab},
			paintScores(onA, onB), nil,
			[]decode.SpottedPhrase{{Text: "ab", Score: -0.75 + 2*3, Start: 0, End: 1}},
		},
		"blanks around and between": {
			[]decode.ContextPhrase{ab},
			paintScores(silence, onA, silence, onB, silence), nil,
			[]decode.SpottedPhrase{{Text: "ab", Score: -0.875 + 2*3, Start: 1, End: 3}},
		},
		"a token held has the bonus each frame": {
			[]decode.ContextPhrase{ab},
			paintScores(onA, onA, onB), nil,
			[]decode.SpottedPhrase{{Text: "ab", Score: -1 + 3*3, Start: 0, End: 2}},
		},
		"the end comes with the first frame of the last token": {
			[]decode.ContextPhrase{ab},
			paintScores(onA, onB, onB), nil,
			[]decode.SpottedPhrase{{Text: "ab", Score: -0.75 + 2*3, Start: 0, End: 1}},
		},
		"equal tokens need a blank between": {
			[]decode.ContextPhrase{phraseGraph("aa", []int{tokA, tokA})}, paintScores(onA, onA), nil, nil,
		},
		"equal tokens with a blank between": {
			[]decode.ContextPhrase{phraseGraph("aa", []int{tokA, tokA})},
			paintScores(onA, silence, onA), nil,
			[]decode.SpottedPhrase{{Text: "aa", Score: -0.625 + 2*3, Start: 0, End: 2}},
		},
		"the longer of two that share a beginning": {
			[]decode.ContextPhrase{phraseGraph("a", []int{tokA}), ab},
			paintScores(onA, onB), nil,
			[]decode.SpottedPhrase{{Phrase: 1, Text: "ab", Score: -0.75 + 2*3, Start: 0, End: 1}},
		},
		"the shorter of them where the longer is not said": {
			[]decode.ContextPhrase{ab, phraseGraph("a", []int{tokA})},
			paintScores(silence, onA, silence), nil,
			[]decode.SpottedPhrase{{Phrase: 1, Text: "a", Score: -0.25 + 3, Start: 1, End: 1}},
		},
		"another spelling": {
			[]decode.ContextPhrase{phraseGraph("x", []int{tokC, tokC}, []int{tokA, tokB})},
			paintScores(onA, onB), nil,
			[]decode.SpottedPhrase{{Text: "x", Score: -0.75 + 2*3, Start: 0, End: 1}},
		},
		"two apart": {
			[]decode.ContextPhrase{phraseGraph("a", []int{tokA}), phraseGraph("c", []int{tokC})},
			paintScores(onA, silence, map[int]float32{tokC: -1}), nil,
			[]decode.SpottedPhrase{
				{Text: "a", Score: -0.25 + 3, Start: 0, End: 0}, {Phrase: 1, Text: "c", Score: -1 + 3, Start: 2, End: 2},
			},
		},
		"below the keyword threshold": {
			[]decode.ContextPhrase{ab}, paintScores(onA, onB), func(o *decode.SpotOptions) { o.KeywordThreshold = 5.25 }, nil,
		},
		"not begun on a likely blank": {
			[]decode.ContextPhrase{ab}, paintScores(map[int]float32{tokA: -2, tokBlank: -0.15}, onB), nil, nil,
		},
		"not begun with an unlikely token": {
			[]decode.ContextPhrase{ab}, paintScores(map[int]float32{tokA: -7, tokB: -0.01}, onB), nil, nil,
		},
		"weaker than the word in its place": {
			[]decode.ContextPhrase{phraseGraph("c", []int{tokC})}, paintScores(map[int]float32{tokA: -0.25, tokC: -3}), nil, nil,
		},
		"as strong as the word in its place": {
			[]decode.ContextPhrase{phraseGraph("c", []int{tokC})},
			paintScores(map[int]float32{tokA: -0.25, tokC: -2.75}), nil,
			[]decode.SpottedPhrase{{Text: "c", Score: 0.25, Start: 0, End: 0}},
		},
		"where no word is": {
			[]decode.ContextPhrase{phraseGraph("c", []int{tokC})}, paintScores(map[int]float32{tokBlank: -0.5, tokC: -1}, onA), nil, nil,
		},
		"where no word is anywhere": {
			[]decode.ContextPhrase{phraseGraph("c", []int{tokC})},
			paintScores(map[int]float32{tokBlank: -0.5, tokC: -1}), nil,
			[]decode.SpottedPhrase{{Text: "c", Score: 2, Start: 0, End: 0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := decode.SpotDefaults()
			if test.set != nil {
				test.set(&o)
			}
			got, err := decode.SpotPhrases(t.Context(), test.lp, toyGraph(t, test.phrases...), toyPieces, o)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) && len(got)+len(test.want) > 0 {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestSpotRefusesNonsenseAndStops(t *testing.T) {
	t.Parallel()
	lp, g, o := paintScores(map[int]float32{tokA: 0}), toyGraph(t, phraseGraph("a", []int{tokA})), decode.SpotDefaults()
	outside := []decode.ContextPhrase{phraseGraph("?", []int{tokBlank})}
	if _, err := decode.NewContextGraph(tokBlank, outside); !errors.Is(err, decode.ErrOption) {
		t.Errorf("a blank in a phrase: %v", err)
	}
	if _, err := decode.SpotPhrases(t.Context(), lp, g, toyPieces[:2], o); !errors.Is(err, decode.ErrShape) {
		t.Errorf("too few pieces: %v", err)
	}
	other, err := decode.NewContextGraph(2, []decode.ContextPhrase{phraseGraph("a", []int{tokA})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode.SpotPhrases(t.Context(), lp, other, toyPieces, o); !errors.Is(err, decode.ErrShape) {
		t.Errorf("a graph of another model: %v", err)
	}
	bad := o
	bad.BlankThreshold = math.NaN()
	if _, err := decode.SpotPhrases(t.Context(), lp, g, toyPieces, bad); !errors.Is(err, decode.ErrOption) {
		t.Errorf("threshold NaN: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := decode.SpotPhrases(ctx, lp, g, toyPieces, o); !errors.Is(err, context.Canceled) {
		t.Errorf("context ended: %v", err)
	}
	if empty := toyGraph(t, phraseGraph("", []int{})); !empty.IsEmpty() || g.IsEmpty() {
		t.Error("a graph is empty if and only if it has no spelling")
	}
}

func TestSpotAcceptsAnyInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		lp := ctcToy(random.Uint64(), rapid.IntRange(0, 30).Draw(r, "frames"), tokBlank)
		if rapid.Bool().Draw(r, "broken") {
			for i := range lp.Data {
				if random.IntN(10) == 0 {
					lp.Data[i] = float32(math.NaN())
				}
			}
		}
		token := rapid.IntRange(0, tokBlank-1)
		spellings := rapid.SliceOf(rapid.SliceOf(token)).Draw(r, "spellings")
		g := toyGraph(t, phraseGraph("x", spellings...), phraseGraph("y", rapid.SliceOf(token).Draw(r, "spelling")))
		o := decode.SpotDefaults()
		o.KeywordThreshold, o.ContextScore = -30, rapid.Float64Range(-2, 8).Draw(r, "score")
		got, err := decode.SpotPhrases(t.Context(), lp, g, toyPieces, o)
		if err != nil {
			r.Fatal(err)
		}
		for _, s := range got {
			if s.Start < 0 || s.End >= lp.T || s.Start > s.End {
				r.Fatalf("%+v of %d frames", s, lp.T)
			}
		}
		h := decode.CTCGreedy(lp)
		decode.MergeCTC(lp, toyPieces, got, intersectionThreshold)
		decode.MergeRNNT(h, toyPieces, got, intersectionThreshold)
	})
}
