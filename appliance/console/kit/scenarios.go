package kit

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/rules"
)

// QuotedLine returns the line that a message quotes, or the message itself.
func QuotedLine(message string) string {
	_, rest, found := strings.Cut(message, "“")
	line, _, closed := strings.Cut(rest, "”")
	if !found || !closed {
		return message
	}
	return line
}

// ListScenariosFor returns the organization's scenarios; names and descriptions of built-in ones are in the visitor's
// language.
func (s *Console) ListScenariosFor(ctx context.Context, v Visitor) ([]scenario.Scenario, error) {
	all, err := s.UseCases.ListScenarios(ctx, v.Org.ID)
	for i := range all {
		all[i] = TranslateBuiltIn(all[i], v.Lang)
	}
	return all, err
}

// ListBookableFor is [Console.ListScenariosFor] without scenarios that were only ever a draft.
func (s *Console) ListBookableFor(ctx context.Context, v Visitor) ([]scenario.Scenario, error) {
	all, err := s.ListScenariosFor(ctx, v)
	return BookableScenarios(all), err
}

// BookableScenarios returns the published ones of some scenarios.
func BookableScenarios(all []scenario.Scenario) (published []scenario.Scenario) {
	for _, one := range all {
		if one.IsPublished() {
			published = append(published, one)
		}
	}
	return published
}

// TranslateBuiltIn returns a built-in scenario with its name and description in a language, any other unchanged.
func TranslateBuiltIn(one scenario.Scenario, l locale.Language) scenario.Scenario {
	if !one.BuiltIn {
		return one
	}
	one.Name = locale.BuiltInName(l, one.ID, one.Name)
	one.Description = DescriptionIn(l, one.Description)
	return one
}

// DescriptionIn returns the line of a description in a language, if it has one in Arabic and then one in another.
func DescriptionIn(l locale.Language, text string) string {
	isArabic := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
	}
	arabic, english, both := strings.Cut(text, "\n")
	if !both || !isArabic(arabic) || isArabic(english) {
		return text
	}
	if l == locale.Arabic {
		return arabic
	}
	return english
}

// FindScenario finds a scenario by its id.
func FindScenario(all []scenario.Scenario, id string) (scenario.Scenario, bool) {
	i := slices.IndexFunc(all, func(one scenario.Scenario) bool { return one.ID == id })
	if i < 0 {
		return scenario.Scenario{}, false
	}
	return all[i], true
}

// FindScenarioOrFirst is FindScenario with the first scenario as default; an empty one if there are none.
func FindScenarioOrFirst(all []scenario.Scenario, id string) scenario.Scenario {
	plan, known := FindScenario(all, id)
	if !known && len(all) > 0 {
		return all[0]
	}
	return plan
}

// ScenarioName returns the name of a scenario; its id if it was deleted.
func ScenarioName(all []scenario.Scenario, id string) string {
	if found, ok := FindScenario(all, id); ok && found.Name != "" {
		return found.Name
	}
	return id
}

// CallScenarioName returns the name of a call's scenario in a language, also of a call-back by staff, which has none.
func CallScenarioName(all []scenario.Scenario, id string, l locale.Language) string {
	if _, ok := FindScenario(all, id); !ok && id == call.CallBackScenario {
		return calls.CallBackName.In(l)
	}
	return ScenarioName(all, id)
}

// ScenarioChoices returns the scenarios to choose from, with the chosen one.
func ScenarioChoices(all []scenario.Scenario, chosen string) []component.ListChoice {
	choices := make([]component.ListChoice, len(all))
	for i, one := range all {
		choices[i] = component.ListChoice{Value: one.ID, Name: ScenarioName(all, one.ID), Chosen: one.ID == chosen}
	}
	return choices
}

// NewNotFoundError returns a 404 error.
func NewNotFoundError(what string) error { return store.Errorf(store.CodeNotFound, "%s", what) }

// ProposedRules returns the usual rules that the viewed organization has not set, for an owner; none for others.
func (s *Console) ProposedRules(c echo.Context, p layout.ConsolePage) rules.Proposals {
	kept, err := s.RequestRules(c)
	if err != nil || !RequestVisitor(c).User.Role.Allows(account.Owner) {
		return rules.Proposals{}
	}
	var names []string
	if len(kept.CallingHours) == 0 {
		names = append(names, rules.ProposeHours)
	}
	if kept.AttemptsPerDay == 0 && kept.AttemptsPerWeek == 0 {
		names = append(names, rules.ProposeAttempts)
	}
	if kept.RetentionDays.Audio == 0 && kept.RetentionDays.Transcript == 0 {
		names = append(names, rules.ProposeRetention)
	}
	return rules.NewProposals(p, names)
}
