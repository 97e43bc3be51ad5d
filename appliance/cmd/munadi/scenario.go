package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"munadi/appliance/config"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/assets/scenarios"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// ScenarioCmd is munadi scenario.
type ScenarioCmd struct {
	Test ScenarioTestCmd `cmd:"" help:"Run the tests of scenario files, without a server."`
}

// ScenarioTestCmd is munadi scenario test: it runs the tests in scenario files, the bodies of the API, and fails if a
// test fails or a file is no valid scenario.
type ScenarioTestCmd struct {
	Files []string `arg:"" name:"file" help:"Scenarios as JSON, in the form of the API, with their tests."`
	JUnit string   `name:"junit" placeholder:"FILE" help:"Also write the results to this file as JUnit XML."`
}

// testedFile is a scenario file with the results of its tests, or why there are none.
type testedFile struct {
	path   string
	faults []string
	run    scenario.TestRun
	took   time.Duration
}

// Run tests the files; one that is no scenario doesn't stop the others.
func (t *ScenarioTestCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		return err
	}
	sounds := testSounds{cfg: cfg}
	defer sounds.close()
	var files []testedFile
	for _, path := range t.Files {
		d := rehearsal.Dependencies{Book: book, Listen: sounds.listen, Callee: sounds.answerCallee}
		d.ReadClip = func(ctx context.Context, _, name string) ([]int16, error) {
			return readClipFile(ctx, filepath.Join(filepath.Dir(path), name))
		}
		f := testFile(ctx, d, path)
		if err := ctx.Err(); err != nil {
			return err
		}
		f.printResults(out)
		files = append(files, f)
	}
	if t.JUnit != "" {
		if err := writeJUnit(t.JUnit, files); err != nil {
			return fmt.Errorf("write %s: %w", t.JUnit, err)
		}
	}
	return summarize(out, files)
}

// testFile runs the tests of a file.
func testFile(ctx context.Context, d rehearsal.Dependencies, path string) testedFile {
	f := testedFile{path: path}
	s, faults, err := readScenario(ctx, path)
	if f.faults = describeFaults(faults, err); len(f.faults) > 0 {
		return f
	}
	began := time.Now()
	f.run, _ = scenariotest.RunTests(ctx, d, s) // a context that ended, which the caller checks
	f.took = time.Since(began)
	return f
}

// readScenario reads a scenario from a file; "-" is standard input. Its id may be left out, as in the API.
func readScenario(ctx context.Context, path string) (s scenario.Scenario, faults []strictjson.Violation, err error) {
	in, _, err := openInput(path)
	if err != nil {
		return s, nil, err
	}
	defer func() { _ = in.Close() }()
	data, err := io.ReadAll(io.LimitReader(in, scenario.MaxBytes+1))
	if err != nil {
		return s, nil, err
	}
	s, faults, err = scenario.DecodeScenario(ctx, data)
	faults = withoutMissingID(data, faults)
	return s, faults, err
}

// withoutMissingID removes the violation of an id that is left out.
func withoutMissingID(data []byte, faults []strictjson.Violation) []strictjson.Violation {
	tree, err := strictjson.ParseObject(data)
	if given := tree["id"]; err != nil || given != nil {
		return faults
	}
	var rest []strictjson.Violation
	for _, v := range faults {
		if v.Field != "id" {
			rest = append(rest, v)
		}
	}
	return rest
}

// describeFaults returns why a file is no valid scenario, a sentence each.
func describeFaults(faults []strictjson.Violation, err error) (all []string) {
	if err != nil {
		return []string{strings.Replace(err.Error(), "The body is", "the file is", 1)}
	}
	for _, v := range faults {
		all = append(all, v.Field+" "+v.Message)
	}
	return all
}

// printResults prints one line for a test, and one for each failure or fault.
func (f testedFile) printResults(out io.Writer) {
	for _, fault := range f.faults {
		_, _ = fmt.Fprintf(out, "ERROR %s: %s\n", f.path, fault)
	}
	if len(f.faults) == 0 && len(f.run.Results) == 0 {
		_, _ = fmt.Fprintf(out, "      %s: no tests\n", f.path)
	}
	for _, one := range f.run.Results {
		mark := "ok   "
		if !one.Passed {
			mark = "FAIL "
		}
		_, _ = fmt.Fprintf(out, "%s %s: %s\n", mark, f.path, one.Name)
		for _, failure := range one.Failures {
			_, _ = fmt.Fprintf(out, "      %s\n", failure.Sentence())
		}
	}
}

// summarize prints the totals, and returns an error unless everything passed.
func summarize(out io.Writer, files []testedFile) error {
	passed, failed, invalid := 0, 0, 0
	for _, f := range files {
		passed, failed = passed+f.run.Passed, failed+f.run.Failed
		if len(f.faults) > 0 {
			invalid++
		}
	}
	_, _ = fmt.Fprintf(out, "%d passed, %d failed", passed, failed)
	if invalid > 0 {
		_, _ = fmt.Fprintf(out, ", %d of %d files cannot be tested", invalid, len(files))
	}
	_, _ = fmt.Fprintln(out)
	var problems []string
	if failed > 0 {
		problems = append(problems, fmt.Sprintf("%d of %d tests failed", failed, passed+failed))
	}
	if invalid > 0 {
		problems = append(problems, fmt.Sprintf("%d of %d files cannot be tested", invalid, len(files)))
	}
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	return nil
}

// junitReport is a JUnit XML file: a suite for each scenario file, as CI servers read it.
type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
}

// junitMessage is the first sentence as an attribute, and all of them as the text.
type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes the results of files, replacing the file atomically.
func writeJUnit(path string, files []testedFile) error {
	var report junitReport
	for _, f := range files {
		suite := f.junitSuite()
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
		report.Suites = append(report.Suites, suite)
	}
	data, err := xml.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, append([]byte(xml.Header), append(data, '\n')...), 0o644)
}

// junitSuite returns the suite of a file; one that cannot be tested is a case with an error.
func (f testedFile) junitSuite() junitSuite {
	suite := junitSuite{Name: f.path, Time: strconv.FormatFloat(f.took.Round(time.Millisecond).Seconds(), 'f', 3, 64)}
	if len(f.faults) > 0 {
		suite.Errors, suite.Cases = 1, []junitCase{{Class: f.path, Name: "scenario", Error: newJUnitMessage(f.faults)}}
	}
	for _, one := range f.run.Results {
		c := junitCase{Class: f.path, Name: one.Name}
		if !one.Passed {
			suite.Failures++
			var sentences []string
			for _, failure := range one.Failures {
				sentences = append(sentences, failure.Sentence())
			}
			c.Failure = newJUnitMessage(sentences)
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	return suite
}

func newJUnitMessage(sentences []string) *junitMessage {
	return &junitMessage{Message: sentences[0], Text: strings.Join(sentences, "\n")}
}
