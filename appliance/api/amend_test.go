package api_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/store/call"
	"munadi/store/scenario"
)

// scenarioOfEveryType is a scenario with an answer of each type.
func scenarioOfEveryType() scenario.Scenario {
	plan := builtIn()
	low := 1.0
	for _, slot := range []scenario.AnswerSlot{
		{Name: "sure", Type: scenario.YesNo},
		{Name: "guests", Type: scenario.Number, Min: &low},
		{Name: "day", Type: scenario.Date},
		{Name: "at", Type: scenario.Time},
		{Name: "size", Type: scenario.Choice, Choices: []scenario.ChoiceOption{{Value: "large"}, {Value: "small"}}},
		{Name: "wish", Type: scenario.Text},
	} {
		plan.Steps = append(plan.Steps, scenario.FlowStep{ID: slot.Name, Type: scenario.Ask, Slot: &slot})
	}
	return plan
}

// addFinishedCall adds an ended call of acme with [scenarioOfEveryType], with a report and a transcript.
func (b *apiFixture) addFinishedCall() call.Call {
	b.Helper()
	c := b.bringCallTo("acme", call.InProgress, nil)
	_, err := b.store.FinishCall(b.Context(), "acme", c.ID, call.CallOutcome{
		Status: call.Completed, Report: json.RawMessage(`{"sure":true,"guests":4,"day":null,"at":null,"size":"large","wish":null}`),
		Messages: []call.Message{
			{Role: call.Assistant, Content: "هل تؤكدون الحجز"}, {Role: call.User, Content: "إي نعم أكّد، مستشفى"},
		},
	}, nil, b.now)
	mustSucceed(b, err)
	return c
}

// TestAmendments: notes, follow-up marks and corrections are stored in addition to the recognized values.
func TestAmendments(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.UseCases.BuiltIn = func() []scenario.Scenario { return []scenario.Scenario{scenarioOfEveryType()} }
	})
	path := "/calls/" + b.addFinishedCall().ID
	b.askPath("POST", path+"/notes", `{"text":" ring in the evening "}`).want(201)
	b.askPath("POST", path+"/notes", `{"text":" "}`).failure(422, "validation_error", "text")
	b.askPath("POST", path+"/notes", `{"text":"`+strings.Repeat("م", 1001)+`"}`).failure(422, "validation_error", "text")
	b.askPath("POST", path+"/needs_person", `{"action":"done"}`).failure(409, "conflict")
	for _, action := range []string{`"x"`, `""`, `null`} {
		b.askPath("POST", path+"/needs_person", `{"action":`+action+`}`).failure(422, "validation_error", "action")
	}
	b.askPath("POST", path+"/needs_person", `{}`).want(200)
	if got := b.askPath("GET", "/calls?needs_person=true&sort=due_at", "").want(200); got.text("data", 0, "needs_person", "reason") != "staff" {
		t.Errorf("the queue is %s", got.Body)
	}
	b.askPath("POST", path+"/needs_person", `{"action":"take"}`).want(200)
	b.askPath("POST", path+"/needs_person", `{"action":"done","text":"rung"}`).want(200)
	if got := b.askPath("GET", "/calls?needs_person=true", "").want(200); len(got.at("data").([]any)) > 0 {
		t.Errorf("the queue is %s", got.Body)
	}
	b.askPath("POST", path+"/corrections", `{"answers":{"sure":false,"guests":5,"day":"2026-12-01","at":"09:05","size":"small","wish":"x"},
		"messages":[{"index":1,"content":"لا"}]}`).want(201)
	got := b.askPath("GET", path, "").want(200)
	for what, want := range map[string]any{
		"report":           `{"at":null,"day":null,"guests":4,"size":"large","sure":true,"wish":null}`,
		"corrected_report": `{"at":"09:05","day":"2026-12-01","guests":5,"size":"small","sure":false,"wish":"x"}`,
	} {
		if text, err := json.Marshal(got.at("data", what)); err != nil || string(text) != want {
			t.Errorf("%s is %s, want %s", what, text, want)
		}
	}
	words := got.at("data", "corrections", 6).(map[string]any)
	if words["before"] != "إي نعم أكّد، مستشفى" || words["after"] != "لا" || words["message"] != 1.0 || words["by"] != "key:k1" {
		t.Errorf("the correction of words is %v", words)
	}
	if got.text("data", "enhanced_transcript", "transcript", "messages", 1, "content") != "إي نعم أكّد، مستشفى" {
		t.Error("what was heard has changed")
	}
	if notes := got.at("data", "notes").([]any); len(notes) != 2 || got.text("data", "notes", 0, "text") != "ring in the evening" {
		t.Errorf("the notes are %v", notes)
	}
	b.askPath("DELETE", "/people/+966500000042", "").want(200)
	b.askPath("POST", path+"/notes", `{"text":"again"}`).failure(409, "conflict")
	if left := b.askPath("GET", path, "").want(200); len(left.at("data", "notes").([]any)) > 0 || left.at("data", "needs_person") != nil {
		t.Errorf("after the erasure: %s", left.Body)
	}
}

