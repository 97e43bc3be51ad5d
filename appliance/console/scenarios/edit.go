package scenarios

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// flashSaved sets the message that a scenario was saved, with the first line that no voice can speak, or how many lines
// have no recording.
func (s handlers) flashSaved(c echo.Context, saved service.SavedScenario, l locale.Language) {
	text, warnings := scenarios.SaidSaved.In(l), saved.Warnings
	if saved.Scenario.UpdateBookedCalls {
		text = scenarios.SaidSavedForAll.In(l)
	}
	if !saved.Scenario.Latest().IsPublished() {
		text = scenarios.SaidDraft.In(l)
	}
	if len(warnings) == 0 {
		if voices := s.callVoices(c, saved.Scenario.Latest()); voices != nil && len(voices.Unrecorded) > 0 {
			lines := scenarios.VoicesUnrecorded.In(l).Fill(len(voices.Unrecorded))
			text += " " + locale.FillSentence(scenarios.VoicesSaved.In(l), "lines", lines)
		}
		kit.FlashMessage(c, text)
		return
	}
	kit.FlashProblem(
		c,
		text+" "+strings.ReplaceAll(scenarios.Unspoken.In(l), "{line}", kit.QuotedLine(warnings[0].Message)),
	)
}

// describeSyntaxError says why a text is not a scenario, and where.
func describeSyntaxError(
	source string, err error, l locale.Language,
) (fault string, faults []scenarios.ScenarioFault) {
	if len(source) > scenario.MaxBytes {
		return scenarios.TooLong.In(l), nil
	}
	line := 0
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line = 1 + strings.Count(source[:min(int(syntax.Offset), len(source))], "\n")
	}
	at := faultAt(strings.Split(source, "\n"), line)
	at.Message = scenarios.NotJSONDo.In(l)
	return scenarios.NotJSON.In(l), []scenarios.ScenarioFault{at}
}

// showScenarioEditor shows the editor with the newest version; with the query parameter version with a former one to be
// restored, and what publishing it changes.
func (s handlers) showScenarioEditor(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	latest, former := found.Latest(), c.QueryParam("version")
	d := scenarioDraft{plan: latest, version: latest.Version, byForm: c.QueryParam("tab") != "json"}
	if former != "" {
		version, err := s.findVersion(c, found.ID, former)
		if err != nil {
			return err
		}
		d.plan = version.Scenario
	}
	if err := d.writeSource(); err != nil {
		return err
	}
	wrong := d.checkDraft(c.Request().Context(), found.ID, "")
	p := s.editorView(c, found, &d, wrong, d.byForm)
	if former != "" && len(wrong) == 0 {
		if p.Review, err = reviewPublish(found, d, opPublish, kit.RequestVisitor(c).Lang); err != nil {
			return err
		}
	}
	return s.renderEditor(c, http.StatusOK, p)
}

// saveScenario validates a scenario and saves it as a draft, or publishes it unless its tests fail; a built-in one is
// copied to the organization with the new content.
func (s handlers) saveScenario(c echo.Context) error {
	before, d, err := s.readSentDraft(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	if d.syntaxError != nil {
		return s.renderEditor(c, http.StatusUnprocessableEntity, s.unreadablePage(c, before, d))
	}
	found := d.checkDraft(c.Request().Context(), before.ID, scenarios.KeepID.In(l))
	if len(found) > 0 || len(d.badNumbers) > 0 {
		return s.showDraftFaults(c, before, d, found)
	}
	op, reviewed, _ := strings.Cut(c.FormValue("op"), ":")
	review, err := reviewPublish(before, d, op, l)
	if err != nil {
		return err
	}
	if blocking := s.blockingTests(c, &d, op); blocking != nil {
		return s.showBlockingTests(c, before, d, blocking, review)
	}
	if review != nil && review.Stamp != reviewed {
		return s.showReview(c, before, d, review)
	}
	if d.plan.Status = scenario.PublishedStatus; op == opSaveDraft {
		d.plan.Status = scenario.DraftStatus
	}
	if c.FormValue("version") == "" {
		d.version = before.Latest().Version
	}
	saved, err := s.UseCases.PutScenario(c.Request().Context(), kit.RequestCaller(c), d.plan,
		func(kept scenario.Scenario) bool { return kept.Version == d.version })
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		return s.showDraftFaults(c, before, d, broken.Violations)
	}
	if kit.IsStale(err) {
		return s.showSaveConflict(c, d)
	}
	if err != nil {
		return err
	}
	s.flashSaved(c, saved, l)
	return kit.RedirectTo(c, scenariosPath+"/"+before.ID)
}

// showReview shows what publishing a draft changes, unless it would be refused.
func (s handlers) showReview(
	c echo.Context, before scenario.Scenario, d scenarioDraft, review *scenarios.PublishReview,
) error {
	found, err := s.checkBySaving(c, &d, before.ID)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return s.showDraftFaults(c, before, d, found)
	}
	p := s.editorView(c, before, &d, nil, d.byForm)
	p.Review = review
	return s.renderEditor(c, http.StatusOK, p)
}

// reviewPublish returns what publishing a draft from the editor changes; nil if it is not to be published, nothing is
// published yet, or nothing differs.
func reviewPublish(
	before scenario.Scenario, d scenarioDraft, op string, l locale.Language,
) (*scenarios.PublishReview, error) {
	published := publishedOf(before)
	if op != opPublish && op != opPublishAnyway || published == nil {
		return nil, nil
	}
	difference, err := diffScenarios(*published, d.plan, l)
	if err != nil || len(difference.Source) == 0 {
		return nil, err
	}
	return &scenarios.PublishReview{
		Stamp: sourceStamp(d.source), BuiltIn: published.BuiltIn, Before: max(1, published.Version),
		Follows: d.plan.UpdateBookedCalls, Difference: difference,
	}, nil
}

// showSaveConflict shows the editor with the draft, which the next save puts over the version that was saved meanwhile.
func (s handlers) showSaveConflict(c echo.Context, d scenarioDraft) error {
	stored, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	d.version = stored.Latest().Version
	p := s.editorView(c, stored, &d, nil, d.byForm)
	source, err := scenarioJSON(stored.Latest())
	if err != nil {
		return err
	}
	saved, typed := kit.SplitDifference(diffLines(source, d.source))
	p.Conflict = []form.ConflictRow{{Label: scenarios.JSON.In(kit.RequestVisitor(c).Lang), Saved: saved, Typed: typed}}
	return s.renderEditor(c, http.StatusConflict, p)
}

// showDraftFaults shows the editor with the violations of the draft.
func (s handlers) showDraftFaults(
	c echo.Context, before scenario.Scenario, d scenarioDraft, found service.FieldViolations,
) error {
	p := s.editorView(c, before, &d, found, d.byForm)
	if p.Form != nil {
		p.Fault = scenarios.EditorBroken.In(kit.RequestVisitor(c).Lang)
	}
	return s.renderEditor(c, http.StatusUnprocessableEntity, p)
}
