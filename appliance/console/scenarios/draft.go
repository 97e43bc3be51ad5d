package scenarios

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// maxFormFields is the largest number of fields of a form; a larger scenario can only be edited as JSON.
const maxFormFields = 6000

// scenarioDraft is the editor's content: JSON, and the scenario if the JSON is one.
type scenarioDraft struct {
	source      string
	plan        scenario.Scenario
	byForm      bool                    // the form's fields belong to this source
	version     int                     // version of the scenario that was opened
	syntaxError error                   // the source is not JSON
	shapeFaults service.FieldViolations // unknown fields and wrong types; plan is then not set
	badNumbers  map[string]bool         // form fields whose number cannot be parsed
}

// readDraft reads the editor's form of a stored scenario: the JSON, with the changes of the form's fields if they
// belong to that JSON. Numbers in them are read as people of the region write them.
func readDraft(c echo.Context, stored scenario.Scenario, region string) (scenarioDraft, error) {
	given := kit.SentForm(c)
	d := newDraft(c.Request().Context(), form.UnixLines(given.Get("json")))
	d.version = kit.ParseNumber(given.Get("version"))
	if d.byForm = d.isReadable() && given.Get("form") == sourceStamp(d.source); !d.byForm {
		return d, nil
	}
	return d, d.bindForm(given, kit.RequestVisitor(c).Lang, publishedOf(stored), region)
}

// publishedOf returns what programs know of a stored scenario; nil if it was only ever a draft.
func publishedOf(stored scenario.Scenario) *scenario.Scenario {
	if !stored.IsPublished() {
		return nil
	}
	return &stored
}

// isReadable reports whether the draft is a scenario, valid or not.
func (d *scenarioDraft) isReadable() bool { return d.syntaxError == nil && len(d.shapeFaults) == 0 }

// bindForm applies the changes of the form's fields.
func (d *scenarioDraft) bindForm(
	given url.Values, l locale.Language, published *scenario.Scenario, region string,
) error {
	b, before := form.NewBinder(l, given, nil), d.plan.AllSlots()
	renamed := scenarios.BindEditor(b, &d.plan, published, nil).Renamed
	for i := range before {
		before[i].Name = cmp.Or(renamed[before[i].Name], before[i].Name)
	}
	d.plan.FollowSlots(before)
	d.badNumbers = b.BadNumbers
	for i := range d.plan.Steps {
		step := &d.plan.Steps[i]
		step.To = localTarget(step.To, region)
		for k := range step.Targets {
			step.Targets[k] = localTarget(step.Targets[k], region)
		}
	}
	return d.writeSource()
}

// localTarget returns a transfer's target: a number as people of a region write it, or any other target unchanged.
func localTarget(typed, region string) string {
	if number, ok := kit.LocalNumber(typed, region); ok {
		return number
	}
	return typed
}

func (d *scenarioDraft) writeSource() (err error) {
	d.source, err = scenarioJSON(d.plan)
	return err
}

// newDraft parses a source.
func newDraft(ctx context.Context, source string) scenarioDraft {
	d := scenarioDraft{source: source}
	plan, faults, err := scenario.DecodeScenario(ctx, []byte(source))
	switch {
	case err != nil:
		d.syntaxError = err
	case plan.Language == "": // not decoded
		d.shapeFaults.AddAll(faults)
	default:
		d.plan = plan
	}
	return d
}

// checkDraft returns the violations of a draft of the scenario with an id; keepID is the message for another id.
func (d *scenarioDraft) checkDraft(ctx context.Context, id string, keepID string) service.FieldViolations {
	if len(d.shapeFaults) > 0 {
		return d.shapeFaults
	}
	var found service.FieldViolations
	found.AddAll(scenario.CheckScenario(ctx, d.plan))
	if d.plan.ID != id {
		found.AddViolation("id", "%s", keepID)
	}
	return found
}

// checkBySaving returns the violations of a draft of the scenario with an id: its own, else those of the organization's
// rules, such as a tool that it does not have.
func (s handlers) checkBySaving(c echo.Context, d *scenarioDraft, id string) (service.FieldViolations, error) {
	ctx := c.Request().Context()
	if found := d.checkDraft(ctx, id, scenarios.KeepID.In(kit.RequestVisitor(c).Lang)); len(found) > 0 {
		return found, nil
	}
	err := s.UseCases.CheckScenario(ctx, kit.RequestCaller(c), d.plan)
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		return broken.Violations, nil
	}
	return nil, err
}

// scenarioViolations returns the violations of a scenario as sentences in a language.
func scenarioViolations(found service.FieldViolations, l locale.Language) []form.Violation {
	all := make([]form.Violation, len(found))
	for i, v := range found {
		all[i] = form.Violation{Path: v.Field, Message: locale.ScenarioFault(l, v.Message)}
	}
	return all
}

