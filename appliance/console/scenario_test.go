package console_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/console"
	"munadi/appliance/service"
	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/storetest"
	"munadi/store/strictjson"
)

// fakeSpeaker speaks every text except those without a voice, and records its requests.
type fakeSpeaker struct{ asked []tts.SpeechRequest }

func (s *fakeSpeaker) Speak(_ context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	s.asked = append(s.asked, r)
	if strings.Contains(r.Text, "شكرا") {
		return tts.SpokenSound{}, tts.ErrNoVoice
	}
	return tts.SpokenSound{PCM: make([]int16, 800)}, nil
}

func newSpeakerBench(t *testing.T, change ...func(*console.Dependencies)) (*consoleBench, *fakeSpeaker) {
	t.Helper()
	builtIn := builtInScenarios(t)
	templates, err := parseTemplates()
	if err != nil {
		t.Fatal(err)
	}
	voice := &fakeSpeaker{}
	return newBench(t, append(change, func(d *console.Dependencies) {
		d.UseCases.BuiltIn, d.UseCases.Templates = func() []scenario.Scenario { return builtIn }, templates
		d.Speaker = voice
	})...), voice
}

const appointment = "/scenarios/appointment_confirmation"

func TestScenarioReadsLikeAScript(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.getPage(account.Viewer, "/scenarios").wantStatus(200).wantTexts("built in", "appointment_confirmation", "restaurant_order").wantNoTexts("New scenario")
	p := b.getPage(account.Viewer, appointment).wantStatus(200)
	p.wantTexts("هل تؤكدون الحضور في هذا الموعد", "Asks for", "confirmed", "yes or no", "<q><bdi>Yes</bdi></q>", "Question: confirmed?", "#step-confirmed",
		`title="{{date|date}}">`, "values are filled in", "if possible", "asks again once at most", "300 s").
		wantNoTexts("Delete", "Try it", ">Edit<")
	b.getPage(account.Operator, appointment).wantTexts("Try it in the simulator", "Cooperative").wantNoTexts("/delete")
	b.getPage(account.Viewer, "/scenarios/nothing").wantStatus(404)
}

// TestScenarioIsEdited checks that a scenario is copied, changed, saved and deleted, and that the editor's JSON saves
// unchanged.
func TestScenarioIsEdited(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	form := b.getPage(account.Operator, "/scenarios/new?from=restaurant_order").wantStatus(200).formValues("/console/scenarios")
	form.Set("from", "restaurant_order")
	if form.Get("id") != "restaurant_order_2" {
		t.Errorf("suggests %q", form.Get("id"))
	}
	form.Set("name", "مطعمي <&>")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/restaurant_order_2/edit")
	made, err := b.store.FindScenario(t.Context(), "acme", "restaurant_order_2")
	b.mustSucceed(err)
	edit := b.getPage(account.Operator, "/scenarios/restaurant_order_2/edit").wantStatus(200).formValues("/console/scenarios/restaurant_order_2")
	b.postForm(account.Operator, "/scenarios/restaurant_order_2", edit).wantRedirect("/console/scenarios/restaurant_order_2")
	same, err := b.store.FindScenario(t.Context(), "acme", "restaurant_order_2")
	b.mustSucceed(err)
	if made.IsPublished() {
		t.Error("a copy is in force at once")
	}
	made.Status = scenario.PublishedStatus
	if diff := cmp.Diff(scenarioJSON(t, made), scenarioJSON(t, same)); diff != "" {
		t.Errorf("saved unchanged, it is another: %s", diff)
	}
	b.postForm(account.Operator, "/scenarios/restaurant_order_2", edit).wantStatus(409).wantTexts("Someone saved another version")
	edit = b.getPage(account.Operator, "/scenarios/restaurant_order_2/edit").formValues("/console/scenarios/restaurant_order_2")
	edit.Set("json", strings.Replace(edit.Get("json"), "السلام عليكم ورحمة الله", "أهلا", 1))
	b.postForm(account.Operator, "/scenarios/restaurant_order_2", edit).wantRedirect("/console/scenarios/restaurant_order_2")
	b.getPage(account.Viewer, "/scenarios/restaurant_order_2").wantTexts("أهلا", "مطعمي <&>", "the organization's own")
	b.getPage(account.Operator, "/scenarios/restaurant_order_2/delete").wantStatus(200).wantTexts("fail when they are due")
	b.postForm(account.Operator, "/scenarios/restaurant_order_2/delete", url.Values{}).wantRedirect("/console/scenarios")
	b.getPage(account.Viewer, "/scenarios/restaurant_order_2").wantStatus(404)
}

