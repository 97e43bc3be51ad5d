package scenarios

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/form"
)

// boundTest is a test with its expected report as lines.
type boundTest struct {
	*scenario.ScenarioTest
	report []string
}

var testFields = []form.Declared[*boundTest]{
	{Name: "name", Label: TestName, Value: func(t *boundTest) any { return &t.Name }},
	{Name: "says", Label: TestSays, Help: TestSaysHint, Kind: form.Area, Value: func(t *boundTest) any { return &t.Says }},
	{
		Name: "callee", Label: TestCallee, Help: TestCalleeHint,
		Value: func(t *boundTest) any { return &t.Callee },
	},
	{
		Name: "expect.report", Label: TestReport, Help: TestReportHint, Kind: form.Area,
		Value: func(t *boundTest) any { return &t.report },
	},
	{
		Name: "expect.steps", Label: TestSteps, Help: TestStepsHint, Kind: form.Area,
		Value: func(t *boundTest) any { return &t.Expect.Steps },
	},
	{
		Name: "expect.said", Label: TestSaid, Help: TestSaidHint, Kind: form.Area,
		Value: func(t *boundTest) any { return &t.Expect.Said },
	},
}

// bindTests binds the tests, and an empty one to be added. Tests without a name are removed.
func (e *editor) bindTests() (rows []EditorRow) {
	all := append(e.plan.Tests[:len(e.plan.Tests):len(e.plan.Tests)], scenario.ScenarioTest{})
	var kept []scenario.ScenarioTest
	for i := range all {
		one, at := all[i], scenario.IndexPath("tests", i)
		_, sent := e.TypedValue(at + ".name")
		t := &boundTest{ScenarioTest: &one, report: reportLines(one.Expect.Report)}
		before := slices.Clone(t.report)
		row := EditorRow{Fields: form.BindDeclared(e.Binder, at, t, testFields)}
		if i < len(all)-1 {
			row.Path = at
		}
		if one.Name != "" && one.ExpectsNothing() {
			row.Note = TestPassesAlways.In(e.Lang)
		}
		rows = append(rows, row)
		if !slices.Equal(before, t.report) {
			one.Expect.Report = parseReport(t.report)
		}
		if one.Name != "" || i < len(all)-1 && !sent {
			kept = append(kept, one)
		}
	}
	if e.Given != nil {
		e.plan.Tests = kept
	}
	return rows
}

// reportLines returns the values of a report, one on each line: "name: JSON".
func reportLines(report map[string]any) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(report)) {
		lines = append(lines, name+": "+reportValue(report[name]))
	}
	return lines
}

// reportValue returns a value as JSON; a text that would not be read as another value needs no quotation marks.
func reportValue(v any) string {
	text, isText := v.(string)
	isLine := text != "" && text == strings.TrimSpace(text) && !strings.Contains(text, "\n")
	if isText && isLine && !json.Valid([]byte(text)) {
		return text
	}
	quoted, err := json.Marshal(v)
	if err != nil {
		return PlainJSON(v)
	}
	return string(quoted)
}

// parseReport reads lines of a report; a value that is no JSON is a text, one that is left out is null.
func parseReport(lines []string) map[string]any {
	report := map[string]any{}
	for _, line := range lines {
		name, text, _ := strings.Cut(line, ":")
		text = strings.TrimSpace(text)
		var value any = text
		if parsed := any(nil); text == "" || json.Unmarshal([]byte(text), &parsed) == nil {
			value = parsed
		}
		report[strings.TrimSpace(name)] = value
	}
	return report
}
