package console_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/console"
	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

// aSpeaker says everything but what it has no voice for, and remembers what it was asked.
type aSpeaker struct{ asked []tts.SpeechRequest }

func (s *aSpeaker) Speak(_ context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	s.asked = append(s.asked, r)
	if strings.Contains(r.Text, "شكرا") {
		return tts.SpokenSound{}, tts.ErrNoVoice
	}
	return tts.SpokenSound{PCM: make([]int16, 800)}, nil
}

func theatre(t *testing.T, change ...func(*console.Dependencies)) (*aBench, *aSpeaker) {
	t.Helper()
	builtIn := builtInScenarios(t)
	voice := &aSpeaker{}
	return newBench(t, append(change, func(d *console.Dependencies) {
		d.UseCases.BuiltIn = func() []scenario.Scenario { return builtIn }
		d.Speaker = voice
	})...), voice
}

const appointment = "/scenarios/appointment_confirmation"

func TestScenarioReadsLikeAScript(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	b.get(account.Viewer, "/scenarios").want(200).says("built in", "appointment_confirmation", "restaurant_order").not("New scenario")
	p := b.get(account.Viewer, appointment).want(200)
	p.says("هل تؤكدون الحضور في هذا الموعد", "Asks for", "confirmed", "yes or no", "<q><bdi>Yes</bdi></q>", "Question: confirmed?", "#step-confirmed",
		"{{date|date}}", "values are filled in", "if possible", "asks again once at most", "300 s").
		not("Delete", "Try it", ">Edit<")
	b.get(account.Operator, appointment).says("Try it in the simulator", "Cooperative").not("/delete")
	b.get(account.Viewer, "/scenarios/nothing").want(404)
}

// TestScenarioIsEdited: a copy is made, changed, saved and deleted; what the editor shows saves as what it was.
func TestScenarioIsEdited(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	form := b.get(account.Operator, "/scenarios/new?from=restaurant_order").want(200).form("/console/scenarios")
	form.Set("from", "restaurant_order")
	if form.Get("id") != "restaurant_order_2" {
		t.Errorf("suggests %q", form.Get("id"))
	}
	form.Set("name", "مطعمي <&>")
	b.post(account.Operator, "/scenarios", form).leads("/console/scenarios/restaurant_order_2/edit")
	made, err := b.store.FindScenario(t.Context(), "acme", "restaurant_order_2")
	b.must(err)
	edit := b.get(account.Operator, "/scenarios/restaurant_order_2/edit").want(200).form("/console/scenarios/restaurant_order_2")
	b.post(account.Operator, "/scenarios/restaurant_order_2", edit).leads("/console/scenarios/restaurant_order_2")
	same, err := b.store.FindScenario(t.Context(), "acme", "restaurant_order_2")
	b.must(err)
	if diff := cmp.Diff(plain(t, made), plain(t, same)); diff != "" {
		t.Errorf("saved unchanged, it is another: %s", diff)
	}
	b.post(account.Operator, "/scenarios/restaurant_order_2", edit).want(409).says("Somebody saved another version")
	edit = b.get(account.Operator, "/scenarios/restaurant_order_2/edit").form("/console/scenarios/restaurant_order_2")
	edit.Set("json", strings.Replace(edit.Get("json"), "السلام عليكم ورحمة الله", "أهلا", 1))
	b.post(account.Operator, "/scenarios/restaurant_order_2", edit).leads("/console/scenarios/restaurant_order_2")
	b.get(account.Viewer, "/scenarios/restaurant_order_2").says("أهلا", "مطعمي <&>", "the organization's own")
	b.get(account.Operator, "/scenarios/restaurant_order_2/delete").want(200).says("fail when they are due")
	b.post(account.Operator, "/scenarios/restaurant_order_2/delete", url.Values{}).leads("/console/scenarios")
	b.get(account.Viewer, "/scenarios/restaurant_order_2").want(404)
}