func scenarioJSON(t *testing.T, s scenario.Scenario) string {
	t.Helper()
	s.UpdatedAt = s.CreatedAt
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestBuiltInScenarioIsReplaced checks that a saved built-in scenario becomes the organization's, and that deleting
// that restores the built-in one.
func TestBuiltInScenarioIsReplaced(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.getPage(account.Operator, appointment+"/delete").wantStatus(404)
	form := b.getPage(account.Operator, appointment+"/edit").wantTexts("replaces it").formValues("/console" + appointment)
	form.Set("json", strings.Replace(form.Get("json"), "تأكيد موعد", "موعدنا", 1))
	b.postForm(account.Operator, appointment, form).wantRedirect("/console" + appointment)
	b.getPage(account.Operator, appointment).wantTexts("موعدنا", "replaces a built-in one")
	b.getPage(account.Operator, appointment+"/delete").wantTexts("is used again")
	b.postForm(account.Operator, appointment+"/delete", url.Values{}).wantRedirect("/console/scenarios")
	b.getPage(account.Operator, appointment).wantTexts("تأكيد موعد", "built in")
	b.postForm(account.Operator, appointment+"/delete", url.Values{}).wantStatus(404)
}

// TestScenarioViolationsAreShown checks that each violation is shown with its line and the lines around it, and that
// the typed text is kept.
func TestScenarioViolationsAreShown(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	source := "{\n \"id\": \"appointment_confirmation\",\n \"name\": \"x\",\n \"steps\": [\n  {\"id\": \"a\", \"type\": \"say\",\n   \"say\": [\n    \"hi\",\n    \"{{nobody}}\"\n   ]},\n  {\"id\": \"b\", \"type\": \"ask\", \"say\": \"?\",\n   \"next\": \"nowhere\"}\n ]\n}"
	p := b.postForm(account.Operator, appointment, url.Values{"json": {source}}).wantStatus(422)
	p.wantTexts("Nothing was saved. 3 errors", "steps.0.say.1", "Nothing is called \u2068nobody\u2069", `data-line="8"`, `data-line="11"`,
		"No step has the key \u2068nowhere\u2069", "Say what is asked for", `data-line="10"`)
	if got := p.formValues("/console" + appointment).Get("json"); got != source {
		t.Errorf("the editor has %q", got)
	}
	for typed, want := range map[string][]string{
		"{\n\"id\": \n}": {"not valid JSON", `data-line="3"`},
		"[]":             {"not valid JSON"},
		"":               {"not valid JSON"},
		`{"id": "other_id", "name": "x", "steps": [{"id": "a", "type": "end"}]}`:          {"The id doesn&#39;t change", `data-line="1"`},
		`{"id": "appointment_confirmation", "nme": "x"}`:                                  {"No such field."},
		`{"id": "appointment_confirmation", "pad": "` + strings.Repeat("x", 1<<20) + `"}`: {"larger than 1 MB"},
	} {
		p := b.postForm(account.Operator, appointment, url.Values{"json": {typed}}).wantStatus(422)
		for _, w := range want {
			if !strings.Contains(p.Body.String(), w) {
				t.Errorf("%.40q: not %q", typed, w)
			}
		}
	}
	if _, err := b.store.FindScenario(t.Context(), "acme", "appointment_confirmation"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("something was saved: %v", err)
	}
	b.postForm(account.Viewer, appointment, url.Values{"json": {source}}).wantStatus(403)
	b.getPage(account.Viewer, appointment+"/edit").wantStatus(403)
	b.postForm(account.Viewer, "/scenarios", url.Values{}).wantStatus(403)
}

func TestCopiesNeedAnIDOfTheirOwn(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	for id, want := range map[string]string{"Big": "not valid", "restaurant_order": "in use"} {
		b.postForm(account.Operator, "/scenarios", url.Values{"from": {"restaurant_order"}, "id": {id}, "name": {"x"}}).wantStatus(422).wantTexts(want)
	}
	b.postForm(account.Operator, "/scenarios", url.Values{"from": {"restaurant_order"}, "id": {"mine"}, "name": {" "}}).wantStatus(422).wantTexts("Give it a name")
	made := url.Values{"from": {"restaurant_order"}, "id": {""}, "name": {"طلبات X"}}
	b.postForm(account.Operator, "/scenarios", made).wantRedirect("/console/scenarios/tlbat_x/edit")
	b.postForm(account.Operator, "/scenarios", made).wantRedirect("/console/scenarios/tlbat_x_2/edit")
	b.postForm(account.Operator, "/scenarios", url.Values{"from": {"nothing"}, "id": {"mine"}, "name": {"x"}}).wantStatus(404)
}

// TestSentencesAreHeard checks that every fixed line is served as WAV; lines with variables and invalid numbers are not
// found.
func TestSentencesAreHeard(t *testing.T) {
	t.Parallel()
	b, voice := newSpeakerBench(t)
	p := b.getPage(account.Viewer, appointment).Body.String()
	if !strings.Contains(p, "/sound?line=0\"") || strings.Contains(p, "/sound?line=1\"") {
		t.Error("line 0 is fixed and line 1 has a template")
	}
	wav := b.getPage(account.Viewer, appointment+"/sound?line=0").wantStatus(200)
	if wav.Header().Get("Content-Type") != "audio/wav" || wav.Body.Len() != 44+1600 || !strings.HasPrefix(wav.Body.String(), "RIFF") {
		t.Errorf("%d bytes of %s", wav.Body.Len(), wav.Header().Get("Content-Type"))
	}
	if len(voice.asked) != 1 || voice.asked[0].Text != "السلام عليكم ورحمة الله" || voice.asked[0].OrgID != "acme" {
		t.Errorf("asked for %+v", voice.asked)
	}
	for _, line := range []string{"1", "-1", "9999", "x", ""} {
		b.getPage(account.Viewer, appointment+"/sound?line="+line).wantStatus(404)
	}
}

// TestTry checks that a trial of the draft, or of the published scenario, calls the selected simulated callee with the
// typed variables, at any hour, and that it books no call.
func TestTry(t *testing.T) {
	t.Parallel()
	type trial struct {
		asked service.TalkRequest
		to    string
	}
	var made []trial
	full := false
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.Ring = func(_ context.Context, q service.TalkRequest, to callrules.TransferTarget) (string, error) {
			if full {
				return "", &service.ConflictError{Reason: service.StateForbidden, Message: "no line"}
			}
			made = append(made, trial{q, to.Number})
			return call.TrialPrefix + "1", nil
		}
	})
	b.mustSucceed(storetest.ReplaceRules(t.Context(), b.store, "acme", callrules.CallRules{
		CallingHours: callrules.CallingHours{"sunday": {{From: "10:00", To: "11:00"}}},
	}, "test", b.now))
	form := b.getPage(account.Operator, appointment).formValues("/console" + appointment + "/try")
	form.Set("person", "83")
	form.Set("variables.name", " سارة ")
	b.postForm(account.Operator, appointment+"/try", form).wantRedirect("/console/calls/trial_1")
	draft := made[0].asked.Scenario
	draft.OrgID, draft.Status, draft.Name = "acme", scenario.DraftStatus, "Another"
	b.mustSucceed(b.store.PutScenario(t.Context(), draft, "test", b.now))
	form.Set("person", "11")
	b.postForm(account.Operator, appointment+"/try", form).wantRedirect("/console/calls/trial_1")
	for i, want := range []string{"+966500000083", "+966500000000"} {
		if got := made[i]; got.to != want || got.asked.Scenario.ID != "appointment_confirmation" || got.asked.OrgID != "acme" ||
			got.asked.Actor != "user:id-operator" || (got.asked.Scenario.Name == "Another") != (i == 1) {
			t.Errorf("trial %d: %+v", i, got)
		}
	}
	if diff := cmp.Diff(map[string]any{"name": "سارة"}, made[0].asked.Variables); diff != "" {
		t.Error(diff)
	}
	full = true
	b.postForm(account.Operator, appointment+"/try", form).wantStatus(409).wantTexts("All lines are in use")
	b.postForm(account.Viewer, appointment+"/try", url.Values{}).wantStatus(403)
	if page, err := b.store.CallsPage(t.Context(), "acme", store.CallFilter{Limit: 1}); err != nil || len(page.Items) > 0 {
		t.Errorf("booked %+v, %v", page.Items, err)
	}
}

