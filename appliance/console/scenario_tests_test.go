package console_test

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/assets/scenarios"
	"munadi/store/account"
	"munadi/store/scenario"
)

// dependencies are those of conversations in writing, without rules.
func dependencies() (rehearsal.Dependencies, error) {
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	return rehearsal.Dependencies{Book: book, Zone: time.UTC}, err
}

// runTests runs a scenario's tests as the appliance does.
func runTests(ctx context.Context, s scenario.Scenario) (scenario.TestRun, error) {
	d, err := dependencies()
	if err != nil {
		return scenario.TestRun{}, err
	}
	return scenariotest.RunTests(ctx, d, s)
}

// newDraftBench returns a console with the published scenario "visit", which asks for a yes or no and has one test.
func newDraftBench(t *testing.T) *consoleBench {
	t.Helper()
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.Rehearse = func(ctx context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
			deps, err := dependencies()
			if err != nil {
				return kit.TrialOutcome{}, err
			}
			out, err := rehearsal.RunRehearsal(ctx, deps, rehearsal.Request{
				OrgID: r.OrgID, Scenario: r.Scenario, Variables: r.Variables, Answers: r.Answers, Replies: r.Replies, Now: r.Now,
				ToEnd: r.ToEnd,
			})
			return kit.TrialOutcome{
				Messages: out.Messages, Slots: out.Slots, Waiting: out.Waiting, Slot: out.Slot, Kind: out.Kind,
				Phrases: out.Phrases, Status: out.Status, Reason: out.Reason, Errors: out.Errors, Report: out.Report,
				Transferred: out.Transferred, Suppressed: out.Suppressed, Steps: out.Steps, Replies: out.Replies, Model: out.Model,
			}, err
		}
	})
	plan, faults, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"visit","name":"Visit","steps":[
		{"id":"q","type":"ask","say":"أيناسبكم الموعد","slot":{"name":"ok","type":"yes_no"}},{"id":"z","type":"end","say":"مع السلامة"}],
		"tests":[{"name":"agrees","says":["نعم"],"expect":{"report":{"ok":true},"steps":["q","z"],"said":["مع السلامة"]}}]}`))
	if b.mustSucceed(err); len(faults) > 0 {
		t.Fatal(faults)
	}
	plan.OrgID = "acme"
	b.mustSucceed(b.store.CreateScenario(t.Context(), plan, "test", b.now))
	return b
}

// TestDraftInTheConsole checks that a draft is saved beside the published scenario, shown with what differs, tried and
// published, and that its pages, forms and lists say what calls follow.
func TestDraftInTheConsole(t *testing.T) {
	t.Parallel()
	b := newDraftBench(t)
	const path = "/scenarios/visit"
	form := b.getPage(account.Operator, path+"/edit").wantStatus(200).wantTexts("Publish", "Save as a draft").formValues("/console" + path)
	form.Set("steps.0.say.0", "هل يناسبكم")
	form.Set("op", "save-draft")
	b.postForm(account.Operator, path, form).wantRedirect("/console/scenarios/visit")
	kept, err := b.store.FindScenario(t.Context(), "acme", "visit")
	if err != nil || !kept.IsPublished() || kept.Steps[0].Say[0].Text != "أيناسبكم الموعد" || kept.Latest().Steps[0].Say[0].Text != "هل يناسبكم" {
		t.Fatalf("%+v, %v", kept, err)
	}
	b.getPage(account.Viewer, path).wantStatus(200).wantTexts("هل يناسبكم", "Calls follow version 1", "What differs", "/versions/2", ">draft<")
	b.getPage(account.Viewer, path+"?lang=ar").wantTexts("تسير المكالمات بالإصدار 1")
	b.getPage(account.Viewer, path+"/versions/2").wantStatus(200).wantTexts("هل يناسبكم", "أيناسبكم الموعد", "Compared with version 1")
	b.getPage(account.Operator, path+"/versions").wantTexts(">draft<", "in use", "/edit?version=1").wantNoTexts("/edit?version=2")
	b.getPage(account.Viewer, "/scenarios").wantTexts("has a draft")
	b.postForm(account.Operator, path, form).wantStatus(409) // of the version that was opened first
	form = b.getPage(account.Operator, path+"/edit").wantTexts("Calls follow version 1").formValues("/console" + path)
	form.Set("op", "publish")
	page := b.postForm(account.Operator, path, form).wantStatus(200).wantTexts(
		"What publishing changes", "Compared with version 1", "<mark>هل يناسبكم</mark>", "<mark>أيناسبكم الموعد</mark>", "Booked calls keep", "Publish these changes")
	b.postForm(account.Operator, path+"?lang=ar", form).wantStatus(200).wantTexts("ما يغيّره النشر", "مقارنةً بالإصدار 1", "انشر هذه التغييرات")
	form.Set("op", reviewedOp(page, "publish"))
	form.Set("steps.0.say.0", "أيناسبكم اليوم الموعد") // changed after it was read
	page = b.postForm(account.Operator, path, form).wantStatus(200).wantTexts("<mark>اليوم</mark>")
	if kept, err = b.store.FindScenario(t.Context(), "acme", "visit"); err != nil || kept.Version != 1 {
		t.Errorf("published before it was read: %+v, %v", kept, err)
	}
	form.Set("op", reviewedOp(page, "publish"))
	b.postForm(account.Operator, path, form).wantRedirect("/console/scenarios/visit")
	kept, err = b.store.FindScenario(t.Context(), "acme", "visit")
	if err != nil || kept.Draft != nil || kept.Version != 3 || kept.Steps[0].Say[0].Text != "أيناسبكم اليوم الموعد" {
		t.Errorf("%+v, %v", kept, err)
	}
	trail, err := b.store.AuditTrail(t.Context(), "acme", 2, "")
	if err != nil || trail.Items[0].Action != "scenario.publish" || trail.Items[0].Actor != "user:id-operator" {
		t.Errorf("%+v, %v", trail.Items, err)
	}
	b.getPage(account.Owner, "/audit").wantTexts("published a draft of a scenario", "version 3", "/console/scenarios/visit/versions/3")
	b.getPage(account.Owner, "/audit?lang=ar").wantTexts("الإصدار 3")
}

// reviewedOp returns the value of the button that publishes what a page shows.
func reviewedOp(page testAnswer, name string) string {
	page.t.Helper()
	found := regexp.MustCompile(`value="(` + name + `:[0-9a-f]+)"`).FindStringSubmatch(page.Body.String())
	if found == nil {
		page.t.Fatalf("no button publishes what is shown")
	}
	return found[1]
}

// TestDraftIsNotBookable checks that a scenario that was only ever a draft is offered for no call.
func TestDraftIsNotBookable(t *testing.T) {
	t.Parallel()
	b := newDraftBench(t)
	b.mustSucceed(b.store.CreateScenario(t.Context(), scenario.Scenario{
		ID: "sketch", OrgID: "acme", Name: "Sketch", Language: "ar", Status: scenario.DraftStatus,
		Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End, Say: scenario.SpokenLines{{Text: "مرحبا"}}}},
	}, "test", b.now))
	b.getPage(account.Operator, "/calls/new").wantStatus(200).wantTexts(`value="visit"`).wantNoTexts(`value="sketch"`)
	b.getPage(account.Operator, "/campaigns/new").wantStatus(200).wantNoTexts(`value="sketch"`)
	b.getPage(account.Operator, "/scenarios/sketch").wantStatus(200).wantTexts("never published", "Try it in the simulator")
	b.postForm(account.Operator, "/scenarios/sketch/try", url.Values{}).wantRedirect("/console/calls/trial_1")
	b.getPage(account.Operator, "/scenarios").wantTexts("Sketch", ">draft<")
}

// TestRedTestsBlock checks that failing tests are shown and keep a scenario from being published, except by an owner who
// overrides them.
func TestRedTestsBlock(t *testing.T) {
	t.Parallel()
	b := newDraftBench(t)
	const path = "/scenarios/visit"
	b.postForm(account.Operator, path+"/tests", url.Values{}).wantStatus(200).wantTexts("agrees", "passed")
	b.postForm(account.Viewer, path+"/tests", url.Values{}).wantStatus(403)
	form := b.getPage(account.Operator, path+"/edit").formValues("/console" + path)
	form.Set("tests.0.expect.report", "ok: false")
	form.Set("tests.0.expect.steps", "z\nq")
	form.Set("op", "run-tests")
	const said = "Report: ok was expected to be false and was true."
	page := b.postForm(account.Operator, path+"/draft", form).wantStatus(200).wantTexts("One test failed.", said, "q was expected after z").wantNoTexts("Publish anyway")
	form = page.formValues("/console" + path)
	form.Set("op", "publish")
	b.postForm(account.Operator, path, form).wantStatus(422).wantTexts("Nothing was published.", said, "Only an owner").wantNoTexts("publish-anyway")
	b.postForm(account.Operator, path+"?lang=ar", form).wantStatus(422).wantTexts("فشل اختبار واحد", "لم يُنشر شيء")
	form.Set("op", "publish-anyway")
	b.postForm(account.Operator, path, form).wantStatus(422)
	form.Set("csrf", "csrf-owner")
	form.Set("op", "publish")
	page = b.postForm(account.Owner, path, form).wantStatus(422).wantTexts("What publishing changes")
	anyway := reviewedOp(page, "publish-anyway")
	if kept, err := b.store.FindScenario(t.Context(), "acme", "visit"); err != nil || kept.Version != 1 {
		t.Fatalf("%+v, %v", kept, err)
	}
	form.Set("op", anyway)
	b.postForm(account.Owner, path, form).wantRedirect("/console/scenarios/visit")
	kept, err := b.store.FindScenario(t.Context(), "acme", "visit")
	if err != nil || kept.Version != 2 || !kept.IsPublished() {
		t.Errorf("%+v, %v", kept, err)
	}
	form.Set("tests.0.expect.steps", "")
	form.Set("op", "save-draft")
	form.Set("version", "2")
	b.postForm(account.Owner, path, form).wantRedirect("/console/scenarios/visit")
	former := b.getPage(account.Operator, path+"/edit?version=2").wantStatus(200).formValues("/console/scenarios/visit")
	former.Set("op", "publish")
	b.postForm(account.Operator, path, former).wantStatus(422).wantTexts("Nothing was published.", said)
	want := scenario.TestExpectation{Report: map[string]any{"ok": false}, Steps: []string{"z", "q"}, Said: []string{"مع السلامة"}}
	if diff := cmp.Diff(want, kept.Tests[0].Expect); diff != "" {
		t.Error(diff)
	}
}

// TestTestsInTheEditor checks that a test is added by its fields and by keeping a typed trial, and removed.
func TestTestsInTheEditor(t *testing.T) {
	t.Parallel()
	b := newDraftBench(t)
	const path = "/scenarios/visit"
	form := b.getPage(account.Operator, path+"/edit").formValues("/console" + path)
	form.Set("tests.1.name", "declines")
	form.Set("tests.1.says", "لا")
	form.Set("tests.1.expect.report", "ok: false\nnote:\ntext: \"true\"\nwhat: قال: لا")
	form["try.answer"], form["try.on"] = []string{"say:نعم", "silent"}, []string{"1"}
	form.Set("op", "try-keep")
	page := b.postForm(account.Operator, path+"/draft", form).wantStatus(200).wantTexts("The test “Test 3” is added.")
	form = page.formValues("/console" + path)
	form.Set("tests.0.name", "")
	form.Set("op", "save-draft")
	b.postForm(account.Operator, path, form).wantRedirect("/console/scenarios/visit")
	kept, err := b.store.FindScenario(t.Context(), "acme", "visit")
	b.mustSucceed(err)
	at := b.now.UTC()
	want := []scenario.ScenarioTest{
		{Name: "declines", Says: []string{"لا"}, Expect: scenario.TestExpectation{
			Report: map[string]any{"ok": false, "note": nil, "text": "true", "what": "قال: لا"},
		}},
		{Name: "Test 3", At: &at, Says: []string{"نعم", "silent"}, Expect: scenario.TestExpectation{
			Report: map[string]any{"ok": true}, Steps: []string{"q", "z"},
		}},
	}
	if diff := cmp.Diff(want, kept.Latest().Tests); diff != "" {
		t.Error(diff)
	}
	shown := b.getPage(account.Operator, path+"/edit").formValues("/console" + path)
	if got := shown.Get("tests.0.expect.report"); got != "note: null\nok: false\ntext: \"true\"\nwhat: قال: لا" {
		t.Errorf("shown as %q", got)
	}
	before, err := json.Marshal(kept.Latest().Tests)
	b.mustSucceed(err)
	b.postForm(account.Operator, path, shown).wantStatus(422) // "declines" expects what no report has
	shown.Set("op", "save-draft")
	b.postForm(account.Operator, path, shown).wantRedirect("/console/scenarios/visit")
	again, err := b.store.FindScenario(t.Context(), "acme", "visit")
	b.mustSucceed(err)
	if after, err := json.Marshal(again.Latest().Tests); err != nil || !slices.Equal(before, after) {
		t.Errorf("sent back unchanged: %s, %v", after, err)
	}
}
