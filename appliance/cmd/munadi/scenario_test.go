package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/config"
)

const testedScenario = `{"name":"Visit","steps":[{"id":"q","type":"ask","say":"أيناسبكم","slot":{"name":"ok","type":"yes_no"}},
	{"id":"z","type":"end","say":"شكرا"}],"tests":[{"name":"yes <&>","says":["نعم"],"expect":{"report":{"ok":true}}}`

// TestScenarioFiles checks the lines, the exit status and the JUnit XML for files that pass, fail and are no scenarios.
func TestScenarioFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	green := write("green.json", testedScenario+"]}")
	red := write("red.json", testedScenario+`,{"name":"no","says":["لا"],"expect":{"report":{"ok":true},"steps":["z","q"]}}]}`)
	faulty := write("faulty.json", `{"id":"x","name":"","steps":[{"id":"q","type":"end"}],"tests":[{"name":"a","foo":1}]}`)
	for _, c := range []struct {
		files []string
		lines []string
		err   string
	}{
		{[]string{green}, []string{"ok    " + green + ": yes <&>", "1 passed, 0 failed"}, ""},
		{
			[]string{green, red},
			[]string{"FAIL  " + red + ": no", "report: expected ok to be true, got false", `steps: expected "q" after "z"`, "2 passed, 1 failed"},
			"1 of 3 tests failed",
		},
		{
			[]string{faulty, green},
			[]string{"ERROR " + faulty + ": tests.0.foo is not a known field", "ERROR " + faulty + ": name must not be empty", "1 passed"},
			"1 of 2 files cannot be tested",
		},
		{[]string{write("broken.json", `{"name":`)}, []string{"ERROR", "the file is not JSON", "at byte"}, "1 of 1 files"},
		{[]string{filepath.Join(folder, "none.json")}, []string{"ERROR", "no such file"}, "1 of 1 files"},
		{[]string{write("plain.json", strings.Split(testedScenario, `,"tests"`)[0]+"}")}, []string{"no tests", "0 passed, 0 failed"}, ""},
	} {
		var out strings.Builder
		junit := filepath.Join(folder, "junit.xml")
		err := (&ScenarioTestCmd{Files: c.files, JUnit: junit}).Run(t.Context(), config.Default(), &out)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %v", c.files, err)
		}
		for _, line := range c.lines {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%v: %q is missing in %s", c.files, line, &out)
			}
		}
		var report junitReport
		data, err := os.ReadFile(junit)
		if err == nil {
			err = xml.Unmarshal(data, &report)
		}
		if err != nil || len(report.Suites) != len(c.files) || report.Failures+report.Errors > 0 != (c.err != "") {
			t.Errorf("%v: %v, %s", c.files, err, data)
		}
	}
	if err := (&ScenarioTestCmd{Files: []string{green}, JUnit: filepath.Join(folder, "no", "x")}).Run(t.Context(), config.Default(), &strings.Builder{}); err == nil {
		t.Error("a JUnit file that cannot be written is no error")
	}
}