// TestVariablesByTheirType checks that forms have a control for each type of variable, and that a fault names the
// accepted form.
func TestVariablesByTheirType(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "typed", OrgID: "acme", Name: "Typed", Variables: []scenario.ScenarioVariable{
			{Name: "day", Label: scenario.Label{Arabic: "يوم الموعد", English: "يوم الموعد"}, Type: scenario.DateVariable},
			{Name: "at", Type: scenario.TimeVariable},
			{Name: "count", Type: scenario.NumberVariable},
			{Name: "phone", Type: scenario.PhoneVariable},
			{Name: "branch", Type: scenario.ChoiceVariable, Choices: []string{"olaya", "malaz"}},
		},
		Steps: []scenario.FlowStep{
			{ID: "a", Type: scenario.LLMStep, Prompt: "x", Slots: []scenario.AnswerSlot{
				{Name: "size", Type: scenario.Choice, Choices: []scenario.ChoiceOption{{Value: "large", Phrases: []string{"كبير"}}}},
			}},
			{ID: "b", Type: scenario.End},
		},
	}, "test", b.now))
	b.getPage(account.Operator, "/scenarios/typed").wantStatus(200).
		wantTexts("يوم الموعد", "<code>size</code>", "<bdi>large</bdi>", `name="variables.at" type="time"`)
	b.getPage(account.Operator, "/calls/new?scenario=typed").wantStatus(200).wantTexts(
		`name="var.day" type="date"`, `name="var.at" type="time"`, `name="var.count" type="number"`,
		`name="var.phone" type="tel"`, `<option value="malaz">malaz</option>`,
	)
	wrong := url.Values{"person": {"00"}}
	for name, typed := range map[string]string{"day": "tomorrow", "at": "25:00", "count": "x", "phone": "05", "branch": "x"} {
		wrong.Set("variables."+name, typed)
	}
	b.postForm(account.Operator, "/scenarios/typed/try", wrong).wantStatus(422).wantTexts(
		"يوم الموعد: write a date such as 2026-01-31.", "at: write a time from 00:00 to 23:59.", "count: write a number such as 12 or 12.5.",
		"phone: write an international telephone number such as +966512345601.",
		"branch: choose one of these values: olaya · malaz.",
	)
}

