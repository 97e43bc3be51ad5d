package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// Margins of a clip around the words of a turn: its consonants are quiet.
const (
	clipBefore = 300 * time.Millisecond
	clipAfter  = 400 * time.Millisecond
)

// ReadClip returns the sound of a clip of an organization's test: a span of the called person's channel in a recorded
// call, at [blob.Rate]. The error says which recording is gone or damaged.
func (u *UseCases) ReadClip(ctx context.Context, orgID, name string) ([]int16, error) {
	span, ok := scenario.ParseClip(name)
	if !ok {
		return nil, fmt.Errorf("it must be the span of a call's recording, as in call_1@2.50-4.10, of at most %v",
			scenario.MaxClip)
	}
	c, err := u.Store.FindCall(ctx, orgID, span.CallID)
	if err != nil {
		return nil, err
	}
	if c.Recording == "" {
		return nil, errors.New("the recording of the call is no longer there")
	}
	file, err := u.OpenRecording(ctx, c)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the recording of the call is no longer there")
	}
	if err != nil {
		return nil, err
	}
	sound, err := blob.ReadPersonSpan(file, span.From, span.To)
	return sound, errors.Join(err, file.Close())
}

// CallTest is a test that was made of a call.
type CallTest struct {
	ScenarioID string
	Test       scenario.ScenarioTest
}

// KeepCallTest adds a test made of an ended conversation to the draft of its scenario: the person's turns as typed
// lines, or with voice as clips of the recording; its report, and the steps that the typed lines lead to if they lead
// to the same report. The person's name and number are left out.
func (u *UseCases) KeepCallTest(ctx context.Context, who Caller, callID, name string, voice bool) (CallTest, error) {
	c, err := u.Store.FindCall(ctx, who.OrgID, callID)
	if err != nil {
		return CallTest{}, err
	}
	if c.Status != call.Completed || c.ErasedAt != nil || len(c.Report) == 0 {
		return CallTest{}, &ConflictError{
			Reason: StateForbidden, Message: "Only a completed call with its words and report can become a test",
		}
	}
	if voice && (c.Recording == "" || c.RecordingSum == nil) {
		return CallTest{}, &ConflictError{Reason: StateForbidden, Message: "The call has no recording to cut clips from"}
	}
	found, known, err := u.FindScenario(ctx, who.OrgID, c.ScenarioID)
	if err == nil && !known {
		err = store.Errorf(store.CodeNotFound, "there is no scenario %q", c.ScenarioID)
	}
	if err != nil {
		return CallTest{}, err
	}
	plan := found.Latest()
	version := plan.Version
	t := testOfCall(c, plan, voice)
	t.Name = unusedName(plan.Tests, name)
	if t.Expect.Steps, err = u.expectedSteps(ctx, plan, c, t); err != nil {
		return CallTest{}, err
	}
	plan.Tests = append(slices.Clip(plan.Tests), t)
	plan.Status = scenario.DraftStatus
	_, err = u.PutScenario(ctx, who, plan, func(kept scenario.Scenario) bool { return kept.Version == version })
	return CallTest{plan.ID, t}, err
}

// unusedName returns the name, with a number behind it if a test has it.
func unusedName(tests []scenario.ScenarioTest, name string) string {
	for n := 1; ; n++ {
		free := name
		if n > 1 {
			free = fmt.Sprintf("%s (%d)", name, n)
		}
		if !slices.ContainsFunc(tests, func(t scenario.ScenarioTest) bool { return t.Name == free }) {
			return free
		}
	}
}

// expectedSteps returns the steps that the typed lines of a call lead to; none if they lead to another report.
func (u *UseCases) expectedSteps(
	ctx context.Context, plan scenario.Scenario, c call.Call, t scenario.ScenarioTest,
) ([]string, error) {
	if u.TryTest == nil {
		return nil, nil
	}
	typed := testOfCall(c, plan, false)
	typed.Name = t.Name
	plan.OrgID = c.OrgID
	steps, report, err := u.TryTest(ctx, plan, typed)
	if err != nil {
		return nil, err
	}
	var got map[string]any
	if len(report) > 0 {
		_ = json.Unmarshal(report, &got) // of the conversation, which encoded it
	}
	if !reflect.DeepEqual(got, t.Expect.Report) {
		return nil, nil
	}
	return steps, nil
}

