// Package scenariotest runs the tests of a scenario: each is a conversation without a call (package rehearsal) whose
// report, steps and spoken lines are compared with what the test expects.
//
// The line's frames are the clock, so a call of minutes takes milliseconds. A language model is never asked: steps of
// type llm go on as if it had not answered, and tools give the answers of the test, so that it has the same result each
// time.
package scenariotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/tool"
	"munadi/appliance/quota"
	"munadi/engine/processors"
	"munadi/store/call"
	"munadi/store/scenario"
)

// Limits of all tests of a scenario; the rest then fails.
const (
	timeout      = 30 * time.Second
	soundTimeout = 3 * time.Minute // with tests that the recognizer hears
)

// atOnce is how many tests of this process run at once: each needs a processor, and half of them are left to calls.
var atOnce = max(1, processors.CountProcessors()/2)

// slots are held by running tests; organizations take turns.
var slots = quota.NewSemaphore(atOnce, atOnce)

// RunTests runs all tests of a scenario that passes [scenario.CheckScenario], by the rules of its organization. The
// error is that of a context that ended.
func RunTests(ctx context.Context, d rehearsal.Dependencies, s scenario.Scenario) (scenario.TestRun, error) {
	limit := timeout
	if slices.ContainsFunc(s.Tests, scenario.ScenarioTest.HasSound) {
		limit = soundTimeout
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	results := make([]scenario.TestResult, len(s.Tests))
	var all sync.WaitGroup
	var begun atomic.Int64
	for range min(atOnce, len(s.Tests)) {
		all.Go(func() {
			for i := begun.Add(1) - 1; i < int64(len(s.Tests)); i = begun.Add(1) - 1 {
				results[i] = runTest(limited, d, s, s.Tests[i])
			}
		})
	}
	all.Wait()
	return scenario.CountResults(results), ctx.Err()
}

// runTest runs one test and compares its outcome.
func runTest(
	ctx context.Context, d rehearsal.Dependencies, s scenario.Scenario, t scenario.ScenarioTest,
) scenario.TestResult {
	failures := []scenario.TestFailure{}
	if out, err := TryTest(ctx, d, s, t); err != nil {
		failures = append(failures, failedRun(err))
	} else {
		failures = append(failures, compareOutcome(t.Expect, out)...)
	}
	return scenario.TestResult{Name: t.Name, Passed: len(failures) == 0, Failures: failures}
}

// TryTest holds the conversation of a test when a slot is free.
func TryTest(
	ctx context.Context, d rehearsal.Dependencies, s scenario.Scenario, t scenario.ScenarioTest,
) (rehearsal.Outcome, error) {
	r := rehearsal.Request{
		OrgID: s.OrgID, Scenario: s, Variables: t.Variables, Answers: t.Says, Callee: t.Callee, ToEnd: true,
	}
	if t.At != nil {
		r.Now = *t.At
	}
	d.Chat, d.Tools = nil, givenTools(t.Tools)
	if err := slots.AcquireSlot(ctx, s.OrgID); err != nil {
		return rehearsal.Outcome{}, err
	}
	defer slots.ReleaseSlot(s.OrgID)
	return rehearsal.RunRehearsal(ctx, d, r)
}

// givenTools are the tools of a test: their answers by name.
type givenTools map[string]json.RawMessage

// CallTool implements [conversation.ToolCaller].
func (g givenTools) CallTool(_ context.Context, r tool.Request) (string, error) {
	answer, given := g[r.Tool]
	if !given {
		return "", errors.New("the test has no answer of this tool")
	}
	return string(answer), nil
}

// failedRun is the failure of a conversation that did not come to its end.
func failedRun(err error) scenario.TestFailure {
	got := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		got = fmt.Sprintf("no end in time: a test may take %v, all tests of a scenario %v; with sounds %v and %v",
			rehearsal.Timeout, timeout, rehearsal.SoundTimeout, soundTimeout)
	}
	return scenario.TestFailure{Part: scenario.RunFailed, Got: got}
}

// compareOutcome returns the differences between a call and what a test expects of it.
func compareOutcome(want scenario.TestExpectation, got rehearsal.Outcome) []scenario.TestFailure {
	var report any
	if len(got.Report) > 0 {
		_ = json.Unmarshal(got.Report, &report) // of the conversation, which encoded it
	}
	failures := compareReport(want.Report, report)
	failures = append(failures, compareSteps(want.Steps, got.Steps)...)
	var lines []string
	for _, m := range got.Messages {
		if m.Role == call.Assistant {
			lines = append(lines, m.Content)
		}
	}
	return append(failures, compareSaid(want.Said, lines)...)
}
