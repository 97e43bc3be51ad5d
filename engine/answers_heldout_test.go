package engine

import (
	"testing"

	"munadi/engine/arabic"
	"munadi/engine/heldout"
)

// TestLoneAnswersOfHeldOutPeople counts the single words نعم and لا of held-out speakers that the unconstrained search
// transcribes exactly, clean and over a telephone. MUNADI_SPEECH is the folder of the recordings.
func TestLoneAnswersOfHeldOutPeople(t *testing.T) {
	takes := heldout.WordTakes(t, heldout.OpenRecordings(t), "yes", "no")
	e := openTest(t)
	for _, line := range heldout.Lines {
		right, total := map[string]int{}, map[string]int{}
		for i, take := range takes {
			res, err := e.Transcribe(t.Context(), &memoryClip{samples: line.Change(take.Samples, uint64(i))}, TranscribeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			total[take.Word]++
			if arabic.FoldSpelling(res.Text) == arabic.FoldSpelling(take.Word) {
				right[take.Word]++
			}
		}
		for word, n := range total {
			t.Logf("%s: %d of %d %s", line.Name, right[word], n, word)
			if 10*right[word] < 8*n {
				t.Errorf("%s: fewer than 80 %% of %s are transcribed as such", line.Name, word)
			}
		}
	}
}
