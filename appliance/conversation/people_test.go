package conversation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/conversation"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/heldout"
)

// clipsOf is the bundled voice with some clips replaced by a person's recordings.
func clipsOf(t *testing.T, recorded map[string][]float32) *voicepack.VoicePack {
	t.Helper()
	sound := prompts.VoiceBytes()
	var index strings.Builder
	for line := range strings.Lines(prompts.IndexText()) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		name := strings.TrimSuffix(strings.TrimSuffix(fields[0], ".high"), ".low")
		if samples, ok := recorded[name]; ok {
			clip := muLaw(samples)
			line = fmt.Sprintf("%s\t%d\t%d\t%s\t%s\n", fields[0], len(sound), len(clip), fields[3], fields[4])
			sound += clip
		}
		index.WriteString(line)
	}
	b, err := voicepack.OpenPack(index.String(), sound, "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func muLaw(samples []float32) string {
	var out []byte
	for _, v := range eightKilohertz(samples) {
		out = append(out, audio.EncodeMuLaw(v))
	}
	return string(out)
}

func eightKilohertz(samples []float32) []int16 {
	r := audio.NewResampler(heldout.Rate, carrier.Rate)
	var out []int16
	for _, v := range r.Flush(r.Push(nil, samples)) {
		out = append(out, int16(max(-1, min(1, v))*32767))
	}
	return out
}

// answersOf returns the clips by which simulated callees say yes and no.
var answersOf = map[string][]string{
	"نعم": {"callee.yes_confirm", "callee.yes", "callee.ok", "callee.sure", "callee.aywa", "callee.yes_speaking"},
	"لا":  {"callee.cannot_come", "callee.no", "callee.no_thanks"},
}

const (
	cooperates = "+966500000100"
	refuses    = "+966500000101"

	attends  = `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","slot":{"name":"ok","type":"yes_no"}}]`
	howMany  = `"steps":[{"id":"q","type":"ask","say":"كم وجبة تريد","slot":{"name":"ok","type":"number"}}]`
	whichWay = `"steps":[{"id":"q","type":"ask","say":"كم وجبة تريد","slot":{"name":"ok","type":"choice","choices":[` +
		`{"value":"right","phrases":["يمين"]},{"value":"left","phrases":["يسار"]},{"value":"up","phrases":["أعلى"]}]}}]`
)

// reportTally counts the reports of calls.
type reportTally struct{ right, wrong, unknown int }

func (c *reportTally) countReport(got, want any) {
	switch got {
	case want:
		c.right++
	case nil:
		c.unknown++
	default:
		c.wrong++
	}
}

// chosen maps the classes of the recordings to the options that they choose.
var chosen = map[string]string{"يمين": "right", "يسار": "left", "أعلى": "up"}

// amounts are the numbers that simulated callees may say.
var amounts = map[string]float64{"واحد": 1, "اثنان": 2, "ثلاثة": 3, "أربعة": 4, "خمسة": 5}

// TestHeldOutPeopleInTheSimulator counts the reports of simulated calls in which callees have the voices of held-out
// speakers, over a line with noise and coding. MUNADI_SPEECH names the folder of the recordings; it takes minutes.
func TestHeldOutPeopleInTheSimulator(t *testing.T) {
	folder := heldout.OpenRecordings(t)
	w := simulatedWorld{speaker: bundledVoice(t), engine: openRecognizer(t)}
	counts := map[string]*reportTally{"yes": {}, "no": {}, "number": {}, "choice": {}}
	all := heldout.WordTakes(t, folder, "yes", "no", "one", "two", "three", "four", "five", "right", "left", "up")
	for _, take := range all {
		if !strings.HasSuffix(take.Who, "/4") && !strings.HasSuffix(take.Who, "/8") {
			continue
		}
		switch n, isNumber := amounts[take.Word]; {
		case take.Word == "نعم":
			counts["yes"].countReport(w.answerQuestion(t, cooperates, attends, recordedAs(take, answersOf[take.Word]...), nil), true)
		case take.Word == "لا":
			counts["no"].countReport(w.answerQuestion(t, refuses, attends, recordedAs(take, answersOf[take.Word]...), nil), false)
		case isNumber:
			clips := recordedAs(take, "number.1", "number.2", "number.3", "number.4", "number.5")
			counts["number"].countReport(w.answerQuestion(t, cooperates, howMany, clips, nil), n)
		case take.Word == "يمين":
			want := ""
			speak := func(_ context.Context, option string) ([]int16, error) {
				want = chosen[option]
				return eightKilohertz(sameSpeaker(all, take, option)), nil
			}
			got := w.answerQuestion(t, cooperates, whichWay, nil, speak)
			counts["choice"].countReport(got, want)
		}
	}
	for kind, c := range counts {
		n := c.right + c.wrong + c.unknown
		t.Logf("%s: %d right, %d wrong, %d not known of %d", kind, c.right, c.wrong, c.unknown, n)
		if c.wrong > n/4 {
			t.Errorf("%s: more than a quarter of the calls report what was not said", kind)
		}
	}
}

// recordedAs replaces clips by a take.
func recordedAs(take heldout.Take, names ...string) map[string][]float32 {
	out := map[string][]float32{}
	for _, name := range names {
		out[name] = take.Samples
	}
	return out
}

// sameSpeaker returns another word by the speaker of a take, of the same number.
func sameSpeaker(all []heldout.Take, like heldout.Take, word string) []float32 {
	who, _, _ := strings.Cut(like.Who, "/")
	number := like.Who[strings.LastIndex(like.Who, "/"):]
	for _, t := range all {
		if t.Word == word && strings.HasPrefix(t.Who, who+"/") && strings.HasSuffix(t.Who, number) {
			return t.Samples
		}
	}
	return nil
}

// answerQuestion makes a call of one question and returns its report.
func (w simulatedWorld) answerQuestion(
	t *testing.T, number, form string, recorded map[string][]float32, speak func(context.Context, string) ([]int16, error),
) any {
	t.Helper()
	network, err := simulator.NewSimulator(simulator.SimulatorOptions{
		Bundle: clipsOf(t, recorded), TimeScale: 10_000, Speak: speak,
		People: map[string]simulator.Person{cooperates: simulator.Cooperative, refuses: simulator.Cancels},
	})
	if err != nil {
		t.Fatal(err)
	}
	line, err := network.Dial(t.Context(), carrier.DialRequest{CallID: "call", Number: number, Attempt: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.engine.OpenStream(engine.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := conversation.RunConversation(t.Context(), conversation.Dependencies{
		Line: line, Hear: recognizerStream{s}, Speak: w.speaker, Book: newPhraseBook(t), Now: func() time.Time { return saturday },
	}, conversation.ConversationInput{Scenario: readScenario(t, form)})
	if err != nil {
		t.Fatal(err)
	}
	return readReport(t, o)["ok"]
}
