package scenarios

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// Operations of the editor that save and test a draft; a form without one publishes, without a review.
const (
	opPublish       = "publish"
	opSaveDraft     = "save-draft"
	opPublishAnyway = "publish-anyway"
	opRunTests      = "run-tests"
	opKeepTrial     = "try-keep"
)

// runScenarioTests runs the tests of a scenario, of its draft if there is one, and shows it with the results.
func (s handlers) runScenarioTests(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	run, err := s.UseCases.TestPlan(c.Request().Context(), kit.RequestVisitor(c).Org.ID, found.Latest())
	if err != nil {
		return err
	}
	return s.scenarioPage(c, http.StatusOK, found, s.tryForm(c, found.Latest()), &run)
}

// testLines returns tests for display, with the results of a run; nil: they were not run.
func testLines(tests []scenario.ScenarioTest, run *scenario.TestRun, l locale.Language) []scenarios.TestLine {
	lines := make([]scenarios.TestLine, len(tests))
	for i, one := range tests {
		lines[i].Name, lines[i].Always = one.Name, one.ExpectsNothing()
		if run == nil {
			continue
		}
		lines[i].Run, lines[i].Passed = true, run.Results[i].Passed
		for _, failure := range run.Results[i].Failures {
			lines[i].Failures = append(lines[i].Failures, scenarios.TestFault(l, failure))
		}
	}
	return lines
}

// testDraft runs the tests of the editor's draft; nil without tests, and for a draft that is not valid.
func (s handlers) testDraft(
	c echo.Context, d *scenarioDraft, found service.FieldViolations,
) *scenarios.TestSummary {
	l := kit.RequestVisitor(c).Lang
	switch {
	case len(found) > 0 || len(d.badNumbers) > 0:
		return &scenarios.TestSummary{Text: scenarios.TestsMendFirst.In(l), Bad: true}
	case len(d.plan.Tests) == 0:
		return nil
	}
	run, err := s.UseCases.TestPlan(c.Request().Context(), kit.RequestVisitor(c).Org.ID, d.plan)
	if err != nil {
		s.Log.Warn("the tests of a draft failed to run", "err", err)
		return &scenarios.TestSummary{Text: scenarios.TestsBroken.In(l), Bad: true}
	}
	summary := &scenarios.TestSummary{
		Text: scenarios.TestsPassed.In(l).Fill(run.Passed), Results: testLines(d.plan.Tests, &run, l),
	}
	if run.Failed > 0 {
		summary.Bad, summary.Text = true, scenarios.TestsFailed.In(l).Fill(run.Failed)
	}
	return summary
}

// blockingTests returns the tests that keep a draft from being published; nil if it may be. An owner may override them.
func (s handlers) blockingTests(c echo.Context, d *scenarioDraft, op string) *scenarios.TestSummary {
	mayOverride := kit.RequestVisitor(c).User.Role.Allows(account.Owner)
	if op == opSaveDraft || op == opPublishAnyway && mayOverride {
		return nil
	}
	summary := s.testDraft(c, d, nil)
	if summary == nil || !summary.Bad {
		return nil
	}
	summary.Blocks, summary.May = true, mayOverride
	summary.Text += " " + scenarios.TestsBlock.In(kit.RequestVisitor(c).Lang)
	return summary
}

// showBlockingTests shows the editor with the failing tests that keep its draft from being published, and what
// publishing it would change.
func (s handlers) showBlockingTests(
	c echo.Context, before scenario.Scenario, d scenarioDraft, blocking *scenarios.TestSummary,
	review *scenarios.PublishReview,
) error {
	p := s.editorView(c, before, &d, nil, d.byForm)
	p.Tests, p.Review = blocking, review
	return s.renderEditor(c, http.StatusUnprocessableEntity, p)
}

// keepTrial adds the typed trial to the tests of a draft: its answers, the steps and the report that they lead to. It
// returns what to say about it; empty if nothing was kept.
func (s handlers) keepTrial(c echo.Context, d *scenarioDraft) (said string, err error) {
	given := kit.SentForm(c)
	answers, v := trialAnswers(given, ""), kit.RequestVisitor(c)
	if s.Rehearse == nil || !d.isReadable() || len(answers) == 0 {
		return "", nil
	}
	if faults := d.checkDraft(c.Request().Context(), d.plan.ID, ""); len(faults) > 0 {
		return "", nil
	}
	variables := typedVariables(d.plan, "try.var.", given.Get)
	plan := d.plan
	plan.LLM = nil // as tests run
	out, err := s.RunTrial(c.Request().Context(), kit.TrialRequest{
		OrgID: v.Org.ID, Scenario: plan, Answers: answers, Variables: variables, Now: s.Now(), ToEnd: true,
	})
	if err != nil {
		return "", err
	}
	at := s.Now().UTC().Truncate(time.Millisecond)
	one := scenario.ScenarioTest{
		Name: unusedTestName(d.plan.Tests, v.Lang), Variables: variables, At: &at, Says: writtenAnswers(answers),
		Expect: scenario.TestExpectation{Steps: out.Steps, Report: reportValues(out.Report)},
	}
	d.plan.Tests = append(d.plan.Tests[:len(d.plan.Tests):len(d.plan.Tests)], one)
	return locale.FillSentence(scenarios.TestKept.In(v.Lang), "name", one.Name), d.writeSource()
}

// reportValues returns the values of a report; none for a call without one.
func reportValues(raw json.RawMessage) (values map[string]any) {
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, &values) // of the conversation, which encoded it
	}
	return values
}

// writtenAnswers returns answers as tests hold them: a text without its form, unless it would be another form.
func writtenAnswers(answers []string) []string {
	written := slices.Clone(answers)
	for i, answer := range written {
		text, isText := strings.CutPrefix(answer, trialSays)
		isForm := slices.ContainsFunc([]string{trialSilent, trialHangUp, trialKeys, trialSays}, func(form string) bool {
			return strings.HasPrefix(text, form)
		})
		if isText && !isForm {
			written[i] = text
		}
	}
	return written
}

// unusedTestName returns a name that no test has.
func unusedTestName(tests []scenario.ScenarioTest, l locale.Language) string {
	for n := len(tests) + 1; ; n++ {
		name := locale.FillSentence(scenarios.TestDefaultName.In(l), "n", n)
		if !slices.ContainsFunc(tests, func(t scenario.ScenarioTest) bool { return t.Name == name }) {
			return name
		}
	}
}
