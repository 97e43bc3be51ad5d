package conversation_test

import (
	"slices"
	"strings"
	"testing"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/grammar"
	"munadi/engine/heldout"
	"munadi/store/scenario"
)

// maskedTally counts spoken telephone numbers: all of them, those of which the text has no digit left, and those of
// which every turn is silent in a recording.
type maskedTally struct{ total, text, sound int }

func (c *maskedTally) countMasked(turns []string) {
	c.total++
	leftText, leftSound := false, false
	for i, turn := range turns {
		got := textform.Options{Redact: true}.FormatTextWithin(strings.Join(turns[:i], " "), turn, strings.Join(turns[i+1:], " "))
		leftText = leftText || slices.ContainsFunc(strings.Fields(got), func(word string) bool {
			return arabic.EndsInNumber([]string{word})
		})
		leftSound = leftSound || !textform.IsRedacted(got)
	}
	if !leftText {
		c.text++
	}
	if !leftSound {
		c.sound++
	}
}

// TestRedactionOfHeldOutPeople counts telephone numbers of ten digits, joined of digits by people whom the model was not
// trained with, that are redacted: said in free speech and as the answer to a question for a number, clean and over a
// telephone. MUNADI_SPEECH names the folder of the recordings.
func TestRedactionOfHeldOutPeople(t *testing.T) {
	folder := heldout.OpenRecordings(t)
	e := openRecognizer(t)
	numbers := heldout.DigitStrings(heldout.DigitClips(t, folder), 10, 60)
	for kind, s := range map[string]scenario.AnswerSlot{
		"free speech": {Type: scenario.Text}, "a number is asked": {Type: scenario.Number, Digits: 10},
	} {
		var answers *grammar.RuleGrammar
		if s.Type == scenario.Number {
			answers = slot.AnswerGrammar(s)
		}
		for _, line := range heldout.Lines {
			var c maskedTally
			for i, take := range numbers {
				c.countMasked(turnsOf(t, e, s, answers, line.Change(take.Samples, uint64(i))))
			}
			t.Logf("%s, %s: of %d numbers the text has none of %d, the recording of %d", kind, line.Name, c.total, c.text, c.sound)
			if min(c.sound, c.text) < c.total*99/100 {
				t.Errorf("%s, %s: %+v", kind, line.Name, c)
			}
		}
	}
}

// turnsOf returns the texts of the turns in a sound, as a call that asks s hears it.
func turnsOf(t *testing.T, e *engine.Engine, s scenario.AnswerSlot, answers *grammar.RuleGrammar, sound []float32) (texts []string) {
	t.Helper()
	live, err := e.OpenStream(engine.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	recognizerStream{live}.EndTurnsBy(conversation.SilenceRule(newPhraseBook(t), s, 1, saturday))
	if err := live.SetExpected(nil, answers); err != nil {
		t.Fatal(err)
	}
	silence := make([]float32, 2*heldout.Rate)
	events, err := live.Push(t.Context(), slices.Concat(silence, sound, silence))
	if err != nil {
		t.Fatal(err)
	}
	last, err := live.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append(events, last...) {
		if h.Type == engine.Final && h.Text != "" {
			texts = append(texts, h.Text)
		}
	}
	return texts
}
