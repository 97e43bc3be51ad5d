package main

import (
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

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