// sourceStamp identifies the JSON to which a form's fields belong.
func sourceStamp(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:8])
}

// editorView returns the editor of a draft; with asForm as a form, if the draft can be one.
func (s handlers) editorView(
	c echo.Context, before scenario.Scenario, d *scenarioDraft, found service.FieldViolations, asForm bool,
) scenarios.ScenarioEditor {
	return s.editorViewWithRecorder(c, before, d, found, asForm, openRecorder{})
}

// editorViewWithRecorder is editorView with an open line recorder.
func (s handlers) editorViewWithRecorder(
	c echo.Context, before scenario.Scenario, d *scenarioDraft, found service.FieldViolations, asForm bool,
	open openRecorder,
) scenarios.ScenarioEditor {
	l := kit.RequestVisitor(c).Lang
	p := scenarios.ScenarioEditor{
		ConsolePage: s.scenarioFrame(c, scenarios.EditTitle.In(l)), ID: before.ID, Name: before.Latest().Name,
		Kind: s.scenarioKind(before), JSON: d.source, Version: d.version, Faults: locateFaults(d.source, found, l),
		Draft: draftNote(before, l),
	}
	p.Path = scenariosPath + "/" + before.ID + "/edit"
	if stored, err := scenarioJSON(before.Latest()); err == nil {
		p.Unsaved = stored != d.source
	}
	p.Wrong = len(found) > 0 || len(d.badNumbers) > 0
	switch {
	case !asForm:
	case !d.isReadable():
		p.NoForm = scenarios.EditorUnreadable.In(l)
	default:
		b := form.NewBinder(l, nil, scenarioViolations(found, l))
		b.BadNumbers = d.badNumbers
		if shown := scenarios.BindEditor(b, &d.plan, publishedOf(before), s.neuralNames()); b.Count <= maxFormFields {
			p.Form, p.Stamp = &shown, sourceStamp(d.source)
			p.Values, p.Map = scenarios.ListLineValues(d.plan, l), s.editorMap(c, d.plan, before)
		} else {
			p.NoForm = scenarios.EditorTooLarge.In(l)
		}
	}
	if p.Form != nil {
		s.markRecordings(c, &p, open)
		s.markVoices(c, &p, d.plan)
		s.addTrial(c, &p, d, found)
	}
	return p
}

// changeDraft applies one change to the editor's draft and shows it again, without saving.
func (s handlers) changeDraft(c echo.Context) error {
	before, d, err := s.readSentDraft(c)
	if err != nil {
		return err
	}
	op, l := c.FormValue("op"), kit.RequestVisitor(c).Lang
	undo, err := d.change(c, op, l)
	if err != nil {
		return err
	}
	if d.syntaxError != nil {
		return s.renderEditor(c, http.StatusOK, s.unreadablePage(c, before, d))
	}
	open, said, status, err := s.recordLine(c)
	if err != nil {
		return err
	}
	if op == opKeepTrial {
		if said, err = s.keepTrial(c, &d); err != nil {
			return err
		}
	}
	found := d.checkDraft(c.Request().Context(), before.ID, scenarios.KeepID.In(l))
	if op == "check" {
		if found, err = s.checkBySaving(c, &d, before.ID); err != nil {
			return err
		}
	}
	p := s.editorViewWithRecorder(c, before, &d, found, op != "tab:json", open)
	p.Undo, p.Opens = undo, openedList(op)
	if op == opRunTests {
		p.Tests = s.testDraft(c, &d, found)
	}
	if op == "check" && !p.Wrong {
		said = scenarios.EditorChecked.In(kit.RequestVisitor(c).Lang)
	}
	if op == opUndo {
		said = scenarios.EditorUndone.In(l)
	}
	if said != "" {
		p.Flash = &layout.FlashMessage{Text: said}
	}
	return s.renderEditor(c, status, p)
}

// readSentDraft returns the stored scenario that the path names, and the draft that the editor sent.
func (s handlers) readSentDraft(c echo.Context) (before scenario.Scenario, d scenarioDraft, err error) {
	if before, err = s.requestScenario(c); err == nil {
		d, err = readDraft(c, before, s.NumberRegion(c))
	}
	return before, d, err
}

func (s handlers) renderEditor(c echo.Context, status int, p scenarios.ScenarioEditor) error {
	return kit.RenderPage(c, status, scenarios.ScenarioEditorPage(p))
}

// unreadablePage returns the editor for a text that is not JSON.
func (s handlers) unreadablePage(
	c echo.Context, before scenario.Scenario, d scenarioDraft,
) scenarios.ScenarioEditor {
	l := kit.RequestVisitor(c).Lang
	p := s.editorView(c, before, &d, nil, false)
	p.Wrong = true
	p.Fault, p.Faults = describeSyntaxError(d.source, d.syntaxError, l)
	return p
}
