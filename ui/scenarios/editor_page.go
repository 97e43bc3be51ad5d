package scenarios

import (
	"strconv"

	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// ScenarioEditor is the editor of a scenario: a form with a card for each step, or its JSON. The draft is in the form.
type ScenarioEditor struct {
	layout.ConsolePage
	ID, Name string
	Kind     ScenarioKind
	JSON     string        // the draft
	Stamp    string        // of the JSON that the form's fields belong to
	Version  int           // of the scenario that was opened
	Form     *ScenarioForm // nil: the JSON is shown
	NoForm   string        // why there is no form; empty: it was not asked for
	Fault    string        // why it was not saved, if no field is at fault
	Faults   []ScenarioFault
	Wrong    bool
	Trial    *TypedTrial        // nil: none can be held
	Conflict []form.ConflictRow // the draft and the version that was saved meanwhile
	Draft    *DraftNote         // nil: the published scenario was opened
	Tests    *TestSummary       // nil: they were not run
}

// recorderAnchor names the recorder of a line on the page.
func recorderAnchor(line SpokenInput) string { return "record-" + line.Text.FieldName() }

// draftAction is where a button of the editor sends the draft; the answer shows the card of a step.
func (p ScenarioEditor) draftAction(anchor string) string {
	return scenarioAddress(p.ID, "/draft") + "#" + anchor
}

func operationValue(name string, index int) string { return name + ":" + strconv.Itoa(index) }

// stepKinds are the types of steps in display order.
func stepKinds() []string { return []string{"say", "ask", "branch", "transfer", "llm", "fetch", "end"} }

// checkOp is the operation that checks the draft and stays on its tab.
func checkOp(form bool) string {
	if form {
		return "check"
	}
	return "tab:json"
}

// TypedTrial is the trial of a draft in writing, at the side of the editor.
type TypedTrial struct {
	On        bool
	Variables []ScenarioVariable
	Answers   []string   // so far, each in its form
	Replies   []string   // of the language model, so far
	Model     *TrialNote // how it fared; nil: it was not needed
	Turns     []TrialTurn
	Waiting   bool
	Asks      string // the purpose of the question
	Phrases   []string
	Slots     []calls.CallAnswer
	Troubles  []string
	Over      string // how the call ended
	Status    string
	Report    string
	Fault     string
}

// TrialNote is a remark on the trial.
type TrialNote struct {
	Bad  bool
	Text string
}

// TrialTurn is one turn of the conversation.
type TrialTurn struct {
	Customer bool
	Text     string
}

func (t TrialTurn) speakerName(l locale.Language) string {
	if t.Customer {
		return TrialPerson.In(l)
	}
	return TrialPlatform.In(l)
}