func plain(t *testing.T, s scenario.Scenario) string {
	t.Helper()
	s.UpdatedAt = s.CreatedAt
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestBuiltInScenarioIsReplaced: saved over, it is the organization's own; deleted, the built-in one is back.
func TestBuiltInScenarioIsReplaced(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	b.get(account.Operator, appointment+"/delete").want(404)
	form := b.get(account.Operator, appointment+"/edit").says("replaces it").form("/console" + appointment)
	form.Set("json", strings.Replace(form.Get("json"), "تأكيد موعد", "موعدنا", 1))
	b.post(account.Operator, appointment, form).leads("/console" + appointment)
	b.get(account.Operator, appointment).says("موعدنا", "replaces a built-in one")
	b.get(account.Operator, appointment+"/delete").says("is used again")
	b.post(account.Operator, appointment+"/delete", url.Values{}).leads("/console/scenarios")
	b.get(account.Operator, appointment).says("تأكيد موعد", "built in")
	b.post(account.Operator, appointment+"/delete", url.Values{}).want(404)
}

// TestScenarioViolationsAreShown: each with its line and what stands there, and what was typed is kept.
func TestScenarioViolationsAreShown(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	source := "{\n \"id\": \"appointment_confirmation\",\n \"name\": \"x\",\n \"steps\": [\n  {\"id\": \"a\", \"type\": \"say\",\n   \"say\": [\n    \"hi\",\n    \"{{nobody}}\"\n   ]},\n  {\"id\": \"b\", \"type\": \"ask\", \"say\": \"?\",\n   \"next\": \"nowhere\"}\n ]\n}"
	p := b.post(account.Operator, appointment, url.Values{"json": {source}}).want(422)
	p.says("Nothing was saved. 3 violations", "steps.0.say.1", "Nothing is called \u2068nobody\u2069", `data-line="8"`, `data-line="11"`,
		"No step has the key \u2068nowhere\u2069", "Say what is asked for", `data-line="10"`)
	if got := p.form("/console" + appointment).Get("json"); got != source {
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
		p := b.post(account.Operator, appointment, url.Values{"json": {typed}}).want(422)
		for _, w := range want {
			if !strings.Contains(p.Body.String(), w) {
				t.Errorf("%.40q: not %q", typed, w)
			}
		}
	}
	if _, err := b.store.FindScenario(t.Context(), "acme", "appointment_confirmation"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("something was saved: %v", err)
	}
	b.post(account.Viewer, appointment, url.Values{"json": {source}}).want(403)
	b.get(account.Viewer, appointment+"/edit").want(403)
	b.post(account.Viewer, "/scenarios", url.Values{}).want(403)
}

func TestCopiesNeedAnIDOfTheirOwn(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	for id, want := range map[string]string{"Big": "not fit", "restaurant_order": "in use", "": "not fit"} {
		b.post(account.Operator, "/scenarios", url.Values{"from": {"restaurant_order"}, "id": {id}, "name": {"x"}}).want(422).says(want)
	}
	b.post(account.Operator, "/scenarios", url.Values{"from": {"restaurant_order"}, "id": {"mine"}, "name": {" "}}).want(422).says("Give it a name")
	b.post(account.Operator, "/scenarios", url.Values{"from": {"nothing"}, "id": {"mine"}, "name": {"x"}}).want(404)
}

// TestSentencesAreHeard: every fixed line is a WAV of what a call says; open ones and strange places are none.
func TestSentencesAreHeard(t *testing.T) {
	t.Parallel()
	b, voice := theatre(t)
	p := b.get(account.Viewer, appointment).Body.String()
	if !strings.Contains(p, "/sound?line=0\"") || strings.Contains(p, "/sound?line=1\"") {
		t.Error("line 0 is fixed and line 1 has a template")
	}
	wav := b.get(account.Viewer, appointment+"/sound?line=0").want(200)
	if wav.Header().Get("Content-Type") != "audio/wav" || wav.Body.Len() != 44+1600 || !strings.HasPrefix(wav.Body.String(), "RIFF") {
		t.Errorf("%d bytes of %s", wav.Body.Len(), wav.Header().Get("Content-Type"))
	}
	if len(voice.asked) != 1 || voice.asked[0].Text != "السلام عليكم ورحمة الله" || voice.asked[0].OrgID != "acme" {
		t.Errorf("asked for %+v", voice.asked)
	}
	for _, line := range []string{"1", "-1", "9999", "x", ""} {
		b.get(account.Viewer, appointment+"/sound?line="+line).want(404)
	}
}

// TestTry: a call to the chosen simulated person, in whose scenario, with the variables that were typed.
func TestTry(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	form := b.get(account.Operator, appointment).form("/console" + appointment + "/try")
	form.Set("person", "83")
	form.Set("variables.name", " سارة ")
	to := b.post(account.Operator, appointment+"/try", form).want(303).Header().Get("Location")
	id, found := strings.CutPrefix(to, "/console/calls/")
	if !found {
		t.Fatalf("leads to %s", to)
	}
	made, err := b.store.FindCall(t.Context(), "acme", id)
	b.must(err)
	if made.PhoneNumber != "+966500000083" || made.ScenarioID != "appointment_confirmation" || made.Status != call.Scheduled {
		t.Errorf("booked %+v", made)
	}
	if diff := cmp.Diff(map[string]any{"name": "سارة"}, made.Variables); diff != "" {
		t.Error(diff)
	}
	b.post(account.Viewer, appointment+"/try", url.Values{}).want(403)
	b.must(storetest.ReplaceRules(t.Context(), b.store, "acme", callrules.CallRules{
		CallingHours: callrules.CallingHours{"sunday": {{From: "10:00", To: "11:00"}}},
	}, "test", b.now))
	to = b.post(account.Operator, appointment+"/try", form).want(303).Header().Get("Location")
	made, err = b.store.FindCall(t.Context(), "acme", strings.TrimPrefix(to, "/console/calls/"))
	b.must(err)
	if made.Booking != call.Moved || made.ScheduledAt.Weekday() != 0 {
		t.Errorf("booked %s at %v", made.Booking, made.ScheduledAt)
	}
}

// TestVariablesByTheirType: forms have a picker or a list for a declared type, and a fault names the wanted form.
func TestVariablesByTheirType(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	b.must(b.store.CreateScenario(t.Context(), scenario.Scenario{
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
	b.get(account.Operator, "/scenarios/typed").want(200).
		says("يوم الموعد", "<code>size</code>", "<bdi>large</bdi>", `name="variables.at" type="time"`)
	b.get(account.Operator, "/calls/new?scenario=typed").want(200).says(
		`name="var.day" type="date"`, `name="var.at" type="time"`, `name="var.count" type="number"`,
		`name="var.phone" type="tel"`, `<option value="malaz">malaz</option>`,
	)
	wrong := url.Values{"person": {"00"}}
	for name, typed := range map[string]string{"day": "tomorrow", "at": "25:00", "count": "x", "phone": "05", "branch": "x"} {
		wrong.Set("variables."+name, typed)
	}
	b.post(account.Operator, "/scenarios/typed/try", wrong).want(422).says(
		"يوم الموعد: write a date as 2026-01-31.", "at: write a time from 00:00 to 23:59.", "count: write a number as 12 or 12.5.",
		"phone: write an international telephone number as +966512345601.",
		"branch: choose one of these values: olaya · malaz.",
	)
}

func TestTryNeedsVariablesAndASimulator(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	b.must(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Variables: []scenario.ScenarioVariable{{Name: "who", Required: true}},
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "{{who}}"}}}},
	}, "test", b.now))
	b.post(account.Operator, "/scenarios/greet/try", url.Values{"person": {"90"}}).want(422).says("who is required.")
	wired, _ := theatre(t, func(d *console.Dependencies) { d.Simulated = false })
	wired.get(account.Operator, appointment).not("Try it in the simulator")
	wired.post(account.Operator, appointment+"/try", url.Values{"person": {"00"}}).want(409)
}

