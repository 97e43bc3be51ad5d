package console_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
)

// visitScenario is a scenario with meaningless keys, so that only its labels are readable.
func visitScenario() scenario.Scenario {
	return scenario.Scenario{
		ID: "visit", OrgID: "acme", Name: "زيارة",
		Variables: []scenario.ScenarioVariable{
			{
				Name: "v_branch", Label: scenario.Label{Arabic: "فرع العيادة", English: "Branch of the clinic"},
				Type: scenario.ChoiceVariable, Choices: []string{"b1", "b2"},
				ChoiceLabels: map[string]scenario.Label{"b1": {Arabic: "فرع العليا", English: "Olaya"}},
			},
			{Name: "v_day", Label: scenario.Label{Arabic: "يوم الزيارة"}, Type: scenario.DateVariable},
		},
		Steps: []scenario.FlowStep{
			{
				ID: "q_coming", Label: scenario.Label{Arabic: "سؤال الحضور", English: "Question of coming"}, Type: scenario.Ask,
				Say: scenario.SpokenLines{{Text: "هل ستحضرون"}}, Also: []string{"s_size"},
				Slot: &scenario.AnswerSlot{
					Name: "s_coming", Type: scenario.YesNo, Label: scenario.Label{Arabic: "سيحضر", English: "Will come"},
				},
			},
			{
				ID: "b_coming", Type: scenario.Branch,
				Cases: []scenario.BranchCase{{Slot: "s_coming", Equals: true, Next: "q_coming"}},
				Next:  "q_size",
			},
			{
				ID: "q_size", Type: scenario.Ask, Say: scenario.SpokenLines{{Text: "أي حجم"}},
				Slot: &scenario.AnswerSlot{
					Name: "s_size", Type: scenario.Choice, Label: scenario.Label{Arabic: "حجم السيارة", English: "Size of the car"},
					Choices: []scenario.ChoiceOption{
						{Value: "c_l", Label: scenario.Label{Arabic: "كبيرة جدًا", English: "Very large"}, Phrases: []string{"كبيرة"}},
					},
				},
			},
		},
		Report: scenario.ReportPlan{Values: map[string]json.RawMessage{
			"r_coming": json.RawMessage(`"{{s_coming}}"`), "r_size": json.RawMessage(`"{{s_size}}"`),
		}},
	}
}

// TestLabelsOnEveryPage checks that all pages, forms and files show the labels of slots, answers, variables and steps
// in the page's language; keys appear only in the API.
func TestLabelsOnEveryPage(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.mustSucceed(d.store.CreateScenario(t.Context(), visitScenario(), "test", d.now))
	over := d.endCall(d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.ScenarioID, c.Variables = "visit", map[string]any{"v_branch": "b1", "v_day": "2026-12-03", "v_gone": "x"}
	}), call.CallOutcome{Status: call.Completed, Report: []byte(`{"r_coming":true,"r_size":"c_l"}`)})
	waits := d.bookCall("acme", "+966512345602", func(c *call.Call) { c.ScenarioID = "visit" })
	for lang, words := range map[string]struct{ coming, yes, size, large, branch, olaya, day, step string }{
		"ar": {"سيحضر", "نعم", "حجم السيارة", "كبيرة جدًا", "فرع العيادة", "فرع العليا", "يوم الزيارة", "سؤال الحضور"},
		"en": {"Will come", "Yes", "Size of the car", "Very large", "Branch of the clinic", "Olaya", "يوم الزيارة", "Question of coming"},
	} {
		d.lang = lang
		answers := []string{words.coming, words.yes, words.size, words.large}
		for path, want := range map[string][]string{
			"/calls":                  answers,
			"/calls/" + over.ID:       append(slices.Clone(answers), words.branch, words.olaya, words.day, "v gone"),
			"/calls/" + waits.ID:      {`<p data-slot="s_coming">` + words.coming, `data-value="c_l">` + words.large},
			"/people/%2B966512345601": answers,
			"/scenarios/visit":        {words.step, words.coming, words.yes, words.size, words.large, words.branch, words.olaya},
			"/calls/new?scenario=visit": {
				words.branch, `<option value="b1">` + words.olaya, words.day,
				`name="var.v_day" type="date"`,
			},
		} {
			page := d.getPage(account.Operator, path).wantStatus(200).wantTexts(want...)
			if strings.HasPrefix(path, "/calls/call_") || strings.HasPrefix(path, "/people") || path == "/calls" {
				page.wantNoTexts(">r_coming<", ">r_size<", ">c_l<", ">v_branch<", ">b1<", ">r coming<")
			}
		}
		file := strings.TrimPrefix(d.getPage(account.Viewer, "/calls.csv?scenario=visit").wantStatus(200).Body.String(), "\uFEFF")
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		d.mustSucceed(err)
		for _, label := range []string{words.coming, words.size} {
			if !slices.Contains(rows[0], label) {
				t.Errorf("%s: no column %s in %q", lang, label, rows[0])
			}
		}
		if !slices.ContainsFunc(rows, func(row []string) bool {
			return slices.Contains(row, words.yes) && slices.Contains(row, words.large)
		}) {
			t.Errorf("%s: no row has the answers: %q", lang, rows)
		}
	}
}

