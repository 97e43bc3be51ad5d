package scenarios

import (
	"strconv"

	"github.com/a-h/templ"

	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// ScenariosView is the list of scenarios.
type ScenariosView struct {
	layout.ConsolePage
	component.TableList
	May  bool // make and change them
	Rows []ListedScenario
}

// ListedScenario is a scenario in the list.
type ListedScenario struct {
	scenario.Scenario
	Kind ScenarioKind
}

// ScenarioKind distinguishes built-in scenarios, own copies and own ones.
type ScenarioKind string

// The kinds.
const (
	BuiltInScenario  ScenarioKind = "built_in"
	OwnScenario      ScenarioKind = "own"
	ReplacedScenario ScenarioKind = "replaced" // the organization's own under a built-in one's id
)

func (k ScenarioKind) kindWord(l locale.Language) string {
	return map[ScenarioKind]locale.Text{
		BuiltInScenario: BuiltIn, OwnScenario: Own, ReplacedScenario: Replaced,
	}[k].In(l)
}

// Table is the table of scenarios, which the export and the search share.
var Table = list.Table[ListedScenario]{
	{
		Title: Name, Cell: func(at list.At, s ListedScenario) templ.Component { return scenarioName(s, at.Lang) },
	},
	{Title: ID, Key: "id", Searched: true, Mono: true, Text: func(s ListedScenario) string { return s.ID }},
	{Key: "name", Searched: true, Text: func(s ListedScenario) string { return s.Name }},
	{
		Title: About, Key: "description", Searched: true, Text: func(s ListedScenario) string { return s.Description },
		Cell: func(_ list.At, s ListedScenario) templ.Component { return about(s.Description) },
	},
	{Key: "kind", Text: func(s ListedScenario) string { return string(s.Kind) }},
	{Title: StepsTitle, Key: "steps", Text: func(s ListedScenario) string { return strconv.Itoa(len(s.Steps)) }},
	{Key: "status", Text: func(s ListedScenario) string { return string(s.Latest().Status) }},
}
