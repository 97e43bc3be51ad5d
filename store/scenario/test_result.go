package scenario

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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
	for i := len(texts) - 1; i >= 0; i-- {
		one := fmt.Sprintf("%q", texts[i])
		if n += utf8.RuneCountInString(one); n > most && len(quoted) > 0 {
			quoted = append([]string{"…"}, quoted...)
			break
		}
		quoted = append([]string{one}, quoted...)
	}
	return strings.Join(quoted, ", ")
}
