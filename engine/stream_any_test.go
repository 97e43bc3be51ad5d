package engine

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/engine/grammar"
)

// TestStreamInAnyOrder: for any sequence of calls, turns begin and end in pairs and in order.
func TestStreamInAnyOrder(t *testing.T) {
	e, clips := openTest(t), shortClips(t)
	rapid.Check(t, func(t *rapid.T) {
		s, err := e.OpenStream(anyWishes(t))
		if err != nil {
			t.Fatal(err)
		}
		open, last := false, 0.0
		check := func(events []StreamEvent, err error) {
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range events {
				if starts := ev.Type == SpeechStarted; starts == open {
					t.Fatalf("%s while a turn is open: %v", ev.Type, open)
				}
				open = ev.Type != Final
				if ev.At < last || ev.End < ev.Start || ev.Start < 0 || math.IsNaN(ev.Confidence) || ev.Confidence > 1 {
					t.Fatalf("after %v: %+v", last, ev)
				}
				last = ev.At
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				sound := clips[rapid.SampledFrom([]string{"a sentence", "silence", "noise", "square", "a word", "one sample"}).Draw(t, "clip")]
				from := rapid.IntRange(0, len(sound)-1).Draw(t, "from")
				n := rapid.IntRange(1, len(sound)-from).Draw(t, "samples")
				check(s.Push(t.Context(), sound[from:from+n]))
			},
			"flush": func(t *rapid.T) { check(s.Flush(t.Context())) },
			"discard": func(*rapid.T) {
				s.DiscardTurn()
				open = false
			},
			"tune": func(t *rapid.T) { check(nil, s.SetOptions(anyWishes(t))) },
			"expect": func(t *rapid.T) {
				g := grammar.DigitGrammar(4, 4)
				if rapid.Bool().Draw(t, "anything") {
					g = nil
				}
				check(nil, s.SetExpected(nil, g))
			},
			"show": func(t *rapid.T) {
				s.SetPartialInterval(time.Duration(rapid.IntRange(0, 500).Draw(t, "ms")) * time.Millisecond)
			},
			"": func(t *rapid.T) {
				if open != s.turns.open {
					t.Fatalf("speaking: %v, by the events: %v", s.turns.open, open)
				}
			},
		})
	})
}

func anyWishes(t *rapid.T) StreamOptions {
	return StreamOptions{
		Phrases:           SplitPhrases(anyContext(t)),
		EndSilence:        time.Duration(rapid.SampledFrom([]int{0, 1, 32, 400, 10000}).Draw(t, "silence")) * time.Millisecond,
		IncompleteSilence: time.Duration(rapid.SampledFrom([]int{0, 1, 2000}).Draw(t, "incomplete")) * time.Millisecond,
		Partial:           time.Duration(rapid.SampledFrom([]int{0, 1, 128, 2000}).Draw(t, "partial")) * time.Millisecond,
		Threshold:         anyOf(t, "threshold", 0, 0.5, 1),
		Endpoint:          anyRule(t),
	}
}

// anyRule returns a rule that waits for the same silence after any words, or none.
func anyRule(t *rapid.T) EndpointRule {
	silence := time.Duration(rapid.SampledFrom([]int{-1, 0, 1, 300, 5000}).Draw(t, "rule")) * time.Millisecond
	if silence < 0 {
		return nil
	}
	return func(PausedTurn) time.Duration { return silence }
}

// TestTurnsForgetWhatIsNeverCertain: audio between the two thresholds is not buffered forever.
func TestTurnsForgetWhatIsNeverCertain(t *testing.T) {
	t.Parallel()
	var tt turnDetector
	tt.setThreshold(0.5, 0)
	tt.pushProbability(0.6)
	for range 10 * maxUncertain {
		if tt.pushProbability(0.4) != nothing {
			t.Fatal("a turn began")
		}
		if tt.maybe && tt.heard-tt.start > maxUncertain {
			t.Fatalf("%d windows are kept", tt.heard-tt.start)
		}
	}
	for range turnSpeech - 1 {
		tt.pushProbability(0.9)
	}
	if tt.pushProbability(0.9) != begun {
		t.Error("the speech that follows is not detected")
	}
}

// TestTurnIsExtended: a turn that ended can be extended to a longer hangover; speech continues the same turn, whose
// next hangover is the usual one.
func TestTurnIsExtended(t *testing.T) {
	t.Parallel()
	var tt turnDetector
	tt.setThreshold(0.5, 10*32*time.Millisecond)
	push := func(p float64, windows int, want turnChange) {
		t.Helper()
		for i := range windows {
			got := tt.pushProbability(p)
			if got == likely { // not a turn yet
				got = nothing
			}
			if last := i == windows-1; last && got != want || !last && got != nothing {
				t.Fatalf("window %d of %d with probability %g: %d, want %d at the last", i+1, windows, p, got, want)
			}
		}
	}
	push(0.9, turnSpeech, begun)
	push(0, 10, ended)
	if tt.extendTurn(10) || tt.open {
		t.Error("extended to the silence that there was")
	}
	if !tt.extendTurn(20) {
		t.Fatal("not extended")
	}
	push(0, 5, nothing)
	push(0.9, 3, nothing) // the same turn
	if tt.start != 0 {
		t.Errorf("the turn starts at window %d, want 0", tt.start)
	}
	push(0, 10, ended)
	if !tt.extendTurn(20) {
		t.Fatal("not extended again")
	}
	push(0, 10, ended)
	if tt.extendTurn(20) {
		t.Error("one silence extended the turn twice")
	}
}
