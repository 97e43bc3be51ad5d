package decode_test

import (
	"math"
	"strings"
	"testing"

	"munadi/engine/decode"
)

// intersectionThreshold is NeMo's, in percent.
const intersectionThreshold = 30

func TestSpotAnswersAsNeMo(t *testing.T) {
	t.Parallel()
	v := readGolden(t)
	graph := contextGraph(t, v)
	found := 0
	for name, file := range v.Files {
		if file.CTCWS == nil {
			continue
		}
		lp := v.logProbs(t, name)
		for run, want := range file.CTCWS {
			o := decode.SpotOptions{
				BeamThreshold: want.Params["beam_threshold"], ContextScore: want.Params["cb_weight"],
				AliTokenWeight:   want.Params["ctc_ali_token_weight"],
				KeywordThreshold: want.Params["keyword_threshold"],
				BlankThreshold:   want.Params["blank_threshold"], NonBlankThreshold: want.Params["non_blank_threshold"],
			}
			got, err := decode.SpotPhrases(t.Context(), lp, graph, v.Pieces, o)
			if err != nil {
				t.Fatal(err)
			}
			checkSpotted(t, name+" "+run, got, want)
			if found += len(got); len(got) == 0 {
				continue
			}
			rnnt := decode.Hypothesis{Tokens: file.RNNTGreedy.Tokens, Frames: file.RNNTGreedy.Frames}
			checkText(t, name+" ctc", decode.MergeCTC(lp, v.Pieces, got, intersectionThreshold), want.MergedCTC)
			checkText(t, name+" rnnt", decode.MergeRNNT(rnnt, v.Pieces, got, intersectionThreshold), want.MergedRNNT)
		}
	}
	t.Logf("%d phrases", found)
	if found == 0 {
		t.Error("nothing found in any file")
	}
}

// contextGraph holds the reference's phrases.
func contextGraph(t *testing.T, v goldenVectors) *decode.ContextGraph {
	t.Helper()
	var phrases []decode.ContextPhrase
	for _, c := range v.Context {
		phrases = append(phrases, decode.ContextPhrase{Text: c.Text, Spellings: [][]int{c.IDs}})
	}
	graph, err := decode.NewContextGraph(v.Blank, phrases)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

func checkSpotted(t *testing.T, name string, got []decode.SpottedPhrase, want spotAnswers) {
	t.Helper()
	if len(got) != len(want.Hyps) {
		t.Errorf("%s: found %+v, NeMo %+v", name, got, want.Hyps)
		return
	}
	for i, w := range want.Hyps {
		g := got[i]
		if g.Text != w.Word || g.Start != w.Start || g.End != w.End || math.Abs(g.Score-w.Score) > tolerance {
			t.Errorf("%s: found %+v, NeMo %+v", name, g, w)
		}
	}
}

func checkText(t *testing.T, name string, words []decode.MergedWord, want string) {
	t.Helper()
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("%s: %q, NeMo has %q", name, got, want)
	}
}
