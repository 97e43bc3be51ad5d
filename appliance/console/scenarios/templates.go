package scenarios

import (
	"cmp"
	"net/url"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// templateCards returns the templates for display, in the order in which they are offered.
func (s handlers) templateCards(chosen string, l locale.Language) []scenarios.TemplateCard {
	cards := scenarios.TemplateCards(l)
	for i := range cards {
		card := &cards[i]
		card.Picture = scenarios.DrawSmallMap(s.UseCases.Templates[card.ID], l)
		card.Chosen = templatePrefix+card.ID == chosen
	}
	return cards
}

// newPlan is what a new scenario is made of, as typed.
type newPlan struct {
	From, Name, ID string
}

// bindNewPlan reads the form of a new scenario; given is nil for an empty one.
func bindNewPlan(
	l locale.Language, given url.Values, plan *newPlan, faults []form.Violation,
) (fields, more []form.Field) {
	b := form.NewBinder(l, given, faults)
	return form.BindDeclared(b, "", plan, newFields), form.BindDeclared(b, "", plan, newMoreFields)
}

var (
	newFields = []form.Declared[*newPlan]{{
		Name: "name", Label: scenarios.Name, Help: scenarios.NewNameHint, Most: 200, Required: true,
		Value: func(p *newPlan) any { return &p.Name },
	}}
	newMoreFields = []form.Declared[*newPlan]{{
		Name: "id", Label: scenarios.ID, Help: scenarios.IDHint, Dir: "ltr", Most: 64,
		Value: func(p *newPlan) any { return &p.ID }, Fault: scenarios.IDTaken,
	}}
)

// scenarioIDOf returns the id that was typed, else an unused one that is made of the name.
func scenarioIDOf(plan newPlan, isTaken func(id string) bool) string {
	made := strings.ToLower(scenario.NameFromText(plan.Name, "scenario"))
	return cmp.Or(plan.ID, scenario.UnusedName(made, isTaken))
}
