package scenario

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ScenarioTest is a regression test of a scenario: what a person says, and what is expected of the call. It runs
// without sound, except for recorded clips and callees of the simulator, which the recognizer hears.
type ScenarioTest struct {
	Name      string         `json:"name"`                // unique in the scenario
	Variables map[string]any `json:"variables,omitempty"` // of the booking; none is required
	At        *time.Time     `json:"at,omitempty"`        // when the call is answered, for relative days; nil: now
	// Tools are the answers of tools by name; a tool without one fails.
	Tools map[string]json.RawMessage `json:"tools,omitempty"`
	// Says are the person's lines in order: a text, "clip:…" for a recorded clip ([ClipLine]), "keys:12" for pressed keys,
	// "silent" or "hangup". After the last one the person is silent.
	Says []string `json:"says,omitempty"`
	// Callee is the callee of the simulator who answers instead: the last digits of a number, two to fifteen.
	Callee string          `json:"callee,omitempty"`
	Expect TestExpectation `json:"expect"`
}

// HasSound reports whether the recognizer hears the person.
func (t ScenarioTest) HasSound() bool { return t.Callee != "" || len(t.Clips()) > 0 }

// Clips returns the names of the clips that a test plays.
func (t ScenarioTest) Clips() (names []string) {
	for _, line := range t.Says {
		if name, isClip := strings.CutPrefix(line, ClipLine); isClip {
			names = append(names, name)
		}
	}
	return names
}

// TestExpectation is what a test expects of the call; what is empty is not compared.
type TestExpectation struct {
	Report map[string]any `json:"report,omitempty"` // part of the final report; objects in it are parts, too
	Steps  []string       `json:"steps,omitempty"`  // ids of steps that are passed in this order, others between them
	Said   []string       `json:"said,omitempty"`   // texts that lines of the platform contain, in this order
}

// ExpectsNothing reports whether the test passes whatever the call does.
func (t ScenarioTest) ExpectsNothing() bool {
	return len(t.Expect.Report) == 0 && len(t.Expect.Steps) == 0 && len(t.Expect.Said) == 0
}

// Limits of tests.
const (
	MaxTests      = 100 // of a scenario
	MaxTestSays   = 100 // lines of the person
	maxTestLine   = 500 // characters of one
	maxTestSteps  = 200
	maxTestSaid   = 100
	maxTestReport = 64 << 10 // bytes as JSON
)

func (c *scenarioChecker) checkTests() {
	if len(c.s.Tests) > MaxTests {
		c.addFailure("tests", "must have at most %d entries", MaxTests)
		return
	}
	seen := map[string]bool{}
	for i, one := range c.s.Tests {
		path := IndexPath("tests", i)
		name := strings.TrimSpace(one.Name)
		switch {
		case name == "":
			c.addFailure(path+".name", "must not be empty")
		case seen[name]:
			c.addFailure(path+".name", "is the name of another test: %s", name)
		}
		seen[name] = true
		c.checkLength(path+".name", one.Name, maxName)
		c.checkGiven(path+".variables", one.Variables)
		for tool, answer := range one.Tools {
			var object map[string]any
			if json.Unmarshal(answer, &object) != nil || object == nil || len(answer) > maxTestReport {
				c.addFailure(path+".tools."+tool, "must take at most %d KiB as a JSON object", maxTestReport>>10)
			}
		}
		c.checkTestTexts(path+".says", one.Says, MaxTestSays, maxTestLine)
		c.checkTestSound(path, one)
		c.checkTestTexts(path+".expect.steps", one.Expect.Steps, maxTestSteps, maxName)
		c.checkTestTexts(path+".expect.said", one.Expect.Said, maxTestSaid, MaxText)
		if raw, err := json.Marshal(one.Expect.Report); err != nil || len(raw) > maxTestReport {
			c.addFailure(path+".expect.report", "must take at most %d KiB as JSON", maxTestReport>>10)
		}
	}
}

// checkTestTexts requires at most so many texts, each of 1 to longest characters.
func (c *scenarioChecker) checkTestTexts(path string, texts []string, most, longest int) {
	if len(texts) > most {
		c.addFailure(path, "must have at most %d entries", most)
		return
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			c.addFailure(IndexPath(path, i), "must not be empty")
		}
		c.checkLength(IndexPath(path, i), text, longest)
	}
}