// TestScenarioVersions: each save is listed with who and when, shows what it changed, and can be restored.
func TestScenarioVersions(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	b.get(account.Viewer, appointment).not("/versions")
	b.get(account.Viewer, appointment+"/versions").want(200).says("No versions yet")
	edit := b.get(account.Operator, appointment+"/edit").form("/console" + appointment)
	edit.Set("json", strings.Replace(edit.Get("json"), "السلام عليكم ورحمة الله", "أهلا وسهلا", 1))
	b.post(account.Operator, appointment, edit).leads("/console" + appointment)
	edit = b.get(account.Operator, appointment+"/edit").form("/console" + appointment)
	edit.Set("json", strings.Replace(edit.Get("json"), `"max_duration_seconds": 300`, `"max_duration_seconds": 301`, 1))
	b.post(account.Operator, appointment, edit).leads("/console" + appointment)
	b.get(account.Viewer, appointment).says("/console" + appointment + "/versions")

	b.get(account.Viewer, appointment+"/versions").want(200).
		says("Version 2", "Version 1", "in use", "operator").not("Restore version")
	b.get(account.Operator, appointment+"/versions").says("Restore version 1").not("Restore version 2")
	b.get(account.Viewer, appointment+"/versions/1").want(200).
		says("Compared with the built-in scenario", "removed:", "السلام عليكم ورحمة الله", "added:", "أهلا وسهلا", "unchanged lines")
	b.get(account.Viewer, appointment+"/versions/2").want(200).says("Compared with version 1", "301").not("أهلا وسهلا")
	for _, none := range []string{"3", "0", "-1", "x"} {
		b.get(account.Viewer, appointment+"/versions/"+none).want(404)
		b.post(account.Operator, appointment+"/versions/"+none+"/restore", url.Values{}).want(404)
	}
	b.post(account.Viewer, appointment+"/versions/1/restore", url.Values{}).want(403)
	b.post(account.Operator, appointment+"/versions/1/restore", url.Values{}).leads("/console" + appointment)
	now, err := b.store.FindScenario(t.Context(), "acme", "appointment_confirmation")
	if b.must(err); now.Version != 3 || now.MaxDurationSeconds != 300 {
		t.Errorf("restored version %d with %d s", now.Version, now.MaxDurationSeconds)
	}
}

// TestRestoredVersionIsChecked: one that breaks a rule that is newer than it opens in the editor and changes nothing.
func TestRestoredVersionIsChecked(t *testing.T) {
	t.Parallel()
	b, _ := theatre(t)
	old := scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Language: "ar",
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "{{nobody}}"}}}},
	}
	b.must(b.store.CreateScenario(t.Context(), old, "test", b.now))
	old.Steps[0].Say[0].Text = "مرحبا"
	b.must(b.store.PutScenario(t.Context(), old, "test", b.now))
	b.post(account.Operator, "/scenarios/greet/versions/1/restore", url.Values{}).want(422).
		says("Nothing is called \u2068nobody\u2069", `name="steps.0.say.0"`)
	now, err := b.store.FindScenario(t.Context(), "acme", "greet")
	if b.must(err); now.Version != 2 {
		t.Errorf("version %d was saved", now.Version)
	}
}
