package conversation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/slot"
	"munadi/appliance/tts"
	"munadi/appliance/tts/voicepack"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/grammar"
	"munadi/engine/ort"
	"munadi/store/call"
)

// openRecognizer opens the embedded model, or the one in the folder that MUNADI_MODEL names.
func openRecognizer(t *testing.T) *engine.Engine {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	if len(zst) == 0 {
		t.Skip("no ONNX Runtime lies in assets/ort: make fetches it")
	}
	config := engine.Config{
		Library:  ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: t.TempDir(), VAD: assetsvad.ModelBytes(),
	}
	open := func() (*engine.Engine, error) { return engine.Open(assetsmodel.BundleFS(), config) }
	if folder := os.Getenv("MUNADI_MODEL"); folder != "" {
		open = func() (*engine.Engine, error) { return engine.OpenDir(folder, config) }
	}
	e, err := open()
	if err != nil {
		t.Skipf("no model opens: %v", err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// recognizerStream is the recognizer's stream as the dialogue uses it.
type recognizerStream struct{ *engine.LiveStream }

func (s recognizerStream) Push(ctx context.Context, samples []float32) ([]conversation.RecognizerReport, error) {
	events, err := s.LiveStream.Push(ctx, samples)
	return reportValues(events), err
}

func (s recognizerStream) Flush(ctx context.Context) ([]conversation.RecognizerReport, error) {
	events, err := s.LiveStream.Flush(ctx)
	return reportValues(events), err
}

func (s recognizerStream) ExpectPhrases(phrases []string, answers *grammar.RuleGrammar) error {
	return s.SetExpected(phrases, answers)
}

func (s recognizerStream) EndTurnsBy(silenceAfter func(conversation.PausedTurn) time.Duration) {
	s.SetEndpointRule(func(t engine.PausedTurn) time.Duration {
		return silenceAfter(conversation.PausedTurn{
			Start: t.Start, End: t.End, Text: t.Text, Confidence: t.Confidence, Readings: readingValues(t.Readings),
		})
	})
}

func readingValues(all []engine.GrammarReading) []slot.AnswerReading {
	var out []slot.AnswerReading
	for _, r := range all {
		out = append(out, slot.AnswerReading{Text: r.Text, Probability: r.Probability})
	}
	return out
}

func reportValues(events []engine.StreamEvent) []conversation.RecognizerReport {
	kinds := map[engine.StreamEventType]conversation.HeardKind{
		engine.SpeechLikely: conversation.Likely, engine.SpeechStarted: conversation.Started, engine.SpeechContinues: conversation.Continues, engine.Final: conversation.Final,
	}
	var all []conversation.RecognizerReport
	for _, e := range events {
		if kind, ok := kinds[e.Type]; ok {
			h := conversation.RecognizerReport{Kind: kind, Start: e.Start, End: e.End, Text: e.Text, Confidence: e.Confidence}
			for _, r := range e.Readings {
				h.Readings = append(h.Readings, slot.AnswerReading{Text: r.Text, Probability: r.Probability})
			}
			all = append(all, h)
		}
	}
	return all
}

// simulatedWorld is the simulated network, the bundled voice and the real recognizer.
type simulatedWorld struct {
	network *simulator.Simulator
	speaker *tts.VoiceChain
	engine  *engine.Engine
}

func newWorld(t *testing.T, people map[string]simulator.Person) simulatedWorld {
	t.Helper()
	network, err := simulator.NewSimulator(simulator.SimulatorOptions{Bundle: clipVoices(t), TimeScale: 10_000, People: people})
	if err != nil {
		t.Fatal(err)
	}
	return simulatedWorld{network, bundledVoice(t), openRecognizer(t)}
}

func clipVoices(t *testing.T) *voicepack.VoicePack {
	t.Helper()
	b, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bundledVoice is the voice of a machine without further speech software.
func bundledVoice(t *testing.T) *tts.VoiceChain {
	t.Helper()
	speaker, err := tts.NewChain(tts.ChainOptions{Bundle: clipVoices(t), ESpeak: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return speaker
}

// holdCall makes one call.
func (w simulatedWorld) holdCall(t *testing.T, number, id string, variables map[string]any) conversation.ConversationOutcome {
	t.Helper()
	line, err := w.network.Dial(t.Context(), carrier.DialRequest{CallID: "call", Number: number, Ring: time.Minute, Attempt: 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.engine.OpenStream(engine.StreamOptions{Onset: true})
	if err != nil {
		t.Fatal(err)
	}
	o, err := conversation.RunConversation(t.Context(), conversation.Dependencies{
		Line: line, Hear: recognizerStream{s}, Speak: w.speaker, Book: newPhraseBook(t), Now: func() time.Time { return saturday },
	}, conversation.ConversationInput{Scenario: builtIn(t, id), Variables: variables})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

var stranger = map[string]simulator.Person{
	"+966500000101": simulator.OptsOut, "+966500000102": simulator.WrongNumber, "+966500000103": simulator.WantsAgent,
	"+966500000104": simulator.HasNoTime, "+966500000105": simulator.Mailbox, "+966500000106": simulator.SwitchedOff,
	"+966500000107": simulator.Menu,
}

// TestRealVoices checks the built-in scenarios with the bundled voice, simulated callees and the real recognizer.
func TestRealVoices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("decodes a minute of speech")
	}
	w := newWorld(t, stranger)
	for _, c := range []struct {
		number, scenario string
		status           call.CallStatus
		reason           call.FailureReason
		check            func(map[string]any) bool
		codes            string // which must be among the errors
	}{
		{"+966500000000", "appointment_confirmation", call.Completed, "", func(r map[string]any) bool { return r["confirmed"] == true }, ""},
		{"+966500000083", "appointment_confirmation", call.Completed, "", func(r map[string]any) bool { return r["confirmed"] == false }, ""},
		{"+966500000093", "appointment_confirmation", call.Automation, call.Voicemail, nil, ""},
		{"+966500000095", "appointment_confirmation", call.Completed, "", nil, "hung_up"},
		{"+966500000097", "appointment_confirmation", call.Completed, "", func(r map[string]any) bool { return r["confirmed"] == nil }, "no_input"},
		{"+966500000001", "restaurant_order", call.Completed, "", func(r map[string]any) bool { return r["dish"] != nil && r["confirmed"] == true }, ""},
		{"+966500000105", "appointment_confirmation", call.Automation, call.Voicemail, nil, ""},
		{"+966500000106", "appointment_confirmation", call.UserUnavailable, call.Announcement, nil, ""},
		{"+966500000105", "restaurant_order", call.Automation, call.Voicemail, nil, ""},
		{"+966500000106", "restaurant_order", call.UserUnavailable, call.Announcement, nil, ""},
		{"+966500000103", "restaurant_order", call.Completed, "", nil, "agent_requested"}, // a voice as pure as a beep
	} {
		o := w.holdCall(t, c.number, c.scenario, map[string]any{"date": "2026-11-26", "time": "17:30"})
		t.Logf("%s %s\n%s", c.number, c.scenario, formatOutcome(o))
		if o.Status != c.status || call.ReasonOf(o.Failure) != c.reason || !strings.Contains(outcomeCodes(o), c.codes) ||
			c.check != nil && !c.check(readReport(t, o)) {
			t.Errorf("%s %s: %s (%s), errors %s, report %s", c.number, c.scenario, o.Status, call.ReasonOf(o.Failure), outcomeCodes(o), o.Report)
		}
	}
}

// TestEverybody holds with MUNADI_LONG=1 a conversation with every simulated callee, in both scenarios.
func TestEverybody(t *testing.T) {
	if os.Getenv("MUNADI_LONG") != "1" {
		t.Skip("MUNADI_LONG=1 holds two hundred conversations")
	}
	w := newWorld(t, stranger)
	tally := map[string]int{}
	for _, id := range []string{"appointment_confirmation", "restaurant_order"} {
		for n := range 108 {
			number := fmt.Sprintf("+966500000%03d", n)
			who := simulator.PersonByNumber(number)
			if p, ok := stranger[number]; ok {
				who = p
			}
			switch who {
			case simulator.NoAnswer, simulator.Declines, simulator.Unavailable, simulator.Busy, simulator.NoCarrier:
				continue
			}
			if n > 12 && n < 68 && n%8 != 0 {
				continue
			}
			o := w.holdCall(t, number, id, nil)
			t.Logf("%s %s %s\n%s", number, who, id, formatOutcome(o))
			tally[fmt.Sprintf("%s %s: %s %s %s", id, who, o.Status, call.ReasonOf(o.Failure), outcomeCodes(o))]++
		}
	}
	for what, n := range tally {
		t.Logf("%3d %s", n, what)
	}
}

// TestEveryPromptIsARecording checks that on a machine without speech software the built-in scenarios and the common
// lines are spoken by recordings of one voice, and that days and hours are assembled from its clips.
func TestEveryPromptIsARecording(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("renders a hundred texts")
	}
	speaker := bundledVoice(t)
	check := func(said string, want tts.VoiceSource) {
		sound, err := speaker.Speak(t.Context(), tts.SpeechRequest{Text: said})
		if err != nil || sound.Source != want {
			t.Errorf("%q is spoken by %q: %v", said, sound.Source, err)
		}
	}
	for _, id := range []string{"appointment_confirmation", "restaurant_order"} {
		for _, said := range conversation.CallTexts(newPhraseBook(t), conversation.ConversationInput{Scenario: builtIn(t, id), Announce: true}) {
			check(said, tts.Recorded)
		}
	}
	var words struct{ Common map[string]string }
	data, err := fs.ReadFile(scenarios.ScenarioFiles(), "words/phrases_ar.json")
	if err == nil {
		err = json.Unmarshal(data, &words)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range words.Common {
		check(said, tts.Recorded)
	}
	for week := range 53 {
		check(arabic.SpellDate(saturday.AddDate(0, 0, 8*week)), tts.Blocks)
	}
	for quarter := range 24 {
		check(arabic.SpellTime(quarter, 15*(quarter%3+1)), tts.Blocks)
	}
}
