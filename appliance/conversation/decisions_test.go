package conversation_test

import (
	"testing"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/engine"
	"munadi/engine/heldout"
	"munadi/store/scenario"
)

// decisionTally counts how answers were judged.
type decisionTally struct{ accepted, wrong, doubtful, unclear, total int }

// decideAnswer answers a question with audio over a live stream.
func (w simulatedWorld) decideAnswer(t *testing.T, s scenario.AnswerSlot, sound []float32) (slot.SlotAnswer, bool) {
	t.Helper()
	live, err := w.engine.OpenStream(engine.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	recognizerStream{live}.EndTurnsBy(conversation.SilenceRule(newPhraseBook(t), s, 1, saturday))
	if err := live.SetExpected(nil, slot.AnswerGrammar(s)); err != nil {
		t.Fatal(err)
	}
	silence := make([]float32, heldout.Rate)
	events, err := live.Push(t.Context(), append(append(append([]float32{}, silence...), sound...), silence...))
	if err != nil {
		t.Fatal(err)
	}
	last, err := live.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range reportValues(append(events, last...)) {
		said := slot.HeardAnswer{Text: h.Text, Confidence: h.Confidence, Readings: h.Readings}
		if a, ok := slot.UnderstandAnswer(s, said, saturday); ok {
			return a, true
		}
	}
	return slot.SlotAnswer{}, false
}

func (c *decisionTally) countDecision(a slot.SlotAnswer, ok bool, want any) {
	c.total++
	switch {
	case !ok:
		c.unclear++
	case a.Doubtful:
		c.doubtful++
	case a.Value == want:
		c.accepted++
	default:
		c.wrong++
	}
}

// TestDecisionsAboutHeldOutPeople counts how answers by held-out speakers are judged, clean and over a telephone:
// accepted, doubted (asked again or read back), not understood, or accepted and wrong. MUNADI_SPEECH names the folder
// of the recordings.
func TestDecisionsAboutHeldOutPeople(t *testing.T) {
	folder := heldout.OpenRecordings(t)
	w := simulatedWorld{engine: openRecognizer(t)}
	words, digits := heldout.WordTakes(t, folder, "yes", "no", "two", "seven", "stop", "right"), heldout.DigitClips(t, folder)
	values := map[string]any{"نعم": true, "لا": false}
	yesNo, four := scenario.AnswerSlot{Type: scenario.YesNo}, scenario.AnswerSlot{Type: scenario.Number, Digits: 4}
	for _, line := range heldout.Lines {
		tallies := map[string]*decisionTally{"yes or no": {}, "other words to yes or no": {}, "four digits": {}}
		for i, take := range words {
			a, ok := w.decideAnswer(t, yesNo, line.Change(take.Samples, uint64(i)))
			if want, answers := values[take.Word]; answers {
				tallies["yes or no"].countDecision(a, ok, want)
			} else {
				tallies["other words to yes or no"].countDecision(a, ok, nil)
			}
		}
		for i, take := range heldout.DigitStrings(digits, 4, 60) {
			a, ok := w.decideAnswer(t, four, line.Change(take.Samples, uint64(i)))
			want, _ := slot.UnderstandAnswer(four, slot.HeardAnswer{Text: take.Word, Confidence: 1}, saturday)
			tallies["four digits"].countDecision(a, ok, want.Value)
		}
		for kind, c := range tallies {
			t.Logf("%s, %s: %+v", line.Name, kind, *c)
			if c.wrong > c.total/5 {
				t.Errorf("%s, %s: more than a fifth of the answers are believed and wrong", line.Name, kind)
			}
		}
	}
}
