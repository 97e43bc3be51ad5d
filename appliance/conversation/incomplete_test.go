package conversation_test

import (
	"slices"
	"testing"
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/scenario"
)

// sayDigits returns the bundled voice saying digits in groups with a pause between them; 16 kHz, with a second of
// silence before and after.
func sayDigits(t *testing.T, pause time.Duration, groups ...[]string) []float32 {
	t.Helper()
	voice := clipVoices(t)
	sound := make([]float32, audio.Rate)
	for i, group := range groups {
		if i > 0 {
			sound = append(sound, make([]float32, int(pause.Seconds()*audio.Rate))...)
		}
		for _, digit := range group {
			clip, ok := voice.Clip("number." + digit)
			if !ok {
				t.Fatal("no clip of digit", digit)
			}
			for _, v := range voice.Wide(clip) {
				sound = append(sound, float32(v)/32768)
			}
		}
	}
	return append(sound, make([]float32, 3*audio.Rate)...)
}

// TestIncompleteAnswerIsAwaited checks that two of four digits are no answer yet, and that the rest is awaited for
// longer than the usual end of an answer; if it does not come in time, the turn ends.
func TestIncompleteAnswerIsAwaited(t *testing.T) {
	e := openRecognizer(t)
	four := scenario.AnswerSlot{Type: scenario.Number, Digits: 4}
	first, second := []string{"2", "7"}, []string{"4", "9"}
	for name, c := range map[string]struct {
		sound  []float32
		wait   time.Duration
		values []any // a turn; nil: not understood
	}{
		"a pause between groups":  {sayDigits(t, 1100*time.Millisecond, first, second), conversation.IncompleteSilence, []any{2749.0}},
		"none is awaited":         {sayDigits(t, 1100*time.Millisecond, first, second), 0, []any{nil, nil}},
		"the rest comes too late": {sayDigits(t, 2*time.Second, first, second), conversation.IncompleteSilence, []any{nil, nil}},
		"nothing is missing":      {sayDigits(t, 0, append(first, second...)), conversation.IncompleteSilence, []any{2749.0}},
	} {
		s, err := e.OpenStream(engine.StreamOptions{IncompleteSilence: c.wait})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetExpected(nil, slot.AnswerGrammar(four)); err != nil {
			t.Fatal(err)
		}
		events, err := s.Push(t.Context(), c.sound)
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		for _, h := range reportValues(events) {
			if h.Kind == conversation.Final {
				said := slot.HeardAnswer{Text: h.Text, Confidence: h.Confidence, Readings: h.Readings}
				a, _ := slot.UnderstandAnswer(four, said, saturday)
				got = append(got, a.Value)
			}
		}
		if !slices.Equal(got, c.values) {
			t.Errorf("%s: the turns mean %v, want %v", name, got, c.values)
		}
	}
}