// TestCorrectionViolations checks that a correction must have the answer's type, and be of a turn of the callee.
func TestCorrectionViolations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.UseCases.BuiltIn = func() []scenario.Scenario { return []scenario.Scenario{scenarioOfEveryType()} }
	})
	path := "/calls/" + b.addFinishedCall().ID + "/corrections"
	for body, field := range map[string]string{
		`{}`:                                        "answers",
		`{"answers":{"nothing":1}}`:                 "answers.nothing",
		`{"answers":{"sure":"yes"}}`:                "answers.sure",
		`{"answers":{"guests":0}}`:                  "answers.guests",
		`{"answers":{"guests":"5"}}`:                "answers.guests",
		`{"answers":{"day":"2026-02-30"}}`:          "answers.day",
		`{"answers":{"at":"25:00"}}`:                "answers.at",
		`{"answers":{"size":"huge"}}`:               "answers.size",
		`{"answers":{"wish":""}}`:                   "answers.wish",
		`{"answers":{"wish":["x"]}}`:                "answers.wish",
		`{"messages":[{"index":0,"content":"x"}]}`:  "messages.0",
		`{"messages":[{"index":9,"content":"x"}]}`:  "messages.0",
		`{"messages":[{"index":-1,"content":"x"}]}`: "messages.0",
		`{"messages":[{"index":1,"content":" "}]}`:  "messages.0.content",
	} {
		t.Log(body)
		b.askPath("POST", path, body).failure(422, "validation_error", field)
	}
	running := b.bringCallTo("acme", call.InProgress, nil)
	b.askPath("POST", "/calls/"+running.ID+"/corrections", `{"answers":{"sure":true}}`).failure(409, "conflict")
	if got := b.askPath("POST", path, `{"answers":{"sure":true}}`).want(201); len(got.at("data", "corrections").([]any)) > 0 {
		t.Errorf("a value as it was is a correction: %s", got.Body)
	}
	for i := range call.MaxCorrections {
		b.askPath("POST", path, `{"answers":{"guests":`+[]string{"1", "2"}[i%2]+`}}`).want(201)
	}
	b.askPath("POST", path, `{"answers":{"guests":7}}`).failure(409, "conflict")
}

// TestCallsAreFoundByWords checks that calls are found by words of either speaker, regardless of spelling, also by
// corrected words.
func TestCallsAreFoundByWords(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.UseCases.BuiltIn = func() []scenario.Scenario { return []scenario.Scenario{scenarioOfEveryType()} }
	})
	c := b.addFinishedCall()
	b.bringCallTo("acme", call.Scheduled, nil)
	b.askPath("POST", "/calls/"+c.ID+"/corrections", `{"messages":[{"index":1,"content":"لا شكرا"}]}`).want(201)
	for words, want := range map[string]int{
		"اكد مستشفي": 1, "تؤكدون": 1, "شكراً": 1, "غدا": 0, "مستشفى تؤكدون": 0,
	} {
		got := b.askPath("GET", "/calls?said="+url.QueryEscape(words), "").want(200)
		if n := len(got.at("data").([]any)); n != want {
			t.Errorf("%d calls are found by %q, want %d", n, words, want)
		}
	}
	b.askPath("GET", "/calls?said=%21%21", "").failure(422, "validation_error", "said")
	if got := b.askPath("GET", "/calls?said="+url.QueryEscape("تؤكدون"), "", withKey(rival)).want(200); len(got.at("data").([]any)) > 0 {
		t.Errorf("another organization finds %s", got.Body)
	}
}
