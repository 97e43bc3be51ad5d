package console_test

import (
	"net/url"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/scenario"
)

// editorSession submits the form of a scenario's editor again and again, as a browser does.
type editorSession struct {
	t    *testing.T
	b    *consoleBench
	path string
	form url.Values
}

// openEditor opens the editor of a scenario.
func openEditor(t *testing.T, b *consoleBench, id string) *editorSession {
	t.Helper()
	path := "/scenarios/" + id
	return &editorSession{t, b, path, b.getPage(account.Operator, path+"/edit").wantStatus(200).formValues("/console" + path)}
}

// do changes fields, given as name and value, and presses a button.
func (e *editorSession) do(op string, fields ...string) testAnswer {
	e.t.Helper()
	for i := 0; i < len(fields); i += 2 {
		e.form.Set(fields[i], fields[i+1])
	}
	e.form.Set("op", op)
	p := e.b.postForm(account.Operator, e.path+"/draft", e.form).wantStatus(200)
	e.form = p.formValues("/console" + e.path)
	return p
}

// TestScenarioFromATemplate makes a scenario of each template, which is a draft that can be published as it is.
func TestScenarioFromATemplate(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	page := b.getPage(account.Operator, "/scenarios/new").wantStatus(200).wantTexts("Survey", "Payment reminder", `class="flow-map small"`)
	b.getPage(account.Viewer, "/scenarios/new").wantStatus(403)
	for id, name := range map[string]string{
		"appointment_confirmation": "تأكيد", "delivery": "Delivery 1", "reminder": "Reminder", "survey": "رأيكم",
		"payment": "Payment", "restaurant_order": "Kitchen", "blank": "؟",
	} {
		form := page.formValues("/console/scenarios")
		form.Set("from", "template:"+id)
		form.Set("name", name)
		b.postForm(account.Operator, "/scenarios", form).wantStatus(303)
	}
	all, err := b.store.ListScenarios(t.Context(), "acme")
	b.mustSucceed(err)
	if len(all) != 7 {
		t.Fatalf("%d scenarios", len(all))
	}
	for _, one := range all {
		if one.IsPublished() || len(one.Tests) > 0 {
			t.Errorf("%s is %s with %d tests", one.ID, one.Status, len(one.Tests))
		}
		b.postForm(account.Operator, "/scenarios/"+one.ID, openEditor(t, b, one.ID).form).wantRedirect("/console/scenarios/" + one.ID)
	}
	form := page.formValues("/console/scenarios")
	form.Set("name", "Delivery 1")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/delivery_1_2/edit")
	form.Set("id", "delivery_1")
	b.postForm(account.Operator, "/scenarios", form).wantStatus(422).wantTexts("in use or not valid")
	form.Set("id", "")
	form.Set("name", "")
	b.postForm(account.Operator, "/scenarios", form).wantStatus(422).wantTexts("Give it a name.")
	form.Set("name", "x")
	form.Set("from", "template:nothing")
	b.postForm(account.Operator, "/scenarios", form).wantStatus(404)
}

// TestNamesFollowLabels writes a scenario by its labels only: ids of steps, names of variables and answers are made of
// them, references and the response body follow, until the scenario is published.
func TestNamesFollowLabels(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "greet", OrgID: "acme", Name: "Greet", Language: "ar", Status: scenario.DraftStatus, ResponseBody: []byte(`{"call": {}}`),
		Steps: []scenario.FlowStep{{ID: "hello", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "مرحبا"}}}},
	}, "test", b.now))
	e := openEditor(t, b, "greet")
	e.do("add-ask:0", "variables.0.label", "Day of visit", "variables.0.type", "date").wantTexts(`day_of_visit|date`)
	e.do("branch:1", "steps.1.label", "Which size?", "steps.1.say.0", "أي حجم {{day_of_visit|date}}", "steps.1.slot.label", "Size wanted")
	plan := draftOf(t, e.form)
	if got := stepIDs(plan); got != "hello which_size branch" {
		t.Errorf("steps %s", got)
	}
	if got := string(compactJSON(t, plan.ResponseBody)); got != `{"call":{"size_wanted":"{{size_wanted}}"}}` {
		t.Errorf("the body is %s", got)
	}
	e.do("check", "variables.0.label", "Visit", "steps.1.label", "Size?", "steps.1.slot.label", "Size")
	plan = draftOf(t, e.form)
	if plan.Variables[0].Name != "visit" || plan.Steps[1].ID != "size" || plan.Steps[1].Slot.Name != "size" ||
		plan.Steps[1].Say[0].Text != "أي حجم {{visit|date}}" || plan.Steps[2].Cases[0].Slot != "size" {
		t.Errorf("renamed: %+v", plan)
	}
	if got := string(compactJSON(t, plan.ResponseBody)); got != `{"call":{"size":"{{size}}"}}` {
		t.Errorf("the body is %s", got)
	}
	e.do("delete:2").wantTexts("The step “branch” was removed.")
	e.do("undo").wantTexts("is back")
	e.do("remove:variables.0").wantTexts("Nothing is called", `href="#f-steps.1.say.0" data-fault`)
	e.do("undo")
	if got := stepIDs(draftOf(t, e.form)); got != "hello size branch" || len(draftOf(t, e.form).Variables) != 1 {
		t.Errorf("after undo: %s", got)
	}
	e.do("check", "steps.2.type", "end", "steps.2.label", "Bye").wantTexts("No errors.")
	b.postForm(account.Operator, "/scenarios/greet", e.form).wantRedirect("/console/scenarios/greet")

	e = openEditor(t, b, "greet")
	e.do("check", "variables.0.label", "Date", "steps.1.label", "How big", "steps.1.slot.label", "Bigness")
	plan = draftOf(t, e.form)
	if plan.Variables[0].Name != "visit" || plan.Steps[1].ID != "size" || plan.Steps[1].Slot.Name != "size" {
		t.Errorf("published names were changed: %+v", plan)
	}
}

func compactJSON(t *testing.T, raw []byte) []byte {
	t.Helper()
	return []byte(strings.NewReplacer("\n", "", " ", "").Replace(string(raw)))
}

// TestFaultsOfASingleLine checks that the faults of JSON in one line don't repeat all of it.
func TestFaultsOfASingleLine(t *testing.T) {
	t.Parallel()
	b, _ := newSpeakerBench(t)
	source := `{"id": "appointment_confirmation", "name": "x", "nme": 1, "steps": [` + strings.Repeat(`{"id": "ا", "tpe": "say"},`, 199) + `{"id": "b", "tpe": "say"}]}`
	form := openEditor(t, b, "appointment_confirmation").form
	form.Set("json", source)
	form.Del("form")
	form.Set("op", "tab:json")
	page := b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200).wantTexts("No such field.", "…")
	if size := page.Body.Len(); size > 3*len(source)+300_000 {
		t.Errorf("%d bytes for a source of %d", size, len(source))
	}
}
