package scenarios

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

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