// testOfCall returns the test of a call, without name and steps.
func testOfCall(c call.Call, plan scenario.Scenario, voice bool) scenario.ScenarioTest {
	t := scenario.ScenarioTest{Says: PersonLines(c, voice), Variables: map[string]any{}}
	if c.StartedAt != nil {
		at := c.StartedAt.Truncate(time.Millisecond)
		t.At = &at
	}
	for name, value := range c.Variables {
		t.Variables[name] = value
	}
	delete(t.Variables, c.NameVariable)
	for _, v := range plan.Variables {
		if v.Role == scenario.NameRole || v.Type == scenario.PhoneVariable {
			delete(t.Variables, v.Name)
		}
	}
	_ = json.Unmarshal(c.Report, &t.Expect.Report) // of the conversation, which encoded it
	return t
}

// pressedKeys is the transcript of keys that were pressed.
var pressedKeys = regexp.MustCompile(`^[0-9*#A-D]+$`)

// personEvent is a line of the person at a time of the call, in seconds.
type personEvent struct {
	at   float64
	line string
}

// PersonLines returns what the person did in a call as lines of a test: turns as typed lines or clips, keys, the
// silences after which the platform asked again, and the hang-up. Words from before the platform spoke, and words that
// did not stop it, are no answers.
func PersonLines(c call.Call, voice bool) (lines []string) {
	var events []personEvent
	for _, e := range c.Errors {
		if e.Code == "no_input" {
			events = append(events, personEvent{e.At, "silent"})
		}
	}
	for _, m := range c.Messages {
		if m.Role == call.User && !isAside(c.Messages, m) {
			events = append(events, personEvent{m.Start, personLine(c, m, voice)})
		}
	}
	slices.SortStableFunc(events, func(a, b personEvent) int { return int((a.at - b.at) * 1000) })
	for _, e := range events {
		lines = append(lines, e.line)
	}
	if c.EndedBy == call.ByCustomer {
		lines = append(lines, "hangup")
	}
	return lines[:min(len(lines), scenario.MaxTestSays)]
}

// isAside reports whether a turn came before the platform's first words, or during words that it did not stop.
func isAside(all []call.Message, m call.Message) bool {
	const slack = 0.2 // seconds
	before := false
	for _, other := range all {
		if other.Role != call.Assistant || other.Start > m.Start {
			continue
		}
		if before = true; m.End < other.End-slack {
			return true
		}
	}
	return !before
}

// personLine returns a turn as a line of a test. A turn of which the transcript leaves something out is silent in the
// recording, and stays typed.
func personLine(c call.Call, m call.Message, voice bool) string {
	switch {
	case m.Confidence == 1 && pressedKeys.MatchString(m.Content):
		return "keys:" + m.Content
	case !voice || strings.Contains(m.Content, "[…]"):
		return m.Content
	}
	span := scenario.ClipSpan{
		CallID: c.ID,
		From:   max(0, time.Duration(m.Start*float64(time.Second))-clipBefore),
		To:     time.Duration(m.End*float64(time.Second)) + clipAfter,
	}
	span.To = min(span.To, span.From+scenario.MaxClip)
	return scenario.ClipLine + span.String()
}

// checkClips returns the violations of tests whose clips are no spans of the organization's recordings.
func (u *UseCases) checkClips(ctx context.Context, plan scenario.Scenario) (found []strictjson.Violation, err error) {
	for i, t := range plan.Tests {
		for j, line := range t.Says {
			name, isClip := strings.CutPrefix(line, scenario.ClipLine)
			if !isClip {
				continue
			}
			at := scenario.IndexPath(scenario.IndexPath("tests", i)+".says", j)
			span, ok := scenario.ParseClip(name)
			if !ok {
				found = append(found, strictjson.Violation{Field: at, Message: fmt.Sprintf(
					"must name a span of a call's recording, as in clip:call_1@2.50-4.10, of at most %v", scenario.MaxClip)})
				continue
			}
			switch _, err := u.Store.FindCall(ctx, plan.OrgID, span.CallID); {
			case store.CodeOf(err) == store.CodeNotFound:
				found = append(found, strictjson.Violation{
					Field: at, Message: "names a call that does not exist: " + span.CallID,
				})
			case err != nil && !store.IsUnreadable(err):
				return nil, err
			}
		}
	}
	return found, nil
}
