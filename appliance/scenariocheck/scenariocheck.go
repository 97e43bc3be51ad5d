// Package scenariocheck checks scenarios against the rules of the installation and the organization: language-model
// endpoints, dialling rules of transfers, and voices that can speak the lines. Package store/scenario makes the checks
// that need the scenario alone.
package scenariocheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/excerpt"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// Dependencies are the rules and voices that scenarios are checked against.
type Dependencies struct {
	Transfers *TransferChecker
	Endpoint  func(orgID, name string) bool // the organization may use the llm endpoint of that name
	Tool      func(orgID, name string) bool // and the tool
	// Texts returns the texts that a call of the scenario will have to speak, as far as they are known before it.
	Texts   func(s scenario.Scenario, variables map[string]any, rules callrules.CallRules) []string
	Speaker tts.SpeechChecker
	// HasLanguage reports whether the speech model in use knows a language or locale; nil: it knows all.
	HasLanguage func(language string) bool
}

// ScenarioChecker checks scenarios. It is safe for concurrent use.
type ScenarioChecker struct{ Dependencies }

// NewChecker returns a checker.
func NewChecker(d Dependencies) *ScenarioChecker { return &ScenarioChecker{d} }

// CheckSaved returns the violations that forbid saving a scenario for its organization, then warnings: a language that
// the speech model does not know, and lines that no voice can speak.
func (c *ScenarioChecker) CheckSaved(
	ctx context.Context, s scenario.Scenario,
) (faults, warnings []strictjson.Violation, err error) {
	if s.LLM != nil && !c.Endpoint(s.OrgID, s.LLM.Endpoint) {
		faults = append(faults, strictjson.Violation{Field: "llm.endpoint", Message: fmt.Sprintf(
			"names no language model of this organization: %s; the operator sets them in llm-endpoints", s.LLM.Endpoint)})
	}
	checkTool := func(path, name string) {
		if !c.Tool(s.OrgID, name) {
			faults = append(faults, strictjson.Violation{Field: path + ".tool", Message: fmt.Sprintf(
				"names no tool of this organization: %s; the operator sets them in tools", name)})
		}
	}
	for i, step := range s.Steps {
		path := scenario.IndexPath("steps", i)
		if step.Type == scenario.Fetch {
			checkTool(path, step.Tool)
		}
		for k, t := range step.Tools {
			checkTool(scenario.IndexPath(path+".tools", k), t.Tool)
		}
	}
	forbidden, err := c.Transfers.checkScenario(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	if faults = append(faults, forbidden...); len(faults) > 0 {
		return faults, nil, nil
	}
	return nil, append(c.checkLanguage(s.Language), c.listUnspeakable(ctx, s, fixedLines(s))...), nil
}

// checkLanguage returns a warning about a language that the speech model in use does not know.
func (c *ScenarioChecker) checkLanguage(language string) []strictjson.Violation {
	if c.HasLanguage == nil || c.HasLanguage(language) {
		return nil
	}
	return []strictjson.Violation{{
		Field: "language", Message: "is not known by the speech model in use, which recognizes calls in its usual language",
	}}
}

// CheckBooked returns why a call of the scenario with these variables cannot be made: lines that no voice can speak.
// Each names the line and the remedy.
func (c *ScenarioChecker) CheckBooked(
	ctx context.Context, s scenario.Scenario, variables map[string]any,
) ([]strictjson.Violation, error) {
	rules, err := c.Transfers.Store.FindRules(ctx, s.OrgID)
	if err != nil {
		return nil, err
	}
	said := c.Texts(s, variables, rules)
	lines := make([]spokenLine, len(said))
	for i, text := range said {
		lines[i] = spokenLine{"scenario_id", text}
	}
	return c.listUnspeakable(ctx, s, lines), nil
}

// spokenLine is a text to be spoken, and the scenario field that a violation names.
type spokenLine struct{ field, text string }

// fixedLines returns the mandatory lines without templates, each text once.
func fixedLines(s scenario.Scenario) []spokenLine {
	var all []spokenLine
	seen := map[string]bool{}
	add := func(field string, lines scenario.SpokenLines) {
		for i, l := range lines {
			if l.Optional || !scenario.IsFixed(l.Text) || seen[l.Text] {
				continue
			}
			seen[l.Text] = true
			path := field
			if len(lines) > 1 {
				path = fmt.Sprintf("%s.%d", field, i)
			}
			all = append(all, spokenLine{path, l.Text})
		}
	}
	for i, step := range s.Steps {
		path := fmt.Sprintf("steps.%d", i)
		for _, list := range step.LineLists() {
			add(path+"."+list.Field, *list.Lines)
		}
	}
	add("identify", s.Identify)
	add("voicemail", s.Voicemail)
	for i, q := range s.Questions {
		add(fmt.Sprintf("questions.%d.say", i), q.Say)
	}
	return all
}

const (
	checkTime = 5 * time.Second // for all lines; the remaining ones are not checked
	maxNamed  = 20              // lines that are named
)

// listUnspeakable returns the lines that no voice can speak. A slow or unreachable voice is ignored.
func (c *ScenarioChecker) listUnspeakable(
	ctx context.Context, s scenario.Scenario, lines []spokenLine,
) []strictjson.Violation {
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	check := c.startCheck(s)
	var found []strictjson.Violation
	for _, l := range lines {
		if err := findUnspoken(limited, check, l.text); err != nil {
			found = append(found, strictjson.Violation{Field: l.field, Message: unspokenMessage(l.text, err)})
		}
		if limited.Err() != nil || len(found) == maxNamed {
			break
		}
	}
	return found
}

// startCheck returns what checks the lines of a scenario.
func (c *ScenarioChecker) startCheck(s scenario.Scenario) func(context.Context, string) error {
	return c.Speaker.StartCheck(tts.SpeechRequest{OrgID: s.OrgID, Voice: s.Voice})
}

// findUnspoken returns why no voice can say a text; nil also where that is not known in time.
func findUnspoken(ctx context.Context, check func(context.Context, string) error, text string) error {
	err := check(ctx, text)
	if ctx.Err() == nil && errors.Is(err, tts.ErrNoVoice) && !errors.Is(err, tts.ErrVoiceFailed) {
		return err
	}
	return nil
}

const maxQuoted = 120 // characters of a line that a message repeats

// unspokenMessage names a line that no voice can say, and the remedy.
func unspokenMessage(text string, err error) string {
	if lacking, ok := errors.AsType[*tts.UnspokenError](err); ok {
		return fmt.Sprintf("cannot be spoken as it is written: “%s”: %v; write it in other words, or choose another voice",
			excerpt.TruncateText(text, maxQuoted), lacking)
	}
	return fmt.Sprintf("cannot be spoken: “%s” has no recording and no voice is set up; add a recording of it, set "+
		"speech-url, install espeak-ng, or make the line optional", excerpt.TruncateText(text, maxQuoted))
}

// ScenarioStore reads the scenarios of organizations.
type ScenarioStore interface {
	FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
	FindScenarioVersion(ctx context.Context, orgID, id string, number int) (scenario.ScenarioVersion, error)
}

// ScenarioFinder finds the scenarios that calls use: an organization's own before the built-in ones, no drafts.
type ScenarioFinder struct {
	Store   ScenarioStore
	BuiltIn []scenario.Scenario
}

// ScenarioVersion returns the version of the scenario of that id that a call was booked with; the current one if that
// version is not kept, or if the current one takes over booked calls.
func (f *ScenarioFinder) ScenarioVersion(
	ctx context.Context, orgID, id string, version int,
) (scenario.Scenario, error) {
	current, err := f.Scenario(ctx, orgID, id)
	if err != nil || current.UpdateBookedCalls || current.Version == version {
		return current, err
	}
	kept, err := f.Store.FindScenarioVersion(ctx, orgID, id, version)
	if store.CodeOf(err) == store.CodeNotFound {
		return current, nil
	}
	return kept.Scenario, err
}

// Scenario returns the scenario of that id; CodeNotFound without one.
func (f *ScenarioFinder) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	own, err := f.Store.FindScenario(ctx, orgID, id)
	if err == nil && own.IsPublished() || err != nil && store.CodeOf(err) != store.CodeNotFound {
		return own, err
	}
	for _, s := range f.BuiltIn {
		if s.ID == id {
			return s, nil
		}
	}
	return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "there is no published scenario %q", id)
}

