package conversation_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/assets/scenarios"
	"munadi/engine/heldout"
	"munadi/store/call"
	"munadi/store/scenario"
)

var update = flag.Bool("update", false, "rewrite the golden transcripts")

func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		goleak.VerifyTestMain(m)
	}
}

func newPhraseBook(t testing.TB) *conversation.PhraseBook {
	t.Helper()
	b, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func builtIn(t testing.TB, id string) scenario.Scenario {
	t.Helper()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no scenario %s is built in", id)
	return scenario.Scenario{}
}

// readScenario parses a scenario's JSON form, with id, name and language added.
func readScenario(t testing.TB, form string) scenario.Scenario {
	t.Helper()
	s, violations, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"test","name":"test",`+form+`}`))
	if err != nil || len(violations) > 0 {
		t.Fatal(violations, err)
	}
	return s
}

// saturday is the day of all these calls.
var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func newDependencies(t testing.TB, c *scriptedCallee) conversation.Dependencies {
	c.hung = make(chan struct{})
	return conversation.Dependencies{
		Line: c, Hear: calleeRecognizer{c}, Speak: toneVoice{}, Book: newPhraseBook(t), Now: func() time.Time { return saturday },
	}
}

func holdTalk(t testing.TB, c *scriptedCallee, in conversation.ConversationInput) conversation.ConversationOutcome {
	t.Helper()
	o, err := conversation.RunConversation(t.Context(), newDependencies(t, c), in)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// scriptedAnswers answers each question with the next text; then with silence.
func scriptedAnswers(texts ...string) func(int, carrier.Speech) calleeReaction {
	return func(asked int, _ carrier.Speech) calleeReaction {
		if asked >= len(texts) || texts[asked] == "" {
			return calleeReaction{}
		}
		return calleeReaction{after: 500 * time.Millisecond, say: texts[asked]}
	}
}

// formatOutcome formats an outcome for people.
func formatOutcome(o conversation.ConversationOutcome) string {
	var b strings.Builder
	for _, m := range o.Messages {
		who := "<"
		if m.Role == call.Assistant {
			who = ">"
		}
		fmt.Fprintf(&b, "%6.2f %6.2f %s %s\n", m.Start, m.End, who, m.Content)
	}
	for _, e := range o.Errors {
		fmt.Fprintf(&b, "%6.2f error %s: %s\n", e.At, e.Code, e.Message)
	}
	fmt.Fprintf(&b, "%s", o.Status)
	if o.Failure != nil {
		fmt.Fprintf(&b, " (%s)", o.Failure.Reason)
	}
	fmt.Fprintf(&b, " after %d s", *o.Duration)
	if o.Suppress {
		fmt.Fprint(&b, ", suppress")
	}
	if o.Machine != nil {
		fmt.Fprintf(&b, "\nmachine: %s by %s at %.2f", o.Machine.Verdict, o.Machine.Cause, o.Machine.At)
	}
	if o.Report != nil {
		fmt.Fprintf(&b, "\nreport: %s", o.Report)
	}
	if len(o.Unasked) > 0 {
		fmt.Fprintf(&b, "\nnot asked: %s", strings.Join(o.Unasked, " "))
	}
	if o.ResponseBody != nil {
		fmt.Fprintf(&b, "\nresponse: %s", o.ResponseBody)
	}
	return b.String() + "\n"
}

// compareGolden compares with testdata/NAME.txt.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// readReport parses a report.
func readReport(t testing.TB, o conversation.ConversationOutcome) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(o.Report, &r); err != nil {
		t.Fatalf("report %s: %v", o.Report, err)
	}
	return r
}

func outcomeCodes(o conversation.ConversationOutcome) string {
	var all []string
	for _, e := range o.Errors {
		all = append(all, e.Code)
	}
	return strings.Join(all, " ")
}
