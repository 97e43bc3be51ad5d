package slot_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/conversation/slot"
	"munadi/engine/grammar"
	"munadi/store/scenario"
)

// beyondMonth are days that not every month has: a grammar does not check the calendar.
var beyondMonth = regexp.MustCompile("فبراير|شباط|فيفري|واحد وثلاث")

// walkAutomaton draws a sentence of an automaton; false if it reached a dead end.
func walkAutomaton(r *rand.Rand, a grammar.WordAutomaton, from map[int][]grammar.WordArc) (string, bool) {
	var words []string
	for at, steps := 0, 0; steps < 200; steps++ {
		if at == a.Final {
			return strings.Join(words, " "), true
		}
		arcs := from[at]
		if len(arcs) == 0 {
			return "", false
		}
		arc := arcs[r.IntN(len(arcs))]
		if arc.Word != "" {
			words = append(words, arc.Word)
		}
		at = arc.To
	}
	return "", false
}

// TestEverySentenceOfAGrammarIsUnderstood checks that each sentence that the recognizer is told to expect is an answer
// to the question, and that a yes is a yes.
func TestEverySentenceOfAGrammarIsUnderstood(t *testing.T) {
	t.Parallel()
	four := scenario.AnswerSlot{Type: scenario.Number, Digits: 4}
	coming := scenario.AnswerSlot{Type: scenario.YesNo, Yes: []string{"الموعد مناسب"}, No: []string{"تغيير الموعد"}}
	for name, c := range map[string]struct {
		slot scenario.AnswerSlot
		rule string // of the builtin grammar; empty: the slot's root
		want any
	}{
		"yes":    {coming, "affirmative", true},
		"no":     {coming, "negative", false},
		"number": {scenario.AnswerSlot{Type: scenario.Number}, "", nil},
		"digits": {four, "", nil},
		"date":   {day, "", nil},
		"time":   {hour, "", nil},
		"choice": {size, "", nil},
	} {
		a, err := slot.AnswerGrammar(c.slot).CompileRule(c.rule)
		if err != nil {
			t.Fatal(name, err)
		}
		from := map[int][]grammar.WordArc{}
		for _, arc := range a.Arcs {
			from[arc.From] = append(from[arc.From], arc)
		}
		r := rand.New(rand.NewPCG(1, 1))
		wrong := map[string]any{}
		for range 3000 {
			sentence, ok := walkAutomaton(r, a, from)
			if !ok {
				continue
			}
			got, ok := slot.UnderstandAnswer(c.slot, slot.HeardAnswer{Text: sentence, Confidence: 1}, saturday)
			if c.slot.Type == scenario.Date && beyondMonth.MatchString(sentence) {
				continue
			}
			if !ok || c.want != nil && got.Value != c.want {
				wrong[sentence] = got.Value
			}
		}
		if len(wrong) > 0 {
			some := make([]string, 0, len(wrong))
			for s := range wrong {
				some = append(some, s)
			}
			slices.Sort(some)
			t.Errorf("%s: %d sentences, such as %q", name, len(wrong), some[:min(len(some), 12)])
		}
	}
}

func TestGrammarOfTexts(t *testing.T) {
	t.Parallel()
	if slot.AnswerGrammar(parseFreeText) != nil {
		t.Error("a text has a grammar")
	}
}

// TestReadingsWithEqualMeaningAreSummed checks that the probabilities of readings with the same meaning are summed, and
// that the sum decides.
func TestReadingsWithEqualMeaningAreSummed(t *testing.T) {
	t.Parallel()
	type reading = slot.AnswerReading
	four := scenario.AnswerSlot{Type: scenario.Number, Digits: 4}
	for name, c := range map[string]struct {
		slot     scenario.AnswerSlot
		readings []reading
		want     any
		doubtful bool
	}{
		"sure":       {attend, []reading{{"نعم", 0.7}, {"أيوه", 0.2}, {"لا", 0.1}}, true, false},
		"doubtful":   {attend, []reading{{"لا", 0.6}, {"نعم", 0.4}}, false, true},
		"undecided":  {attend, []reading{{"لا", 0.4}, {"نعم", 0.3}, {"تسعة", 0.3}}, none, false},
		"other":      {attend, []reading{{"الجو جميل", 0.8}, {"نعم", 0.2}}, none, false},
		"own phrase": {attend, []reading{{"تغيير الموعد", 0.9}, {"نعم", 0.1}}, false, false},
		"digits":     {four, []reading{{"واحد اثنان ثلاثة أربعة", 0.6}, {"واحد اثنين ثلاثة أربعة", 0.3}}, 1234.0, false},
		"too few":    {four, []reading{{"واحد اثنان", 0.5}, {"سبعة", 0.4}}, none, false},
		"unclear":    {size, []reading{{"كبير", 0.5}, {"صغير", 0.4}}, "large", true},
		"hour":       {hour, []reading{{"الساعة الخامسة", 0.9}}, "17:00", true},
		"silence":    {attend, []reading{{"", 0.9}, {"نعم", 0.1}}, none, false},
	} {
		a, ok := slot.UnderstandAnswer(c.slot, slot.HeardAnswer{Text: c.readings[0].Text, Confidence: 1, Readings: c.readings}, saturday)
		got := a.Value
		if !ok {
			got, a.Doubtful = none, false
		}
		if got != c.want || a.Doubtful != c.doubtful {
			t.Errorf("%s: %v, doubtful %t; want %v, %t", name, got, a.Doubtful, c.want, c.doubtful)
		}
	}
}
