package scenarios

import (
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/layout"
)

// ScenarioView is one scenario, written out like a script.
type ScenarioView struct {
	layout.ConsolePage
	May       bool // change it
	ID, Name  string
	About     string
	Kind      ScenarioKind
	Variables []ScenarioVariable
	Steps     []ScriptStep
	Conduct   []ScenarioFact
	Identify  []ScriptLine
	Questions []ScriptQuestion
	JSON      string
	Try       *TryScenario // nil: no permission, or the carrier is not the simulator
	Draft     *DraftNote   // nil: the published scenario is shown
	Tests     []TestLine
	Map       FlowMap
	Voices    *CallVoices // nil: not known
	Certain   []CertainQuestion
	Proposals []PhraseProposal
}

// DraftNote says that a draft is shown, and what calls follow.
type DraftNote struct {
	Text    string
	Version int // number of the draft, to be compared with the published one; 0: there is none
}

// ScenarioVariable is a value that a booking brings.
type ScenarioVariable struct {
	Name, Label, About, Default string
	Required                    bool
	Choices                     []string
	Field                       calls.VariableField // in the form of a try
	Fault                       string
}

// ScriptStep is a step as it reads.
type ScriptStep struct {
	ID, Kind string
	Label    string // display name
	LineLists[[]ScriptLine]

	Slot   *ScriptSlot
	Notes  []string
	Ways   []ScriptWay
	To     string // of a transfer: its targets
	Prompt string // of a model
	Finds  []ScriptSlot
}

// LineLists are the lines of a step's fields, as a page shows or binds them; see [scenario.FlowStep.LineLists].
type LineLists[T any] []FieldLines[T]

// FieldLines are the lines of a field.
type FieldLines[T any] struct {
	Field string
	Lines T
}

// LinesOf returns the lines of a field; none if the step does not have it.
func (l LineLists[T]) LinesOf(field string) (none T) {
	for _, one := range l {
		if one.Field == field {
			return one.Lines
		}
	}
	return none
}

// ScriptLine is one thing to say.
type ScriptLine struct {
	Text     string
	Optional bool
	Open     bool // it has values that only a call fills in
	Parts    []LinePart
	Sound    string // address of its audio; empty for an open one
}

// ScriptQuestion is a question that people ask in between, and what is said to it.
type ScriptQuestion struct {
	Phrases string
	Say     []ScriptLine
}

// LinePart is a text of a line, or the name of a value with its placeholder.
type LinePart struct{ Text, Placeholder string }

// ScriptSlot is the slot of an answer.
type ScriptSlot struct {
	Name, Label, Kind string
	Choices           []ScriptChoice
	Yes, No           []string
	Notes             []string
	Also              []string // labels of other slots
}

// ScriptChoice is one of a choice's values, with its display name.
type ScriptChoice struct {
	Label, Value, Key string
	Phrases           []string
}

// ScriptWay is a way out of a step.
type ScriptWay struct {
	Slot, Value string // the condition by its labels; without a slot there is none
	Known       *bool  // the condition is whether the slot is known
	Label       string // shown instead of a condition; may be empty
	Target      string // a step's id; empty: the call ends
	TargetLabel string
}

// ScenarioFact is a line about how calls of a scenario go.
type ScenarioFact struct {
	Label, Value string
}

// TryScenario is the form of a try.
type TryScenario struct {
	People    []component.ListChoice
	Variables []ScenarioVariable
	Fault     string
}

// StepAnchor names a step on the page.
func StepAnchor(id string) string { return "step-" + id }
