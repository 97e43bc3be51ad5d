package scenariotest_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/assets/scenarios"
	"munadi/store/scenario"
)

// visit asks for a time and confirms it.
const visit = `{"id":"visit","name":"visit","steps":[
	{"id":"greet","type":"say","say":"السلام عليكم"},
	{"id":"ask","type":"ask","say":"هل يناسبكم الموعد؟","no_input":"لم أسمعكم","slot":{"name":"confirmed","type":"yes_no"}},
	{"id":"way","type":"branch","cases":[{"slot":"confirmed","equals":false,"next":"sorry"}]},
	{"id":"day","type":"ask","say":"في أي يوم؟","slot":{"name":"day","type":"date"}},
	{"id":"bye","type":"end","say":"شُكرًا لكم، مع السلامة."},
	{"id":"sorry","type":"end","say":"نعتذر"}],"tests":[`

func dependencies(t testing.TB) rehearsal.Dependencies {
	t.Helper()
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	return rehearsal.Dependencies{Book: book, Zone: time.UTC}
}

// run runs tests of a scenario and returns the answer of the API.
func run(t *testing.T, source string) scenario.TestRun {
	t.Helper()
	s, faults, err := scenario.DecodeScenario(t.Context(), []byte(source))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	got, err := scenariotest.RunTests(t.Context(), dependencies(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestExpectations checks what passes, and the sentences of what fails.
func TestExpectations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ test, failure string }{
		{`"says":["نعم","غدا"],"expect":{}`, ""},
		{`"says":["نعم"]`, ""},
		{`"expect":{"report":{"confirmed":null,"day":null},"said":["لم اسمعكم"]}`, ""},
		{`"says":["نعم","غدا"],"at":"2026-03-01T09:00:00Z","expect":{"report":{"confirmed":true,"day":"2026-03-02"},` +
			`"steps":["greet","ask","day","bye"],"said":["السَّلام عليكم","الموعد","شكراً لكم","السلامه"]}`, ""},
		{`"says":["keys:2"],"expect":{"report":{"confirmed":false},"steps":["sorry"],"said":["نعتذر"]}`, ""},
		{`"says":["نعم"],"expect":{"report":{"confirmed":false}}`, "report: expected confirmed to be false, got true"},
		{`"says":["نعم"],"expect":{"report":{"colour":"red"}}`, `report: expected colour to be "red", got nothing`},
		{`"says":["hangup"],"expect":{"report":{"confirmed":true}}`, `report: expected the report to be {"confirmed":true}, got null`},
		{
			`"says":["لا"],"expect":{"steps":["ask","bye"]}`,
			`steps: expected "bye" after "ask", got "greet", "ask", "way", "sorry"`,
		},
		{`"says":["لا"],"expect":{"steps":["way","ask"]}`, `steps: expected "ask" after "way", got "greet", "ask", "way", "sorry"`},
		{
			`"says":["لا"],"expect":{"said":["نعتذر","السلام"]}`,
			`said: expected a line that contains "السلام" after "نعتذر", got "السلام عليكم", "هل يناسبكم الموعد؟", "نعتذر"`,
		},
		{`"says":["لا"],"expect":{"said":["؟!"]}`, "said: expected a line that contains"},
	} {
		got := run(t, visit+`{"name":"one",`+c.test+`}]}`)
		failed := len(got.Results[0].Failures) > 0
		switch {
		case failed != (c.failure != "") || got.Results[0].Passed == failed || got.Passed+got.Failed != 1 || (got.Failed == 1) != failed:
			t.Errorf("%s: %+v", c.test, got)
		case failed && !strings.Contains(got.Results[0].Failures[0].Sentence(), c.failure):
			t.Errorf("%s: %s", c.test, got.Results[0].Failures[0].Sentence())
		}
	}
}

// TestResultInJSON checks the form of the API's answer.
// TestToolsGiveTheTestsAnswers checks that a test's answers of tools are used, and that a tool without one fails.
func TestToolsGiveTheTestsAnswers(t *testing.T) {
	t.Parallel()
	got := run(t, `{"id":"order","name":"order","steps":[
		{"id":"look","type":"fetch","tool":"orders","slots":[{"name":"days","type":"number"}],"on_failure":"sorry"},
		{"id":"told","type":"end","say":"بعد {{days}} أيام"},{"id":"sorry","type":"end","say":"نعتذر"}],"tests":[
		{"name":"found","tools":{"orders":{"days":5}},"expect":{"report":{"days":5},"steps":["told"],"said":["بعد خمسة أيام"]}},
		{"name":"absent","tools":{"stock":{"days":5}},"expect":{"report":{"days":null},"steps":["sorry"]}},
		{"name":"wrong","tools":{"orders":{"days":"five"}},"expect":{"report":{"days":null},"steps":["sorry"]}}]}`)
	if got.Failed != 0 {
		t.Errorf("%+v", got.Results)
	}
}

func TestResultInJSON(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(run(t, visit+`{"name":"a","says":["نعم"],"expect":{}},{"name":"b","says":["نعم"],"expect":{"steps":["x"]}}]}`))
	const want = `{"passed":1,"failed":1,"results":[{"name":"a","passed":true,"failures":[]},{"name":"b","passed":false,` +
		`"failures":["steps: expected \"x\", got \"greet\", \"ask\", \"way\", \"day\", \"bye\""]}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if none := run(t, strings.TrimSuffix(visit, `,"tests":[`)+"}"); none.Passed+none.Failed != 0 || none.Results == nil {
		t.Errorf("without tests: %+v", none)
	}
}

// TestBuiltInScenarios checks that the tests of the built-in scenarios pass, whatever the organization's time zone is.
func TestBuiltInScenarios(t *testing.T) {
	t.Parallel()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	for _, zone := range []string{"UTC", "Asia/Riyadh", "America/Los_Angeles", "Pacific/Auckland"} {
		d := dependencies(t)
		if d.Zone, err = time.LoadLocation(zone); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			got, err := scenariotest.RunTests(t.Context(), d, s)
			if err != nil || got.Passed < 3 || got.Failed > 0 {
				t.Errorf("%s in %s: %+v, %v", s.ID, zone, got, err)
			}
		}
	}
}

// TestBounds checks that a conversation in a circle ends at its longest duration, and that an ended context ends the
// tests.
func TestBounds(t *testing.T) {
	t.Parallel()
	const circle = `{"id":"x","name":"x","steps":[
		{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"number"}},
		{"id":"b","type":"branch","cases":[{"slot":"n","equals":5,"next":"e"}],"next":"q"},{"id":"e","type":"end"}],
		"tests":[{"name":"round","expect":{"report":{"n":null}}}]}`
	began := time.Now()
	got := run(t, circle)
	t.Logf("ten minutes of silence took %v", time.Since(began))
	if got.Passed != 1 {
		t.Errorf("%+v", got)
	}
	s, _, err := scenario.DecodeScenario(t.Context(), []byte(circle))
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := scenariotest.RunTests(ended, dependencies(t), s); err == nil || got.Failed != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzSays checks that no line of a person ends a test in a panic or without a result.
func FuzzSays(f *testing.F) {
	for _, text := range []string{"نعم", "keys:1#*x", "hangup", "silent", "say:", "لا تتصلوا بي", "\x00", "٣ يناير ٢٠٢٦", "{{n}}"} {
		f.Add(text, text)
	}
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		f.Fatal(err)
	}
	d := dependencies(f)
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, s := range all {
			s.Tests = []scenario.ScenarioTest{{Name: "x", Says: []string{first, second}, Expect: scenario.TestExpectation{
				Said: []string{first}, Steps: []string{second}, Report: map[string]any{first: second},
			}}}
			got, err := scenariotest.RunTests(t.Context(), d, s)
			if err != nil || got.Passed+got.Failed != 1 || got.Failed > 0 && got.Results[0].Failures[0].Sentence() == "" {
				t.Errorf("%+v, %v", got, err)
			}
		}
	})
}

func BenchmarkRunTests(b *testing.B) {
	data, err := os.ReadFile("../../../assets/scenarios/flow/appointment_confirmation.json")
	if err != nil {
		b.Fatal(err)
	}
	s, _, err := scenario.DecodeScenario(b.Context(), data)
	if err != nil {
		b.Fatal(err)
	}
	s.Tests = []scenario.ScenarioTest{
		{Name: "a", Says: []string{"نعم"}}, {Name: "b", Says: []string{"لا أستطيع الحضور", "نعم", "غدا", "الساعة خمسة"}}, {Name: "c"},
	}
	d := dependencies(b)
	for b.Loop() {
		if _, err := scenariotest.RunTests(b.Context(), d, s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(s.Tests))/b.Elapsed().Minutes(), "runs/min")
}
