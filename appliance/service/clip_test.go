package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/memory"
	"munadi/store/scenario"
)

const talkID = "call_0b0f6f4e-3c36-4a51-9a3b-0e9d3a3d7a11"

// talk is a completed conversation: a greeting, a silence, an answer, a key, words that did not stop the platform.
func talk() call.CallOutcome {
	said := func(role call.SpeakerRole, text string, start, end, confidence float64) call.Message {
		return call.Message{Role: role, Content: text, Start: start, End: end, Confidence: confidence}
	}
	seconds := 20
	return call.CallOutcome{
		Status: call.Completed, EndedBy: call.ByCustomer, Duration: &seconds,
		Report: json.RawMessage(`{"ok":true,"n":2}`),
		Messages: []call.Message{
			said(call.User, "الو", 0.2, 0.6, 0.9),
			said(call.Assistant, "السلام عليكم أيناسبكم", 1, 4, 1), said(call.User, "طيب", 2, 2.4, 0.8),
			said(call.Assistant, "أيناسبكم", 9, 10, 1), said(call.User, "نعم", 11, 11.5, 0.9),
			said(call.Assistant, "كم", 12, 13, 1), said(call.User, "2", 14, 14, 1),
			said(call.Assistant, "شكرا", 15, 16, 1), said(call.User, "رقمي […]", 17, 18, 0.9),
		},
		Errors: []call.CallError{{Code: "no_input", At: 8.9}},
	}
}

// TestPersonLines checks which turns of a call become lines, and how.
func TestPersonLines(t *testing.T) {
	t.Parallel()
	c := call.Call{ID: "call_1", Messages: talk().Messages, Errors: talk().Errors, EndedBy: call.ByCustomer}
	if got := service.PersonLines(c, false); !slices.Equal(got, []string{"silent", "نعم", "keys:2", "رقمي […]", "hangup"}) {
		t.Errorf("%q", got)
	}
	if got := service.PersonLines(c, true); !slices.Equal(got, []string{
		"silent", "clip:call_1@10.70-11.90", "keys:2", "رقمي […]", "hangup",
	}) {
		t.Errorf("%q", got)
	}
}

