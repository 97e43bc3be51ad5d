package conversation_test

import (
	"slices"
	"strings"
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

// TestTurnEndsByItsWords checks how long the silence is that ends an answer: two of four digits are no answer yet, and
// the rest is awaited for longer than after any other words; all four end the turn at once. Patience scales it.
func TestTurnEndsByItsWords(t *testing.T) {
	e := openRecognizer(t)
	four, some := scenario.AnswerSlot{Type: scenario.Number, Digits: 4}, scenario.AnswerSlot{Type: scenario.Text}
	first, second := []string{"2", "7"}, []string{"4", "9"}
	all := append(first[:2:2], second...)
	for name, c := range map[string]struct {
		slot     scenario.AnswerSlot
		sound    []float32
		patience float64
		values   []any // a turn; nil: not understood
		silence  time.Duration
	}{
		"a pause between groups":   {four, sayDigits(t, 1200*time.Millisecond, first, second), 1, []any{2749.0}, 192 * time.Millisecond},
		"the rest comes too late":  {four, sayDigits(t, 2*time.Second, first, second), 1, []any{nil, nil}, 1500 * time.Millisecond},
		"… for the impatient":      {four, sayDigits(t, 1200*time.Millisecond, first, second), 0.5, []any{nil, nil}, 750 * time.Millisecond},
		"the patient await it":     {four, sayDigits(t, 2*time.Second, first, second), 2, []any{2749.0}, 384 * time.Millisecond},
		"nothing is missing":       {four, sayDigits(t, 0, all), 1, []any{2749.0}, 192 * time.Millisecond},
		"any words are the answer": {some, sayDigits(t, 0, first[:1]), 1, []any{"اثنان"}, 700 * time.Millisecond},
	} {
		s, err := e.OpenStream(engine.StreamOptions{})
		if err != nil {
			t.Fatal(err)
		}
		recognizerStream{s}.EndTurnsBy(conversation.SilenceRule(newPhraseBook(t), c.slot, c.patience, saturday))
		if err := s.SetExpected(nil, slot.AnswerGrammar(c.slot)); err != nil {
			t.Fatal(err)
		}
		events, err := s.Push(t.Context(), c.sound)
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		for _, h := range events {
			if h.Type != engine.Final {
				continue
			}
			said := reportValues([]engine.StreamEvent{h})[0]
			a, _ := slot.UnderstandAnswer(c.slot, slot.HeardAnswer{Text: h.Text, Confidence: h.Confidence, Readings: said.Readings}, saturday)
			got = append(got, a.Value)
			const window = 32 * time.Millisecond
			if waited := time.Duration((h.At - h.End) * float64(time.Second)).Round(time.Millisecond); len(got) == 1 && (waited < c.silence || waited > c.silence+window) {
				t.Errorf("%s: the turn ends after %v of silence, want %v", name, waited, c.silence)
			}
		}
		if !slices.Equal(got, c.values) {
			t.Errorf("%s: the turns mean %v, want %v", name, got, c.values)
		}
	}
}

// TestCompleteAnswersThatAreNotBelieved checks that a complete answer ends its turn whether it will be believed or asked
// for again; of digits that were heard unclearly one may be missing.
func TestCompleteAnswersThatAreNotBelieved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slot     scenario.AnswerSlot
		readings []slot.AnswerReading
		silence  time.Duration
	}{
		"believed":          {scenario.AnswerSlot{Type: scenario.YesNo}, []slot.AnswerReading{{Text: "نعم", Probability: 0.99}}, 192 * time.Millisecond},
		"not believed":      {scenario.AnswerSlot{Type: scenario.YesNo}, []slot.AnswerReading{{Text: "نعم", Probability: 0.3}, {Text: "لا", Probability: 0.2}}, 448 * time.Millisecond},
		"digits":            {scenario.AnswerSlot{Type: scenario.Number, Digits: 2}, []slot.AnswerReading{{Text: "اثنين سبعة", Probability: 0.1}}, 700 * time.Millisecond},
		"no answer, a word": {scenario.AnswerSlot{Type: scenario.YesNo}, []slot.AnswerReading{{Text: "قطار", Probability: 0.9}}, 700 * time.Millisecond},
	} {
		turn := conversation.PausedTurn{Start: 2, End: 2.5, Text: c.readings[0].Text, Confidence: 0.5, Readings: c.readings}
		if got := conversation.SilenceRule(newPhraseBook(t), c.slot, 1, saturday)(turn); got != c.silence {
			t.Errorf("%s: %v, want %v", name, got, c.silence)
		}
	}
}