// rowsTime is the timeout for the lines of all rows of a campaign; the remaining ones are not checked.
const rowsTime = 10 * time.Second

// CheckRows is [ScenarioChecker.CheckBooked] for many calls of one scenario, by their variables. all concerns
// every call: lines without values. each concerns one call, in field variables. A text is checked once.
func (c *ScenarioChecker) CheckRows(
	ctx context.Context, s scenario.Scenario, rows []map[string]any,
) (all []strictjson.Violation, each [][]strictjson.Violation, err error) {
	rules, err := c.Transfers.Store.FindRules(ctx, s.OrgID)
	if err != nil {
		return nil, nil, err
	}
	fixed := fixedLines(s)
	for i := range fixed {
		fixed[i].field = "scenario_id"
	}
	if all = c.listUnspeakable(ctx, s, fixed); len(all) > 0 {
		return all, nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, rowsTime)
	defer cancel()
	check := c.startCheck(s)
	mute := map[string]error{} // by text
	each = make([][]strictjson.Violation, len(rows))
	for i := 0; i < len(rows) && limited.Err() == nil; i++ {
		for _, text := range c.Texts(s, rows[i], rules) {
			if _, judged := mute[text]; !judged {
				mute[text] = findUnspoken(limited, check, text)
			}
			if err := mute[text]; err != nil {
				each[i] = append(each[i], strictjson.Violation{Field: "variables", Message: unspokenMessage(text, err)})
			}
		}
	}
	return nil, each, ctx.Err()
}

// SpeechCheck checks before a call is dialled that all its sentences can be spoken.
type SpeechCheck struct {
	Scenarios *ScenarioFinder
	Check     func(ctx context.Context, c call.Call, s scenario.Scenario) error // tts.ErrNoVoice when they cannot
}

// CheckCall returns the error of Check; nil for a call whose scenario was deleted, which the dialer fails with another
// reason.
func (k SpeechCheck) CheckCall(ctx context.Context, c call.Call) error {
	s, err := k.Scenarios.ScenarioVersion(ctx, c.OrgID, c.ScenarioID, c.ScenarioVersion)
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return k.Check(ctx, c, s)
}