// TestConfirmedIsOneFigure checks that dashboard and reports count the same calls as confirmed, whatever the names of
// the slot and the report's property.
func TestConfirmedIsOneFigure(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.mustSucceed(d.store.CreateScenario(t.Context(), visitScenario(), "test", d.now))
	for i := range 5 {
		c := d.bookCall("acme", fmt.Sprintf("+9665123456%02d", i), func(c *call.Call) {
			c.ScenarioID, c.ScheduledAt = "visit", d.now.Add(time.Second)
		})
		d.endCall(c, call.CallOutcome{Status: call.Completed, Report: fmt.Appendf(nil, `{"r_coming":%v,"confirmed":true}`, i < 3)})
	}
	today := d.getPage(account.Viewer, "").wantStatus(200)
	reports := d.getPage(account.Viewer, "/reports?by=day").wantStatus(200)
	if a, b := figureOf(t, today, "Will come"), figureOf(t, reports, "Confirmed"); a != "3" || b != a {
		t.Errorf("Today counts %s confirmed calls, the report %s", a, b)
	}
	// two scenarios with different questions are one figure too
	c := d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.ScenarioID, c.ScheduledAt = "appointment_confirmation", d.now.Add(time.Second)
	})
	d.endCall(c, call.CallOutcome{Status: call.Completed, Report: []byte(`{"confirmed":true}`)})
	today, reports = d.getPage(account.Viewer, "").wantStatus(200), d.getPage(account.Viewer, "/reports?by=day").wantStatus(200)
	if a, b := figureOf(t, today, "Confirmed today"), figureOf(t, reports, "Confirmed"); a != "4" || b != a {
		t.Errorf("of two scenarios Today counts %s confirmed calls, the report %s", a, b)
	}
}

// figureOf returns the value of a key figure.
func figureOf(t *testing.T, page testAnswer, label string) string {
	t.Helper()
	_, rest, found := strings.Cut(page.Body.String(), `<span class="stat-label">`+label+`</span>`)
	_, rest, _ = strings.Cut(rest, `<bdi dir="ltr">`)
	value, _, _ := strings.Cut(rest, "<")
	if !found {
		t.Errorf("no figure %s", label)
	}
	return value
}

// TestSuppressionsByLabels checks that an exported suppression list can be imported in either language.
func TestSuppressionsByLabels(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.postForm(account.Operator, "/rules/suppressions", url.Values{"number": {anyNumber}, "reason": {"طلب ذلك"}}).wantStatus(303)
	for _, lang := range []string{"ar", "en"} {
		d.lang = lang
		file := d.getPage(account.Operator, "/rules/suppressions.csv").wantStatus(200).Body.Bytes()
		if strings.Contains(string(file), "phone_number") {
			t.Errorf("%s: the heading has keys: %s", lang, file)
		}
		d.postFile(account.Operator, "/rules/suppressions/import", "list.csv", file, url.Values{}).wantStatus(200).wantTexts(anyNumber, "طلب ذلك")
	}
}

// TestAuditByLabels checks that the audit trail shows names of scenarios, and details in the page's language.
func TestAuditByLabels(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.mustSucceed(d.store.CreateScenario(t.Context(), visitScenario(), "test", d.now))
	moved := d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScenarioID = "visit" })
	d.postForm(account.Operator, "/calls/"+moved.ID+"/reschedule", url.Values{"at": {"2026-11-22T10:00"}}).wantStatus(303)
	d.postForm(account.Operator, "/rules/stop", url.Values{}).wantStatus(303)
	for lang, words := range map[string][]string{
		"ar": {"زيارة", "أُوقف الاتصال", "قواعد الاتصال"}, "en": {"زيارة", "calling stopped", "dialling rules"},
	} {
		d.lang = lang
		d.getPage(account.Owner, "/audit").wantStatus(200).wantTexts(words...).wantTexts("2026-11-22 10:00").wantNoTexts(">visit<", "kill switch")
		d.getPage(account.Owner, "/audit?q=visit").wantStatus(200).wantTexts("زيارة")
	}
}