// calleeDigits are the last digits of a simulated number.
var calleeDigits = regexp.MustCompile(`^[0-9]{2,15}$`)

// keysLine begins a line of a test that is pressed keys.
const keysLine = "keys:"

// checkTestSound checks the clips, the keys and the callee of a test.
func (c *scenarioChecker) checkTestSound(path string, t ScenarioTest) {
	for i, line := range t.Says {
		if name, isClip := strings.CutPrefix(line, ClipLine); isClip && strings.TrimSpace(name) == "" {
			c.addFailure(IndexPath(path+".says", i), "must name a clip after %s", ClipLine)
		}
		keys, isKeys := strings.CutPrefix(line, keysLine)
		if isKeys && (keys == "" || strings.Trim(keys, "0123456789*#") != "") {
			c.addFailure(IndexPath(path+".says", i), "must name keys after keys:, each one of 0-9 * #")
		}
	}
	switch {
	case t.Callee == "":
	case !calleeDigits.MatchString(t.Callee):
		c.addFailure(path+".callee", "must be the last 2 to 15 digits of a simulated number")
	case len(t.Says) > 0:
		c.addFailure(path+".callee", "must not stand beside says: the callee answers")
	}
}

// TestRun is the result of a scenario's tests.
type TestRun struct {
	Passed  int          `json:"passed"`
	Failed  int          `json:"failed"`
	Results []TestResult `json:"results"` // in the order of the tests
}

// TestResult is the result of one test.
type TestResult struct {
	Name     string        `json:"name"`
	Passed   bool          `json:"passed"`
	Failures []TestFailure `json:"failures"` // empty if it passed
}

// FailurePart is the part of a test that failed.
type FailurePart string

// The parts.
const (
	ReportFailed FailurePart = "report"
	StepsFailed  FailurePart = "steps"
	SaidFailed   FailurePart = "said"
	RunFailed    FailurePart = "run" // the conversation did not come to its end
)

// TestFailure is one difference between what a test expects and what the call was. In JSON it is its sentence.
type TestFailure struct {
	Part     FailurePart
	Property string // path of the report's property
	Expected string // JSON of a report's value, id of a step, text
	After    string // the step or text before it, which was found; empty: it is the first
	Got      string // empty: nothing
}

// Sentence says what was expected and what came instead.
func (f TestFailure) Sentence() string {
	got := f.Got
	if got == "" {
		got = "nothing"
	}
	after := ""
	if f.After != "" {
		after = fmt.Sprintf(" after %q", f.After)
	}
	switch f.Part {
	case ReportFailed:
		return fmt.Sprintf("report: expected %s to be %s, got %s", f.Property, f.Expected, got)
	case StepsFailed:
		return fmt.Sprintf("steps: expected %q%s, got %s", f.Expected, after, got)
	case SaidFailed:
		return fmt.Sprintf("said: expected a line that contains %q%s, got %s", f.Expected, after, got)
	}
	return fmt.Sprintf("expected the conversation to come to its end, got %s", got)
}

// MarshalText returns the sentence.
func (f TestFailure) MarshalText() ([]byte, error) { return []byte(f.Sentence()), nil }

// CountResults returns a run with its counters.
func CountResults(results []TestResult) TestRun {
	run := TestRun{Results: results}
	for _, one := range results {
		if one.Passed {
			run.Passed++
		} else {
			run.Failed++
		}
	}
	return run
}

// ClipQuoted quotes the texts of a failure, the last ones if they have more characters than a sentence should hold.
func ClipQuoted(texts []string) string {
	const most = 600 // characters
	var quoted []string
	n := 0
	for _, text := range slices.Backward(texts) {
		one := fmt.Sprintf("%q", text)
		if n += utf8.RuneCountInString(one); n > most && len(quoted) > 0 {
			quoted = append([]string{"…"}, quoted...)
			break
		}
		quoted = append([]string{one}, quoted...)
	}
	return strings.Join(quoted, ", ")
}
