package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation"
	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/conversation/scenariotest"
	"munadi/assets/scenarios"
	"munadi/store/scenario"
)

// runTests runs a scenario's tests as the appliance does, without rules.
func runTests(ctx context.Context, s scenario.Scenario) (scenario.TestRun, error) {
	book, err := conversation.ReadBook(scenarios.ScenarioFiles())
	if err != nil {
		return scenario.TestRun{}, err
	}
	return scenariotest.RunTests(ctx, rehearsal.Dependencies{Book: book, Zone: time.UTC}, s)
}

// visit returns a scenario with a status and tests.
func visit(status, line, tests string) string {
	return fmt.Sprintf(`{"id":"visit","name":"Visit","status":%s,"steps":[{"id":"q","type":"ask","say":%q,`+
		`"slot":{"name":"ok","type":"yes_no"}},{"id":"z","type":"end","say":"شكرا"}],"tests":[%s]}`, status, line, tests)
}

const (
	greenTest = `{"name":"yes","says":["نعم"],"expect":{"report":{"ok":true},"steps":["q","z"],"said":["شكراً"]}}`
	redTest   = `{"name":"no","says":["لا"],"expect":{"report":{"ok":true}}}`
)

// TestDraftOnly checks that a scenario that was only ever a draft is shown and tested, and that no call can be booked
// with it until it is published.
func TestDraftOnly(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	made := b.askPath("POST", "/scenarios", visit(`"draft"`, "أيناسبكم", greenTest)).want(201)
	if made.text("data", "status") != "draft" || made.at("data", "published_version") != nil ||
		made.text("data", "tests", 0, "name") != "yes" {
		t.Errorf("%s", made.Body)
	}
	if got := b.askPath("GET", "/scenarios/visit", "").want(200); rawData(got) != rawData(made) {
		t.Errorf("%s", got.Body)
	}
	booking := `{"phone_number":"+966512345678","scenario_id":"visit"}`
	refused := b.askPath("POST", "/calls", booking).failure(422, "validation_error", "scenario_id")
	if !strings.Contains(refused.Body.String(), "never published") {
		t.Errorf("%s", refused.Body)
	}
	b.askPath("POST", "/campaigns", `{"name":"x","scenario_id":"visit","calls":[{"phone_number":"+966512345678"}]}`).
		failure(422, "validation_error", "scenario_id")
	if run := b.askPath("POST", "/scenarios/visit/tests", "").want(200); run.at("data", "passed") != 1.0 || run.at("data", "failed") != 0.0 {
		t.Errorf("%s", run.Body)
	}
	published := b.askPath("PUT", "/scenarios/visit", visit(`null`, "أيناسبكم", greenTest)).want(200)
	if published.text("data", "status") != "published" || published.at("data", "published_version") != 2.0 {
		t.Errorf("%s", published.Body)
	}
	b.askPath("POST", "/calls", booking).want(201)
	page, err := b.store.AuditTrail(t.Context(), "acme", 3, "")
	if err != nil || page.Items[1].Action != "scenario.publish" || page.Items[1].Actor != "key:k1" ||
		page.Items[2].Action != "scenario.draft" {
		t.Errorf("%+v, %v", page.Items, err)
	}
}

