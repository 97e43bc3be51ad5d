package decode_test

import (
	"reflect"
	"testing"

	"munadi/engine/decode"
)

func TestMergeRNNT(t *testing.T) {
	t.Parallel()
	// ab at 2-4, c at 8, ab at 10-13
	h := decode.Hypothesis{Tokens: []int{tokA, tokB, tokC, tokA, tokB}, Frames: []int{2, 4, 8, 10, 13}}
	first := decode.MergedWord{Text: "ab", Start: 2, End: 4, From: 0, To: 2, Phrase: -1}
	second := decode.MergedWord{Text: "c", Start: 8, End: 8, From: 2, To: 3, Phrase: -1}
	third := decode.MergedWord{Text: "ab", Start: 10, End: 13, From: 3, To: 5, Phrase: -1}
	said := func(start, end int) decode.SpottedPhrase {
		return decode.SpottedPhrase{Phrase: 7, Text: "X", Score: 1.5, Start: start, End: end}
	}
	word := func(start, end int) decode.MergedWord {
		return decode.MergedWord{Text: "X", Start: start, End: end, Phrase: 7, Score: 1.5}
	}
	for name, test := range map[string]struct {
		h       decode.Hypothesis
		spotted []decode.SpottedPhrase
		want    []decode.MergedWord
	}{
		"nothing said":           {h, nil, []decode.MergedWord{first, second, third}},
		"in place of one":        {h, []decode.SpottedPhrase{said(9, 9)}, []decode.MergedWord{first, word(8, 9), third}},
		"one frame early":        {h, []decode.SpottedPhrase{said(3, 3)}, []decode.MergedWord{word(2, 3), second, third}},
		"in place of two":        {h, []decode.SpottedPhrase{said(8, 12)}, []decode.MergedWord{first, word(7, 12)}},
		"before all":             {h, []decode.SpottedPhrase{said(0, 1)}, []decode.MergedWord{word(0, 1), first, second, third}},
		"before, and covering":   {h, []decode.SpottedPhrase{said(0, 4)}, []decode.MergedWord{word(0, 4), second, third}},
		"between":                {h, []decode.SpottedPhrase{said(6, 6)}, []decode.MergedWord{first, word(5, 6), second, third}},
		"a quarter is too small": {h, []decode.SpottedPhrase{said(14, 20)}, []decode.MergedWord{first, second, third, word(13, 20)}},
		"after all":              {h, []decode.SpottedPhrase{said(30, 31)}, []decode.MergedWord{first, second, third, word(29, 31)}},
		"two phrases": {
			h, []decode.SpottedPhrase{said(11, 13), said(3, 4)}, []decode.MergedWord{word(2, 4), second, word(10, 13)},
		},
		"into nothing": {decode.Hypothesis{}, []decode.SpottedPhrase{said(2, 3)}, []decode.MergedWord{word(1, 3)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := decode.MergeRNNT(test.h, toyPieces, test.spotted, intersectionThreshold)
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMergeGluesLoneBoundaries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tokens []int
		want   []decode.MergedWord
	}{
		"before a piece": {
			[]int{tokA, tokMark, tokB},
			[]decode.MergedWord{{Text: "a", Start: 0, End: 0, To: 1}, {Text: "b", Start: 2, End: 2, From: 1, To: 3}},
		},
		"before a word":    {[]int{tokMark, tokA}, []decode.MergedWord{{Text: "a", Start: 1, End: 1, From: 1, To: 2}}},
		"twice":            {[]int{tokMark, tokMark, tokB}, []decode.MergedWord{{Text: "b", Start: 2, End: 2, From: 1, To: 3}}},
		"at the end":       {[]int{tokA, tokMark}, []decode.MergedWord{{Text: "a", Start: 0, End: 0, To: 1}}},
		"no boundary":      {[]int{tokB, tokB}, []decode.MergedWord{{Text: "bb", Start: 0, End: 1, To: 2}}},
		"nothing but them": {[]int{tokMark}, nil},
	} {
		h := decode.Hypothesis{Tokens: test.tokens, Frames: []int{0, 1, 2}}
		for i := range test.want {
			test.want[i].Phrase = -1
		}
		got := decode.MergeRNNT(h, toyPieces, nil, intersectionThreshold)
		if len(got)+len(test.want) > 0 && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestMergeCTCCountsTheLastFrameOfARun(t *testing.T) {
	t.Parallel()
	on := func(label int) map[int]float32 { return map[int]float32{label: -0.1} }
	lp := paintScores(on(tokA), on(tokA), on(tokB), on(tokB), on(tokBlank), on(tokC))
	// ab lies on its runs' last frames, 1-3; a phrase over 2-3 covers two thirds of it, one over 0-1 a third.
	for _, test := range []struct {
		start, end int
		want       []string
	}{{2, 3, []string{"X", "c"}}, {0, 1, []string{"X", "c"}}, {4, 4, []string{"ab", "X", "c"}}} {
		var texts []string
		spotted := []decode.SpottedPhrase{{Text: "X", Start: test.start, End: test.end}}
		for _, w := range decode.MergeCTC(lp, toyPieces, spotted, intersectionThreshold) {
			texts = append(texts, w.Text)
		}
		if !reflect.DeepEqual(texts, test.want) {
			t.Errorf("%d-%d: %v, want %v", test.start, test.end, texts, test.want)
		}
	}
}
