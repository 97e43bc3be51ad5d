package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"munadi/engine/grammar"
)

// acceptsWords reports whether an automaton accepts a sentence.
func acceptsWords(a grammar.WordAutomaton, sentence string) bool {
	at := epsilonClosure(a, map[int]bool{0: true})
	for _, w := range strings.Fields(sentence) {
		next := map[int]bool{}
		for _, arc := range a.Arcs {
			if at[arc.From] && arc.Word == w {
				next[arc.To] = true
			}
		}
		at = epsilonClosure(a, next)
	}
	return at[a.Final]
}

func epsilonClosure(a grammar.WordAutomaton, at map[int]bool) map[int]bool {
	for grew := true; grew; {
		grew = false
		for _, arc := range a.Arcs {
			if arc.Word == "" && at[arc.From] && !at[arc.To] {
				at[arc.To], grew = true, true
			}
		}
	}
	return at
}

func compileGrammar(t *testing.T, g *grammar.RuleGrammar, rule string) grammar.WordAutomaton {
	t.Helper()
	a, err := g.CompileRule(rule)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestForm(t *testing.T) {
	t.Parallel()
	g, err := grammar.ParseABNF("#ABNF 1.0 UTF-8;\nlanguage ar; // a comment\nroot $order;\n" +
		"public $order = [$please] ($small | \"حجم كبير\"){large} $count<1-2>; /* more */\n" +
		"$please = لو سمحت | $NULL; $small = /2/ صغير; $count = واحد | اثنان<2->; $never = $VOID;")
	if err != nil {
		t.Fatal(err)
	}
	a := compileGrammar(t, g, "")
	for sentence, want := range map[string]bool{
		"صغير واحد": true, "لو سمحت صغير واحد": true, "حجم كبير واحد واحد": true, "صغير اثنان اثنان اثنان اثنان": true,
		"صغير": false, "صغير اثنان": false, "صغير واحد واحد واحد": false, "حجم واحد": false, "لو صغير واحد": false, "": false,
	} {
		if got := acceptsWords(a, sentence); got != want {
			t.Errorf("%q: %t, want %t", sentence, got, want)
		}
	}
	if never := compileGrammar(t, g, "never"); len(never.Arcs) != 0 {
		t.Errorf("what is never said has arcs: %v", never.Arcs)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	doubling := ""
	for i := 1; i < 26; i++ {
		a, b := string(rune('a'+i-1)), string(rune('a'+i))
		doubling += "$c" + b + " = $c" + a + " $c" + a + ";"
	}
	for name, text := range map[string]string{
		"no root":          "$a = نعم;",
		"unknown rule":     "public $a = $b;",
		"itself":           "public $a = نعم [$a];",
		"garbage":          "public $a = $GARBAGE نعم;",
		"twice":            "public $a = نعم; $a = لا;",
		"reserved":         "public $NULL = نعم;",
		"open bracket":     "public $a = (نعم;",
		"open quote":       "public $a = \"نعم;",
		"open comment":     "public $a = نعم; /* ...",
		"repeat too often": "public $a = نعم<1-1000>;",
		"repeat backwards": "public $a = نعم<3-2>;",
		"no end":           "public $a = نعم",
		"no name":          "public $ = نعم;",
		"a brace":          "public $a = نعم };",
		"nested":           "public $a = " + strings.Repeat("(", 100) + "نعم" + strings.Repeat(")", 100) + ";",
		"too long":         "public $a = نعم;//" + strings.Repeat("x", 70_000),
		"doubling":         "$ca = نعم;" + doubling + "public $z = $cz;",
		"doubling nothing": "$ca = $VOID;" + doubling + "public $z = $cz;",
		"repeats":          "public $a = ((((نعم<40>)<40>)<40>)<40>)<40>;",
		"unknown builtin":  "builtin:grammar/currency",
		"wrong parameter":  "builtin:grammar/digits?size=4",
		"wrong length":     "builtin:grammar/digits?length=0",
		"wrong order":      "builtin:grammar/digits?minlength=5;maxlength=4",
		"stray parameter":  "builtin:grammar/boolean?length=4",
	} {
		if _, err := grammar.ReadAnswer(text); !errors.Is(err, grammar.ErrGrammar) {
			t.Errorf("%s: %v, want an ErrGrammar", name, err)
		}
	}
}

func TestBuiltins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, yes, no string
	}{
		{"builtin:grammar/boolean", "لا شكرا", "اثنان"},
		{"builtin:grammar/digits?length=4", "واحد صفر سبعة اثنان", "واحد صفر سبعة"},
		{"builtin:grammar/digits?minlength=2;maxlength=3", "واحد صفر", "واحد صفر سبعة اثنان"},
		{"builtin:grammar/digits", "واحد", "نعم"},
		{"builtin:grammar/number", "مئة وخمسة وعشرون ريال", "عشرون وخمسة مئة"},
		{"builtin:grammar/number", "ثلاثة آلاف وخمسمئة", "آلاف"},
		{"builtin:grammar/date", "يوم الخميس القادم", "الخميس يوم"},
		{"builtin:grammar/date", "خمسة وعشرين ديسمبر", "ديسمبر"},
		{"builtin:grammar/time", "الساعة الخامسة والنصف مساء", "الساعة والنصف"},
	} {
		g, err := grammar.ReadAnswer(c.text)
		if err != nil {
			t.Fatal(err)
		}
		a := compileGrammar(t, g, "")
		if !acceptsWords(a, c.yes) || acceptsWords(a, c.no) {
			t.Errorf("%s: %q %t, %q %t", c.text, c.yes, acceptsWords(a, c.yes), c.no, acceptsWords(a, c.no))
		}
	}
}

func TestOwnPhrases(t *testing.T) {
	t.Parallel()
	g := grammar.Answers().WithPhrases("own_no", []string{"تَغْيِيرُ الموعد", " "}).WithPhrases("option", nil)
	a := compileGrammar(t, g, "boolean")
	if !acceptsWords(a, "نعم تغيير الموعد") || !acceptsWords(a, "تغيير الموعد شكرا") || acceptsWords(a, "تغيير") {
		t.Error("the question's own phrases are not what was asked for")
	}
	if a := compileGrammar(t, g, "choice"); acceptsWords(a, "أختار") {
		t.Error("a choice without options is chosen")
	}
}

func TestIsGrammar(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		" #ABNF 1.0;": true, "\ufeff#ABNF 1.0;": true, "builtin:grammar/x": true, "برجر، بيتزا": false, "": false, "#abc": false,
	} {
		if grammar.IsGrammar(text) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"public $a = [نعم | لا]<0-3> $digits {x} /0.3/;", "#ABNF 1.0;root $a;$a=\"a b\"<1->;", "builtin:grammar/digits?length=4", "$a=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := grammar.ReadAnswer(text)
		if err != nil {
			return
		}
		if _, err := g.CompileRule(""); err != nil {
			t.Errorf("what was read does not compile: %v", err)
		}
	})
}