// TestDraftBesidePublished checks that a draft leaves the published version in force, and that ETags are the draft's.
func TestDraftBesidePublished(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	first := b.askPath("POST", "/scenarios", visit(`"published"`, "أول", redTest)).want(201)
	if first.at("data", "published_version") != 1.0 || first.text("meta", "warnings", 0, "field") != "tests.0" ||
		!strings.Contains(first.text("meta", "warnings", 0, "message"), "expected ok to be true, got false") {
		t.Errorf("%s", first.Body)
	}
	opened := b.askPath("GET", "/scenarios/visit", "").want(200).Header().Get("ETag")
	b.now = b.now.Add(time.Minute)
	draft := b.askPath("PUT", "/scenarios/visit", visit(`"draft"`, "ثان", greenTest), withHeader{"If-Match", opened}).want(200)
	got := b.askPath("GET", "/scenarios/visit", "").want(200)
	if got.text("data", "status") != "draft" || got.at("data", "published_version") != 1.0 || got.text("data", "steps", 0, "say") != "ثان" ||
		rawData(got) != rawData(draft) || got.Header().Get("ETag") != draft.Header().Get("ETag") ||
		len(draft.at("meta", "warnings").([]any)) != 0 {
		t.Errorf("%s, %s", got.Body, draft.Body)
	}
	b.askPath("PUT", "/scenarios/visit", visit(`"draft"`, "ثالث", ""), withHeader{"If-Match", opened}).failure(412, "precondition_failed")
	b.askPath("POST", "/calls", `{"phone_number":"+966512345678","scenario_id":"visit"}`).want(201)
	inForce, err := b.store.FindScenario(t.Context(), "acme", "visit")
	if err != nil || inForce.Steps[0].Say[0].Text != "أول" {
		t.Errorf("in force: %+v, %v", inForce, err)
	}
	if run := b.askPath("POST", "/scenarios/visit/tests", "{}").want(200); run.text("data", "results", 0, "name") != "yes" {
		t.Errorf("%s", run.Body)
	}
	list := b.askPath("GET", "/scenarios", "").want(200)
	if list.text("data", 1, "status") != "draft" || list.text("data", 0, "status") != "published" {
		t.Errorf("%s", list.Body)
	}
	back := b.askPath("PUT", "/scenarios/visit", strings.TrimPrefix(rawData(got), `"data":`), withHeader{"If-Match", got.Header().Get("ETag")}).want(200)
	if back.text("data", "status") != "draft" {
		t.Errorf("sent back: %s", back.Body)
	}
	b.askPath("DELETE", "/scenarios/visit", "").want(200)
	b.askPath("GET", "/scenarios/visit", "").failure(404, "not_found")
}

// TestDraftOfBuiltIn checks that a draft of a built-in scenario leaves it in force.
func TestDraftOfBuiltIn(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	draft := b.askPath("PUT", "/scenarios/reminder", strings.Replace(visit(`"draft"`, "ثان", ""), `"visit"`, `"reminder"`, 1)).want(200)
	if draft.at("data", "published_version") != 0.0 || draft.at("data", "built_in") != false {
		t.Errorf("%s", draft.Body)
	}
	b.askPath("POST", "/calls", `{"phone_number":"+966512345678","scenario_id":"reminder","variables":{"name":"x"}}`).want(201)
	b.askPath("DELETE", "/scenarios/reminder", "").want(200)
	if got := b.askPath("GET", "/scenarios/reminder", "").want(200); got.at("data", "built_in") != true || got.text("data", "status") != "published" {
		t.Errorf("%s", got.Body)
	}
}

// TestRunOfTests checks the answer of a run, whose tests are of an organization's own scenario or a built-in one.
func TestRunOfTests(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("POST", "/scenarios", visit(`null`, "أيناسبكم", greenTest+","+redTest)).want(201)
	const want = `"data":{"passed":1,"failed":1,"results":[{"name":"yes","passed":true,"failures":[]},{"name":"no","passed":false,` +
		`"failures":["report: expected ok to be true, got false"]}]}`
	if run := b.askPath("POST", "/scenarios/visit/tests", "").want(200); rawData(run) != want {
		t.Errorf("%s", run.Body)
	}
	if run := b.askPath("POST", "/scenarios/reminder/tests", "").want(200); rawData(run) != `"data":{"passed":0,"failed":0,"results":[]}` {
		t.Errorf("%s", run.Body)
	}
	b.askPath("POST", "/scenarios/nobody/tests", "").failure(404, "not_found")
	b.askPath("POST", "/scenarios/visit/tests", "", withKey(rival)).failure(404, "not_found")
	for body, field := range map[string]string{
		visit(`7`, "x", ""):                                                               "status",
		visit(`"final"`, "x", ""):                                                         "status",
		visit(`null`, "x", greenTest+","+greenTest):                                       "tests.1.name",
		visit(`null`, "x", `{"name":"a","hears":[]}`):                                     "tests.0.hears",
		visit(`null`, "x", `{"name":"a","says":[""]}`):                                    "tests.0.says.0",
		visit(`null`, "x", `{"name":"a","says":["keys:1*#","keys:12a"]}`):                 "tests.0.says.1",
		visit(`null`, "x", `{"name":"a","says":["keys:"]}`):                               "tests.0.says.0",
		visit(`null`, "x", `{"name":"a","at":"morning"}`):                                 "tests.0.at",
		visit(`null`, "x", strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, 101), ",")): "tests",
	} {
		b.askPath("PUT", "/scenarios/visit", body).failure(422, "validation_error", field)
	}
}
