package conversation_test

import (
	"math/rand/v2"
	"slices"
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
// telephone. All numbers go over each line; of every fourth sentence the lines take turns. MUNADI_SPEECH names the folder
// of the recordings.
func TestCutIns(t *testing.T) {
	folder := heldout.OpenRecordings(t)
	e := openRecognizer(t)
	sentences := heldout.ReadSentences(t, folder, 4)
	pauses := heldout.FindPauses(sentences)
	ten, text := scenario.AnswerSlot{Type: scenario.Number, Digits: 10}, scenario.AnswerSlot{Type: scenario.Text}
	chance := rand.New(rand.NewPCG(1, 2))
	numbers := heldout.NumberReadings(heldout.DigitClips(t, folder), pauses, []int{3, 3, 4}, 60, chance)
	for n, line := range heldout.Lines {
		own := slices.Clone(sentences)[:0]
		for i, take := range sentences {
			if i%len(heldout.Lines) == n {
				own = append(own, take)
			}
		}
		for kind, of := range map[string]struct {
			slot  scenario.AnswerSlot
			takes []heldout.Take
		}{"ten digits": {ten, numbers}, "sentences": {text, own}} {
			t.Run(line.Name+", "+kind, func(t *testing.T) {
				t.Parallel()
				var c cutInTally
				for i, take := range of.takes {
					c.countCutIns(t, e, of.slot, line.Change(take.Samples, uint64(i)))
				}
				t.Logf("%d of %d turns are cut in on", c.cutIns, c.turns)
				if 50*c.cutIns > c.turns {
					t.Error("more than 2 % of the turns")
				}
			})
		}
	}
}
