package grammar_test

import (
	"strings"
	"testing"

	"munadi/engine/grammar"
)

// TestAnswerProgress checks how far words are on the way to an answer.
func TestAnswerProgress(t *testing.T) {
	t.Parallel()
	sizes := grammar.Answers().WithPhrases("option", []string{"بيتزا", "بيتزا كبيرة"}).RootedAt("choice")
	for _, c := range []struct {
		rules *grammar.RuleGrammar
		words string
		want  grammar.Completeness
	}{
		{grammar.DigitGrammar(4, 4), "", grammar.Foreign},
		{grammar.DigitGrammar(4, 4), "الرقم", grammar.Beginning},
		{grammar.DigitGrammar(4, 4), "اثنان سبعة", grammar.Beginning},
		{grammar.DigitGrammar(4, 4), "اثنان سبعة أربعة تسعة", grammar.Complete},
		{grammar.DigitGrammar(4, 4), "اثنان سبعة أربعة تسعة شكرا", grammar.Complete},
		{grammar.DigitGrammar(4, 4), "اثنان سبعة أربعة تسعة واحد", grammar.Foreign},
		{grammar.Answers().RootedAt("number"), "خمسة", grammar.Extensible},
		{grammar.Answers().RootedAt("time"), "الساعة", grammar.Beginning},
		{grammar.Answers().RootedAt("time"), "الساعة الخامسة", grammar.Extensible},
		{grammar.Answers().RootedAt("time"), "الساعة الخامسة مساء", grammar.Complete},
		{grammar.Answers().RootedAt("date"), "بكرة", grammar.Complete},
		{grammar.Answers().RootedAt("time"), "بكرة", grammar.Foreign},
		{grammar.Answers().RootedAt("boolean"), "لا اريد", grammar.Complete}, // spelled otherwise
		{sizes, "بيتزا", grammar.Extensible},
		{sizes, "بيتزا كبيرة", grammar.Complete},
	} {
		p, err := c.rules.FollowAnswers(func(w string) string { return strings.NewReplacer("أ", "ا", "إ", "ا").Replace(w) })
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Measure(strings.Fields(c.words)); got != c.want {
			t.Errorf("%q: %d, want %d", c.words, got, c.want)
		}
	}
}

// TestProgressAgreesWithTheGrammar: each sentence of an automaton is complete or extensible, and its beginnings are
// beginnings at least.
func TestProgressAgreesWithTheGrammar(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"boolean", "time", "date", "number"} {
		p, err := grammar.Answers().RootedAt(rule).FollowAnswers(func(w string) string { return w })
		if err != nil {
			t.Fatal(err)
		}
		a, sentences := compileGrammar(t, grammar.Answers(), rule), 0
		for seed := range 200 {
			words := walkSentence(a, seed)
			if len(words) == 0 {
				continue
			}
			sentences++
			for n := 1; n < len(words); n++ {
				if p.Measure(words[:n]) == grammar.Foreign {
					t.Errorf("%s: %v is foreign", rule, words[:n])
				}
			}
			if got := p.Measure(words); got < grammar.Extensible {
				t.Errorf("%s: %v is %d", rule, words, got)
			}
		}
		if sentences < 50 {
			t.Errorf("%s: only %d sentences", rule, sentences)
		}
	}
}

// walkSentence returns a sentence of an automaton that depends on the seed; nil where it leads to $VOID.
func walkSentence(a grammar.WordAutomaton, seed int) []string {
	outgoing := map[int][]grammar.WordArc{}
	for _, arc := range a.Arcs {
		outgoing[arc.From] = append(outgoing[arc.From], arc)
	}
	var words []string
	at := 0
	for step := 0; at != a.Final; step++ {
		arcs := outgoing[at]
		if len(arcs) == 0 { // $VOID
			return nil
		}
		arc := arcs[(seed*31+step*17)%len(arcs)]
		if at = arc.To; arc.Word != "" {
			words = append(words, arc.Word)
		}
	}
	return words
}