// clipCases are use cases over one completed call with a recording of 20 s.
func clipCases(t *testing.T) (*service.UseCases, call.Call) {
	t.Helper()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"acme", "other"} {
		must(s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id}, "test"))
	}
	folder, err := blob.OpenFolder(t.TempDir())
	must(err)
	plan, faults, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"visit","name":"v",
		"variables":[{"name":"who","role":"name"},{"name":"day"}],
		"steps":[{"id":"q","type":"ask","say":"أيناسبكم","slot":{"name":"ok","type":"yes_no"}},{"id":"z","type":"end"}]}`))
	if must(err); len(faults) > 0 {
		t.Fatal(faults)
	}
	plan.OrgID = "acme"
	must(s.CreateScenario(t.Context(), plan, "test", now))
	c := call.Call{
		ID: talkID, OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "visit", CreatedAt: now,
		Booking: call.Immediate, ScheduledAt: now, Variables: map[string]any{"who": "سارة", "day": "الأحد"}, NameVariable: "who",
		Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: talkID},
	}
	_, err = s.BookCall(t.Context(), c, "test", nil)
	must(err)
	_, err = s.ReleaseCall(t.Context(), "acme", c.ID, now)
	must(err)
	_, err = s.AnswerCall(t.Context(), "acme", c.ID, blob.RecordingName("acme", c.ID), now)
	must(err)
	file, err := folder.CreateRecording(blob.RecordingName("acme", c.ID))
	must(err)
	left := make([]int16, 20*blob.Rate)
	for i := range left {
		left[i] = int16(i / blob.Rate) // the second
	}
	must(errors.Join(file.AppendFrames(left, make([]int16, len(left))), file.Close()))
	o := talk()
	o.Recording, o.RecordingSum = blob.RecordingName("acme", c.ID), file.Sum()
	_, err = s.FinishCall(t.Context(), "acme", c.ID, o, nil, now)
	must(err)
	c, err = s.FindCall(t.Context(), "acme", c.ID)
	must(err)
	return &service.UseCases{
		Store: s, Recordings: folder, BuiltIn: func() []scenario.Scenario { return nil }, Now: func() time.Time { return now },
	}, c
}

// TestReadClip checks that a clip is the person's sound of its span, and that other organizations, spans beyond the end,
// damaged and erased recordings are errors.
func TestReadClip(t *testing.T) {
	t.Parallel()
	u, c := clipCases(t)
	sound, err := u.ReadClip(t.Context(), "acme", talkID+"@3.00-5.00")
	if err != nil || len(sound) != 2*blob.Rate || sound[0] != 3 || sound[len(sound)-1] != 4 {
		t.Errorf("%d samples, %v", len(sound), err)
	}
	for orgID, name := range map[string]string{"other": talkID + "@3.00-5.00", "acme": talkID + "@20.00-21.00"} {
		if sound, err := u.ReadClip(t.Context(), orgID, name); err == nil {
			t.Errorf("%s of %s: %d samples", name, orgID, len(sound))
		}
	}
	if _, err := u.ErasePerson(t.Context(), service.Caller{OrgID: "acme", Actor: "test"}, c.PhoneNumber); err != nil {
		t.Fatal(err)
	}
	if _, err := u.ReadClip(t.Context(), "acme", talkID+"@3.00-5.00"); err == nil || !strings.Contains(err.Error(), "no longer there") {
		t.Errorf("after an erasure: %v", err)
	}
}

// TestCallBecomesTest checks the test that a call becomes, that it is a draft's, and who may make one.
func TestCallBecomesTest(t *testing.T) {
	t.Parallel()
	u, c := clipCases(t)
	u.TryTest = func(
		_ context.Context, s scenario.Scenario, one scenario.ScenarioTest,
	) ([]string, json.RawMessage, error) {
		if s.OrgID != "acme" || slices.ContainsFunc(one.Says, func(line string) bool { return strings.HasPrefix(line, "clip:") }) {
			t.Errorf("tried in %q: %q", s.OrgID, one.Says)
		}
		return []string{"q", "z"}, json.RawMessage(`{"n":2,"ok":true}`), nil
	}
	who := service.Caller{OrgID: "acme", Actor: "user:u1"}
	for i, name := range []string{"one", "one (2)"} {
		made, err := u.KeepCallTest(t.Context(), who, c.ID, "one", i == 1)
		if err != nil || made.Test.Name != name || made.ScenarioID != "visit" || made.Test.HasSound() != (i == 1) ||
			made.Test.Expect.Report["ok"] != true || !slices.Equal(made.Test.Expect.Steps, []string{"q", "z"}) ||
			made.Test.Variables["who"] != nil || made.Test.Variables["day"] != "الأحد" {
			t.Fatalf("%+v, %v", made, err)
		}
	}
	found, _, err := u.FindScenario(t.Context(), "acme", "visit")
	if err != nil || len(found.Tests) != 0 || len(found.Latest().Tests) != 2 || found.Latest().IsPublished() {
		t.Errorf("%+v, %v", found, err)
	}
	trail, err := u.Store.(store.AuditStore).AuditTrail(t.Context(), "acme", 1, "")
	if err != nil || trail.Items[0].Action != "scenario.draft" || trail.Items[0].Actor != "user:u1" {
		t.Errorf("%+v, %v", trail.Items, err)
	}
	if _, err := u.KeepCallTest(t.Context(), service.Caller{OrgID: "other"}, c.ID, "x", false); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("of another organization: %v", err)
	}
	if _, err := u.ErasePerson(t.Context(), who, c.PhoneNumber); err != nil {
		t.Fatal(err)
	}
	var conflict *service.ConflictError
	if _, err := u.KeepCallTest(t.Context(), who, c.ID, "x", false); !errors.As(err, &conflict) {
		t.Errorf("of an erased person: %v", err)
	}
}

// TestForeignClips checks that a scenario cannot be saved with a clip that is none, or of another organization's call.
func TestForeignClips(t *testing.T) {
	t.Parallel()
	u, _ := clipCases(t)
	plan, _, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"mine","name":"m","steps":[{"id":"z","type":"end"}],
		"tests":[{"name":"t","says":["نعم","clip:`+talkID+`@1-2"]},{"name":"u","says":["clip:/etc/passwd"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for orgID, fields := range map[string][]string{"acme": {"tests.1.says.0"}, "other": {"tests.0.says.1", "tests.1.says.0"}} {
		_, err := u.CreateScenario(t.Context(), service.Caller{OrgID: orgID, Actor: "test"}, plan)
		var got []string
		if broken, ok := errors.AsType[*service.ViolationError](err); ok {
			for _, v := range broken.Violations {
				got = append(got, v.Field)
			}
		}
		if !slices.Equal(got, fields) {
			t.Errorf("%s: %v, %v", orgID, got, err)
		}
	}
}