func TestTryNeedsVariablesAndASimulator(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Variables: []scenario.ScenarioVariable{{Name: "who", Required: true}},
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "{{who}}"}}}},
	}, "test", b.now))
	b.postForm(account.Operator, "/scenarios/greet/try", url.Values{"person": {"90"}}).wantStatus(422).wantTexts("who is required.")
	wired, _ := newSpeakerBench(t, func(d *console.Dependencies) { d.Simulated = false })
	wired.getPage(account.Operator, appointment).wantNoTexts("Try it in the simulator")
	wired.postForm(account.Operator, appointment+"/try", url.Values{"person": {"00"}}).wantStatus(409)
}

// TestScenarioVersions checks that each save is listed with its author and time, shows its changes, and can be
// restored.
func TestScenarioVersions(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.getPage(account.Viewer, appointment).wantNoTexts("/versions")
	b.getPage(account.Viewer, appointment+"/versions").wantStatus(200).wantTexts("No versions yet")
	edit := b.getPage(account.Operator, appointment+"/edit").formValues("/console" + appointment)
	edit.Set("json", strings.Replace(edit.Get("json"), "السلام عليكم ورحمة الله", "أهلا وسهلا", 1))
	b.postForm(account.Operator, appointment, edit).wantRedirect("/console" + appointment)
	edit = b.getPage(account.Operator, appointment+"/edit").formValues("/console" + appointment)
	edit.Set("json", strings.Replace(edit.Get("json"), `"max_duration_seconds": 300`, `"max_duration_seconds": 301`, 1))
	b.postForm(account.Operator, appointment, edit).wantRedirect("/console" + appointment)
	b.getPage(account.Viewer, appointment).wantTexts("/console" + appointment + "/versions")

	b.getPage(account.Viewer, appointment+"/versions").wantStatus(200).
		wantTexts("Version 2", "Version 1", "in use", "operator").wantNoTexts("Restore version")
	b.getPage(account.Operator, appointment+"/versions").wantTexts("Restore version 1").wantNoTexts("Restore version 2")
	b.getPage(account.Viewer, appointment+"/versions/1").wantStatus(200).
		wantTexts("Compared with the built-in scenario", "removed:", "السلام عليكم ورحمة الله", "added:", "أهلا وسهلا", "unchanged lines")
	b.getPage(account.Viewer, appointment+"/versions/2").wantStatus(200).wantTexts("Compared with version 1", "301").wantNoTexts("أهلا وسهلا")
	for _, none := range []string{"3", "0", "-1", "x"} {
		b.getPage(account.Viewer, appointment+"/versions/"+none).wantStatus(404)
		b.getPage(account.Operator, appointment+"/edit?version="+none).wantStatus(404)
	}
	former := b.getPage(account.Operator, appointment+"/edit?version=1").wantStatus(200).
		wantTexts("What publishing changes", `"max_duration_seconds": 300`)
	restored := former.formValues("/console" + appointment)
	restored.Set("op", reviewedOp(former, "publish"))
	b.postForm(account.Operator, appointment, restored).wantRedirect("/console" + appointment)
	now, err := b.store.FindScenario(t.Context(), "acme", "appointment_confirmation")
	if b.mustSucceed(err); now.Version != 3 || now.MaxDurationSeconds != 300 {
		t.Errorf("restored version %d with %d s", now.Version, now.MaxDurationSeconds)
	}
}

