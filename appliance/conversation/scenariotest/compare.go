package scenariotest

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"munadi/engine/arabic"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// compareReport compares the expected part of a report with the report; nil: the call has none.
func compareReport(want map[string]any, report any) []scenario.TestFailure {
	if len(want) == 0 {
		return nil
	}
	return comparePart("", plainJSON(want), report)
}

// comparePart compares a value of the expected report with that of the report, objects by the properties that are
// expected.
func comparePart(path string, want, got any) (failures []scenario.TestFailure) {
	expected, isObject := want.(map[string]any)
	found, hasObject := got.(map[string]any)
	if isObject && hasObject {
		for _, name := range slices.Sorted(maps.Keys(expected)) {
			at := name
			if path != "" {
				at = strictjson.JoinPath(path, name)
			}
			value, known := found[name]
			if !known {
				failures = append(failures, reportFailure(at, expected[name], ""))
				continue
			}
			failures = append(failures, comparePart(at, expected[name], value)...)
		}
		return failures
	}
	if reflect.DeepEqual(want, got) {
		return nil
	}
	if path == "" {
		path = "the report"
	}
	return []scenario.TestFailure{reportFailure(path, want, jsonText(got))}
}

func reportFailure(path string, want any, got string) scenario.TestFailure {
	return scenario.TestFailure{Part: scenario.ReportFailed, Property: path, Expected: jsonText(want), Got: got}
}

// plainJSON returns a value as it is decoded from JSON, whose numbers are float64.
func plainJSON(v any) (plain any) {
	_ = json.Unmarshal([]byte(jsonText(v)), &plain) // what jsonText encoded
	return plain
}

// jsonText returns a value as JSON for a sentence.
func jsonText(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // values that were decoded from JSON
	return strings.TrimSpace(out.String())
}

// compareSteps requires the expected steps in their order; others may lie between them.
func compareSteps(want, passed []string) []scenario.TestFailure {
	rest := passed
	for i, id := range want {
		at := slices.Index(rest, id)
		if at < 0 {
			return []scenario.TestFailure{{
				Part: scenario.StepsFailed, Expected: id, After: before(want, i), Got: scenario.ClipQuoted(passed),
			}}
		}
		rest = rest[at+1:]
	}
	return nil
}

// compareSaid requires the expected texts in their order, each within one line of the platform. Texts are compared
// folded (spelling, marks, digits).
func compareSaid(want, lines []string) []scenario.TestFailure {
	line, from := 0, 0 // where the next text is searched
	folded := make([]string, len(lines))
	for i := range lines {
		folded[i] = arabic.FoldSpelling(lines[i])
	}
	for i, text := range want {
		sought, found := arabic.FoldSpelling(text), false
		for sought != "" && line < len(lines) && !found {
			if at := strings.Index(folded[line][from:], sought); at >= 0 {
				from, found = from+at+len(sought), true
			} else {
				line, from = line+1, 0
			}
		}
		if !found {
			return []scenario.TestFailure{{
				Part: scenario.SaidFailed, Expected: text, After: before(want, i), Got: scenario.ClipQuoted(lines),
			}}
		}
	}
	return nil
}

// before returns the entry before one of a list; empty for the first.
func before(all []string, i int) string {
	if i == 0 {
		return ""
	}
	return all[i-1]
}
