package scenarios

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

const scenariosPath = kit.Root + "/scenarios"

// listScenarios shows the organization's scenarios and the built-in ones that it has not replaced, by name.
func (s handlers) listScenarios(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.listedScenarios(c)
	if err != nil {
		return err
	}
	p := scenarios.ScenariosView{
		ConsolePage: s.scenarioFrame(c, scenarios.Title.In(v.Lang)), May: v.User.Role.Allows(account.Operator),
	}
	p.Rows, p.TableList = kit.PageRows(c, "/scenarios", scenarios.Table, all)
	return kit.RenderPage(c, http.StatusOK, scenarios.ScenariosPage(p))
}

// listedScenarios returns the scenarios by name.
func (s handlers) listedScenarios(c echo.Context) (listed []scenarios.ListedScenario, err error) {
	all, err := s.ListScenariosFor(c.Request().Context(), kit.RequestVisitor(c))
	slices.SortFunc(all, func(a, b scenario.Scenario) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for _, one := range all {
		listed = append(listed, scenarios.ListedScenario{Scenario: one, Kind: s.scenarioKind(one)})
	}
	return listed, err
}

// exportScenarios exports the scenarios as CSV.
func (s handlers) exportScenarios(c echo.Context) error {
	all, err := s.listedScenarios(c)
	return kit.ExportRows(c, "scenarios", scenarios.Table, all, err)
}

// scenarioFrame returns the frame of the scenario pages.
func (s handlers) scenarioFrame(c echo.Context, title string) layout.ConsolePage {
	f := s.ConsoleFrame(c, title)
	f.Styles = append(f.Styles, "css/console-flows.css")
	f.Module = "js/console-scenarios.js"
	return f
}

// scenarioKind returns whether a scenario is built in, replaces a built-in one, or is the organization's own.
func (s handlers) scenarioKind(one scenario.Scenario) scenarios.ScenarioKind {
	_, builtIn := kit.FindScenario(s.UseCases.BuiltIn(), one.ID)
	switch {
	case one.Latest().BuiltIn:
		return scenarios.BuiltInScenario
	case builtIn:
		return scenarios.ReplacedScenario
	}
	return scenarios.OwnScenario
}

// requestScenario finds the scenario that the path names.
func (s handlers) requestScenario(c echo.Context) (scenario.Scenario, error) {
	return s.scenarioByID(c, c.Param("scenario"))
}

func (s handlers) scenarioByID(c echo.Context, id string) (scenario.Scenario, error) {
	found, known, err := s.UseCases.FindScenario(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
	if err == nil && !known {
		err = kit.NewNotFoundError("no such scenario")
	}
	return found, err
}

// templatePrefix is before the id of a template in the form of a new scenario, whose other choices are scenarios.
const templatePrefix = "template:"

// newScenario shows the templates, and the form that begins with one of them or copies a scenario.
func (s handlers) newScenario(c echo.Context) error {
	v := kit.RequestVisitor(c)
	plan := newPlan{From: c.QueryParam("from")}
	if plan.From != "" {
		copied, err := s.scenarioByID(c, plan.From)
		if err != nil {
			return err
		}
		plan.Name = kit.TranslateBuiltIn(copied.Latest(), v.Lang).Name + " 2"
		plan.ID = scenario.UnusedName(copied.ID, s.isTaken(c))
	}
	return s.newScenarioPage(c, http.StatusOK, plan, nil)
}

func (s handlers) newScenarioPage(c echo.Context, status int, plan newPlan, faults []form.Violation) error {
	v := kit.RequestVisitor(c)
	all, err := s.ListScenariosFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	p := scenarios.NewScenario{ConsolePage: s.scenarioFrame(c, scenarios.NewTitle.In(v.Lang))}
	p.Templates = s.templateCards(plan.From, v.Lang)
	if _, copies := kit.FindScenario(all, plan.From); copies {
		p.Copied = kit.ScenarioChoices(all, plan.From)
	} else {
		p.Copied = append([]component.ListChoice{{}}, kit.ScenarioChoices(all, "")...)
		p.ChooseFirst()
	}
	p.Fields, p.More = bindNewPlan(v.Lang, nil, &plan, faults)
	return kit.RenderPage(c, status, scenarios.NewScenarioPage(p))
}

// createScenario saves a template, or a copy of a scenario, as a draft and opens the editor.
func (s handlers) createScenario(c echo.Context) error {
	l, ctx := kit.RequestVisitor(c).Lang, c.Request().Context()
	given := kit.SentForm(c)
	typed := newPlan{From: given.Get("from")}
	bindNewPlan(l, given, &typed, nil)
	if copied := given.Get("copy"); copied != "" {
		typed.From = copied
	}
	plan, err := s.templateOrCopy(c, typed.From)
	if err != nil {
		return err
	}
	plan.ID, plan.Name = scenarioIDOf(typed, s.isTaken(c)), typed.Name
	plan.Status = scenario.DraftStatus
	_, err = s.UseCases.CreateScenario(ctx, kit.RequestCaller(c), plan)
	var broken *service.ViolationError
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		return s.newScenarioPage(c, http.StatusUnprocessableEntity, typed, []form.Violation{{Path: "id", Message: "in use"}})
	case errors.As(err, &broken):
		return s.newScenarioPage(c, http.StatusUnprocessableEntity, typed, newPlanFaults(broken.Violations, l))
	case err != nil:
		return err
	}
	return kit.RedirectSaying(c, scenariosPath+"/"+plan.ID+"/edit", scenarios.SaidMade.In(l))
}

// newPlanFaults returns violations at the fields of the form; those of a copied scenario that breaks a newer rule are
// shown at its name.
func newPlanFaults(found service.FieldViolations, l locale.Language) (faults []form.Violation) {
	for _, v := range found {
		switch v.Field {
		case "id":
			faults = append(faults, form.Violation{Path: "id", Message: v.Message})
		case "name":
			faults = append(faults, form.Violation{Path: "name", Message: scenarios.NameEmpty.In(l)})
		default:
			faults = append(faults, form.Violation{Path: "name", Message: v.Field + ": " + locale.ScenarioFault(l, v.Message)})
		}
	}
	return faults
}

// templateOrCopy returns what a new scenario begins as: a template, or a scenario of the organization. The tests of a
// template describe what is about to be changed.
func (s handlers) templateOrCopy(c echo.Context, from string) (scenario.Scenario, error) {
	cards := scenarios.TemplateCards(kit.RequestVisitor(c).Lang)
	i := slices.IndexFunc(cards, func(card scenarios.TemplateCard) bool { return templatePrefix+card.ID == from })
	if i >= 0 {
		plan := s.UseCases.Templates[cards[i].ID]
		plan.Tests, plan.Description = nil, cards[i].About
		return plan, nil
	}
	plan, err := s.scenarioByID(c, from)
	if plan = plan.Latest(); plan.BuiltIn {
		plan.Tests = nil
	}
	return plan, err
}

// isTaken returns whether the visitor's organization has a scenario of an id.
func (s handlers) isTaken(c echo.Context) func(id string) bool {
	return func(id string) bool {
		_, known, err := s.UseCases.FindScenario(c.Request().Context(), kit.RequestVisitor(c).Org.ID, id)
		return known && err == nil
	}
}

// askDeleteScenario asks for Confirmation before a scenario is deleted.
func (s handlers) askDeleteScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	kind := s.scenarioKind(found)
	if kind == scenarios.BuiltInScenario {
		return kit.NewNotFoundError("a built-in scenario cannot be deleted")
	}
	l := kit.RequestVisitor(c).Lang
	q := component.AskQuestion{
		Title: scenarios.DeleteTitle.In(l), Text: found.Name + ". " + scenarios.DeleteText.In(l),
		Action: scenariosPath + "/" + found.ID + "/delete",
		Do:     scenarios.Delete.In(l), Danger: true, Back: scenariosPath + "/" + found.ID,
	}
	if kind == scenarios.ReplacedScenario {
		q.Text = found.Name + ". " + scenarios.DeleteReplaced.In(l)
	}
	return kit.RenderPage(c, http.StatusOK, layout.ConfirmPage(s.scenarioFrame(c, q.Title), q))
}

// deleteScenario deletes a scenario of the organization; a built-in one that it replaced applies again.
func (s handlers) deleteScenario(c echo.Context) error {
	err := s.UseCases.DeleteScenario(c.Request().Context(), kit.RequestCaller(c), c.Param("scenario"))
	if store.CodeOf(err) == store.CodeConflict {
		return kit.NewNotFoundError("a built-in scenario cannot be deleted")
	}
	return kit.RedirectAfter(c, err, scenariosPath, scenarios.SaidDeleted.In(kit.RequestVisitor(c).Lang))
}