// TestRestoredVersionIsChecked checks that a version to be restored that breaks a newer rule is shown with its faults.
func TestRestoredVersionIsChecked(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	old := scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Language: "ar",
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "{{nobody}}"}}}},
	}
	b.mustSucceed(b.store.CreateScenario(t.Context(), old, "test", b.now))
	old.Steps[0].Say[0].Text = "مرحبا"
	b.mustSucceed(b.store.PutScenario(t.Context(), old, "test", b.now))
	b.getPage(account.Operator, "/scenarios/greet/edit?version=1").wantStatus(200).
		wantTexts("Nothing is called \u2068nobody\u2069", `name="steps.0.say.0"`).wantNoTexts("What publishing changes")
	now, err := b.store.FindScenario(t.Context(), "acme", "greet")
	if b.mustSucceed(err); now.Version != 2 {
		t.Errorf("version %d was saved", now.Version)
	}
}

// savingChecker saves another version of a scenario while a change of it is being checked.
type savingChecker struct {
	service.ScenarioChecker
	save func(scenario.Scenario) error
}

func (c savingChecker) CheckSaved(
	_ context.Context, s scenario.Scenario,
) (faults, warnings []strictjson.Violation, err error) {
	return nil, nil, c.save(s)
}

// greetScenario is a scenario that only greets.
func greetScenario() scenario.Scenario {
	return scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Language: "ar",
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "مرحبا"}}}},
	}
}

// TestSaveAtTheSameTime checks that a save does not overwrite a version that was saved while it was being checked.
func TestSaveAtTheSameTime(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), greetScenario(), "test", b.now))
	edit := b.getPage(account.Operator, "/scenarios/greet/edit").formValues("/console/scenarios/greet")
	b.deps.UseCases.Scenarios = savingChecker{save: func(s scenario.Scenario) error {
		s.Name = "saved first"
		return b.store.PutScenario(t.Context(), s, "test", b.now)
	}}
	edit.Set("name", "saved second")
	b.postForm(account.Operator, "/scenarios/greet", edit).wantStatus(409).
		wantTexts("Someone saved another version", "saved second")
	if kept, err := b.store.FindScenario(t.Context(), "acme", "greet"); err != nil || kept.Name != "saved first" {
		t.Errorf("stored: %q, %v", kept.Name, err)
	}
}

// TestCheckAsSaving: "Check", and the question before publishing, name what saving would be refused for.
func TestCheckAsSaving(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), greetScenario(), "test", b.now))
	b.deps.UseCases.Scenarios = refusingChecker{}
	e := openEditor(t, b, "greet")
	e.do("check").wantTexts("no tool of this organization").wantNoTexts("No errors.")
	e.form.Set("op", "publish")
	e.form.Set("name", "Another name")
	b.postForm(account.Operator, "/scenarios/greet", e.form).wantStatus(422).wantTexts("no tool of this organization")
}

// refusingChecker forbids to save any scenario.
type refusingChecker struct{ service.ScenarioChecker }

func (refusingChecker) CheckSaved(
	context.Context, scenario.Scenario,
) (faults, warnings []strictjson.Violation, err error) {
	return []strictjson.Violation{{Field: "steps.0.say", Message: "no tool of this organization"}}, nil, nil
}

// TestValuesOfATool: the values that a tool answers are not shown as asked of the person.
func TestValuesOfATool(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	plan := greetScenario()
	plan.Steps = append([]scenario.FlowStep{{
		ID: "look", Type: scenario.Fetch, Tool: "orders", Slots: []scenario.AnswerSlot{{Name: "ready", Type: scenario.YesNo}},
	}}, plan.Steps...)
	b.mustSucceed(b.store.CreateScenario(t.Context(), plan, "test", b.now))
	for _, path := range []string{"/scenarios/greet", "/scenarios/greet/edit"} {
		b.getPage(account.Operator, path).wantTexts("From the tool").wantNoTexts(">Asks for<")
	}
}
