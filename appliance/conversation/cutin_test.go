package conversation_test

import (
	"math/rand/v2"
	"testing"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/engine"
	"munadi/engine/heldout"
	"munadi/store/scenario"
)

// cutInTally counts ended turns, and those after which the person went on within a second.
type cutInTally struct{ turns, cutIns int }

// countCutIns listens to an answer and counts its turns.
func (c *cutInTally) countCutIns(t *testing.T, e *engine.Engine, s scenario.AnswerSlot, sound []float32) {
	t.Helper()
	live, err := e.OpenStream(engine.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	recognizerStream{live}.EndTurnsBy(conversation.SilenceRule(newPhraseBook(t), s, 1, saturday))
	if err := live.SetExpected(nil, slot.AnswerGrammar(s)); err != nil {
		t.Fatal(err)
	}
	silence := make([]float32, 2*heldout.Rate)
	events, err := live.Push(t.Context(), append(append(append([]float32{}, silence...), sound...), silence...))
	if err != nil {
		t.Fatal(err)
	}
	ended, last := -10.0, engine.StreamEvent{}
	for _, h := range events {
		switch h.Type {
		case engine.Final:
			c.turns++
			ended, last = h.At, h
		case engine.SpeechStarted:
			if h.Start-ended <= 1 {
				c.cutIns++
				t.Logf("a turn ends at %.2f s after %.2f s of silence, and goes on at %.2f s of %.2f s: %s", last.At, last.At-last.End, h.Start, 2+float64(len(sound))/heldout.Rate, last.Text)
			}
		}
	}
}

// TestCutIns counts how often the platform takes a pause within an answer for its end: ten digits in groups by people of
// held-out recordings, joined by pauses of a man who reads sentences, and his sentences as they are, clean and over a
// telephone. MUNADI_SPEECH names the folder of the recordings.
func TestCutIns(t *testing.T) {
	folder := heldout.OpenRecordings(t)
	e := openRecognizer(t)
	sentences := heldout.ReadSentences(t, folder, 8)
	pauses := heldout.FindPauses(sentences)
	ten, text := scenario.AnswerSlot{Type: scenario.Number, Digits: 10}, scenario.AnswerSlot{Type: scenario.Text}
	chance := rand.New(rand.NewPCG(1, 2))
	numbers := heldout.NumberReadings(heldout.DigitClips(t, folder), pauses, []int{3, 3, 4}, 60, chance)
	for _, line := range heldout.Lines {
		digits, free := cutInTally{}, cutInTally{}
		for i, take := range numbers {
			digits.countCutIns(t, e, ten, line.Change(take.Samples, uint64(i)))
		}
		for i, take := range sentences {
			free.countCutIns(t, e, text, line.Change(take.Samples, uint64(i)))
		}
		for kind, c := range map[string]cutInTally{"ten digits": digits, "sentences": free} {
			t.Logf("%s, %s: %d of %d turns are cut in on", line.Name, kind, c.cutIns, c.turns)
			if 50*c.cutIns > c.turns {
				t.Errorf("%s, %s: more than 2 %% of the turns", line.Name, kind)
			}
		}
	}
}
