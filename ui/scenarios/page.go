package scenarios

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// ScenariosView is the list of scenarios.
type ScenariosView struct {
	layout.ConsolePage
	component.TableList
	May  bool // make and change them
	Rows []ScenarioRow
}

// ScenarioRow is one of them.
type ScenarioRow struct {
	ID, Name, Description string
	Kind                  ScenarioKind
	Steps                 int
	OnlyDraft             bool // it was never published
	HasDraft              bool // a draft lies beside the published one
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

// scenarioAddress returns where a scenario lies, or something below it.
func scenarioAddress(id, below string) string { return "/console/scenarios/" + id + below }

// NewScenario is the form that makes a copy.
type NewScenario struct {
	layout.ConsolePage
	From     []component.ListChoice
	Name, ID string
	Faults   map[string]string
}

// ScenarioFault is one rule that the scenario breaks, at its place.
type ScenarioFault struct {
	Field, Message string
	Line           int            // of the JSON, from 1; 0: unknown
	Around         []NumberedLine // the lines about it
}

// NumberedLine is a line of the JSON.
type NumberedLine struct {
	Number int
	Text   string
	Here   bool
}