// TestAnswersSideBySide checks that an answer ends its turn beside answers to other questions as by itself, and that
// one of them that is only begun is awaited.
func TestAnswersSideBySide(t *testing.T) {
	t.Parallel()
	choice := func(name string, phrases ...string) scenario.AnswerSlot {
		s := scenario.AnswerSlot{Name: name, Type: scenario.Choice}
		for _, p := range phrases {
			s.Choices = append(s.Choices, scenario.ChoiceOption{Value: p, Phrases: []string{p}})
		}
		return s
	}
	dish, size := choice("dish", "شاورما", "برجر"), choice("size", "صغير", "كبير")
	quantity, confirmed := scenario.AnswerSlot{Name: "n", Type: scenario.Number}, scenario.AnswerSlot{Name: "ok", Type: scenario.YesNo}
	day, hour := scenario.AnswerSlot{Name: "day", Type: scenario.Date}, scenario.AnswerSlot{Name: "hour", Type: scenario.Time}
	many := slices.Repeat([]scenario.AnswerSlot{quantity}, 30) // whose answers a dozen numbers may be in any order
	for _, c := range []struct {
		said    string
		asked   scenario.AnswerSlot
		also    []scenario.AnswerSlot
		silence time.Duration
	}{
		{"ثلاثة شاورما", dish, []scenario.AnswerSlot{quantity, size}, 320 * time.Millisecond},
		{"شاورما ثلاثة", dish, []scenario.AnswerSlot{quantity, size}, 320 * time.Millisecond},
		{"ثلاثة شاورما كبير", dish, []scenario.AnswerSlot{quantity, size}, 320 * time.Millisecond},
		{"شاورما كبير", dish, []scenario.AnswerSlot{quantity, size}, 320 * time.Millisecond},
		{"ثلاثة شاورما", dish, nil, 700 * time.Millisecond},
		{"ثلاثة كبير", dish, []scenario.AnswerSlot{quantity, size}, 700 * time.Millisecond},
		{"ثلاثة شاورما قطار", dish, []scenario.AnswerSlot{quantity, size}, 700 * time.Millisecond},
		{"لا يوم الأحد", confirmed, []scenario.AnswerSlot{day, hour}, 320 * time.Millisecond},
		{"لا يوم", confirmed, []scenario.AnswerSlot{day, hour}, 1500 * time.Millisecond},
		{"لا يوم الأحد الساعة", confirmed, []scenario.AnswerSlot{day, hour}, 1500 * time.Millisecond},
		{"يوم الأحد الساعة الخامسة", day, []scenario.AnswerSlot{hour}, 320 * time.Millisecond},
		{strings.Repeat("ثلاثة ", 11) + "قطار", dish, many, 700 * time.Millisecond},
		{"نعم", confirmed, []scenario.AnswerSlot{day, hour}, 192 * time.Millisecond},
	} {
		turn := conversation.PausedTurn{
			Start: 2, End: 3, Text: c.said, Confidence: 0.99, Readings: []slot.AnswerReading{{Text: c.said, Probability: 0.99}},
		}
		if got := conversation.SilenceRule(newPhraseBook(t), c.asked, 1, saturday, c.also...)(turn); got != c.silence {
			t.Errorf("%s: %v, want %v", c.said, got, c.silence)
		}
	}
}
