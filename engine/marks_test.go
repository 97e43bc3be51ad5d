package engine

import (
	"math"
	"slices"
	"testing"

	"munadi/engine/arabic"
	"munadi/engine/decode"
	"munadi/engine/grammar"
	"munadi/engine/model"
	"munadi/engine/tokenizer"
)

// markedPieces is a vocabulary with marks: as separate pieces, and as part of a piece.
var markedPieces = []string{"<unk>", "▁ن", "ع", "م", "َ", "ْ", "عَ", "▁ل", "ا", "▁<EOU>"}

// markedEngine has that vocabulary and no network.
func markedEngine(style arabic.Style) *Engine {
	return &Engine{
		model: &model.SpeechModel{Vocabulary: markedPieces, Tokenizer: tokenizer.FromVocab(markedPieces)},
		style: style, marks: newMarks(markedPieces),
	}
}

// likelyScores returns log-probabilities with a likely label per frame and another half as likely.
func likelyScores(best, second []int) decode.LogProbs {
	labels := len(markedPieces) + 1
	lp := decode.LogProbs{T: len(best), Labels: labels, Data: make([]float32, len(best)*labels)}
	for t := range best {
		row := lp.At(t)
		for i := range row {
			row[i] = float32(math.Log(0.001))
		}
		row[second[t]] = float32(math.Log(0.3))
		row[best[t]] = float32(math.Log(0.6))
	}
	return lp
}

func TestNoMarksNoWork(t *testing.T) {
	t.Parallel()
	if m := newMarks([]string{"<unk>", "▁نعم", "▁", "'s", "-"}); m != nil {
		t.Errorf("marks = %+v", m)
	}
}

func TestMarksAreReadAsTheirLetters(t *testing.T) {
	t.Parallel()
	m := newMarks(markedPieces)
	if want := []int{0, 1, 2, 3, 10, 10, 2, 7, 8, 9, 10}; !slices.Equal(m.plain, want) {
		t.Fatalf("plain = %v, want %v", m.plain, want)
	}
	lp := likelyScores([]int{1, 4, 6, 3}, []int{10, 10, 2, 5})
	plain := m.logProbs(lp)
	for i, want := range map[[2]int]float64{{1, 10}: 0.901, {2, 2}: 0.9, {3, 10}: 0.302, {0, 1}: 0.6} {
		if got := math.Exp(float64(plain.At(i[0])[i[1]])); math.Abs(got-want) > 0.003 {
			t.Errorf("frame %d, label %d: %v, want %v", i[0], i[1], got, want)
		}
	}
	if lp.At(1)[4] == unlikely || plain.At(1)[4] != unlikely {
		t.Error("the marks' own probabilities")
	}
}

// A phrase without marks is spotted in a text with marks, and other words keep their marks if the style keeps them.
func TestPhrasesAreFoundBelowMarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		style arabic.Style
		want  string
	}{{arabic.Style{}, "لا نعم"}, {arabic.Style{KeepDiacritics: true}, "لَا نَعَم"}} {
		e := markedEngine(c.style)
		phrase, ok := e.spellPhrase("نَعَم", "نَعَم")
		if !ok || len(phrase.Spellings) != 1 || !slices.Equal(phrase.Spellings[0], []int{1, 2, 3}) {
			t.Fatalf("spelled %+v", phrase)
		}
		sp, err := e.buildGraph([]decode.ContextPhrase{phrase})
		if err != nil {
			t.Fatal(err)
		}
		// Heard: لَا نَلَم for لَا نَعَم, with ع the second likeliest where ل was heard.
		best := []int{7, 4, 8, 10, 1, 4, 7, 4, 3, 10}
		second := []int{10, 10, 10, 7, 10, 10, 6, 10, 10, 3}
		lp := likelyScores(best, second)
		d := &decodedChunk{best: decode.CTCGreedy(lp), clock: frameClock{frame: 0.08, end: 10}}
		if err := e.spotAndMerge(t.Context(), d, lp, decodePlan{spot: sp}); err != nil {
			t.Fatal(err)
		}
		if got := joinWords(d.merged); got != c.want {
			t.Errorf("%+v: %q, want %q", c.style, got, c.want)
		}
	}
}

func TestStyleWritesTheWords(t *testing.T) {
	t.Parallel()
	h := decode.Hypothesis{
		Tokens: []int{1, 4, 2, 3, 7, 8, 9, 0, 8}, Frames: make([]int, 9), LogProbs: make([]float64, 9),
	}
	for style, want := range map[arabic.Style]string{{}: "نعم لا ⁇ ا", {KeepDiacritics: true}: "نَعم لا ⁇ ا"} {
		words := markedEngine(style).timedWords(h, frameClock{end: 1})
		if got := joinWords(words); got != want {
			t.Errorf("%+v: %q, want %q", style, got, want)
		}
		count := 0
		for _, w := range words {
			count += w.TokenCount
		}
		if count != len(h.Tokens) {
			t.Errorf("%+v: the words have %d of %d tokens", style, count, len(h.Tokens))
		}
	}
}

// An expected answer is recognized in a text with diacritics and punctuation, and the model's text is kept if it is
// that answer.
func TestAnswersAreFoundBelowMarks(t *testing.T) {
	t.Parallel()
	pieces := []string{"<unk>", "▁ن", "ع", "م", "َ", "ْ", "▁ل", "ا", ".", "▁،", "لا؟", "لا"}
	e := &Engine{
		model: &model.SpeechModel{Vocabulary: pieces, Tokenizer: tokenizer.FromVocab(pieces)}, marks: newMarks(pieces),
	}
	blank := len(pieces)
	if want := []int{0, 1, 2, 3, blank, blank, 6, 7, blank, blank, 11, 11, blank}; !slices.Equal(e.marks.plain, want) {
		t.Fatalf("plain = %v, want %v", e.marks.plain, want)
	}
	g, err := grammar.ParseABNF("#ABNF 1.0 UTF-8;\nroot $a;\n$a = نعم | لا;")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := e.compileGrammar(g)
	if err != nil {
		t.Fatal(err)
	}
	heard := []int{1, 4, 2, 5, 3, 4, 8, blank} // نَعْمَ.
	lp := decode.LogProbs{T: len(heard), Labels: blank + 1, Data: make([]float32, len(heard)*(blank+1))}
	for t, id := range heard {
		for i := range lp.At(t) {
			lp.At(t)[i] = float32(math.Log(0.002))
		}
		lp.At(t)[id] = float32(math.Log(0.97))
	}
	r := &engineRequest{engine: e}
	d := &decodedChunk{best: decode.CTCGreedy(lp)}
	p := decodePlan{answers: answers, readings: decode.ReadingDefaults()}
	if err := r.readAnswer(t.Context(), d, speechChunk{}, model.EncodedSpeech{CTC: lp, T: lp.T}, p); err != nil {
		t.Fatal(err)
	}
	if len(d.read) == 0 || !d.read[0].Foreseen || d.read[0].Probability < 0.9 || d.segment.Readings[0].Text != "نعم" {
		t.Errorf("readings: %+v", d.segment.Readings)
	}
	if len(d.best.Tokens) != 7 {
		t.Errorf("what the model wrote is gone: %v", d.best.Tokens)
	}
}
