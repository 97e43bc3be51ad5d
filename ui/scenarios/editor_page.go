package scenarios

import (
	"strconv"

	"munadi/store/scenario"
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
	Review   *PublishReview     // nil: it is not to be published, or nothing is published yet
	Unsaved  bool               // the draft differs from what is stored
	Undo     *EditorUndo        // nil: nothing was just removed
	Values   []LineValue        // that lines can speak
	Map      FlowMap
	Voices   *CallVoices // nil: not known
	Opens    string      // the list of the form that is unfolded; empty: those with a fault
}

// PublishReview is what publishing the draft changes.
type PublishReview struct {
	Stamp      string // of the draft that is reviewed
	BuiltIn    bool   // the built-in scenario is in force, not a version
	Before     int    // the published version
	Follows    bool   // booked calls follow the newest version
	Difference ScenarioDifference
}

// reviewedOp is an operation that publishes what the review shows.
func (p ScenarioEditor) reviewedOp(name string) string {
	if p.Review == nil {
		return name
	}
	return name + ":" + p.Review.Stamp
}

func (r PublishReview) lead(l locale.Language) string {
	if r.BuiltIn {
		return ReviewBuiltIn.In(l)
	}
	return locale.FillSentence(ReviewLead.In(l), "n", r.Before)
}

func (r PublishReview) booked() locale.Text {
	if r.Follows {
		return ReviewFollow
	}
	return ReviewKeep
}

// EditorUndo is what was just removed.
type EditorUndo struct {
	Text   string
	Source string // the draft before
}

// LineValue is a variable or an answer that a line can speak.
type LineValue struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Insert string `json:"insert"` // the placeholder, with the way in which it is spoken
}

// ListLineValues returns the values that lines of a scenario can speak.
func ListLineValues(plan scenario.Scenario, l locale.Language) (values []LineValue) {
	for _, v := range plan.Variables {
		part := scenario.TemplatePart{Name: v.Name}
		switch v.Type {
		case scenario.DateVariable, scenario.TimeVariable, scenario.NumberVariable:
			part.Filter = scenario.SpokenFilter(v.Type)
		case scenario.PhoneVariable:
			part.Filter = scenario.AsDigits
		}
		if v.Name != "" {
			values = append(values, LineValue{v.Name, LabelText(l, v.Label, v.Name), part.Placeholder()})
		}
	}
	for _, slot := range plan.AllSlots() {
		if slot.Name != "" {
			part := scenario.TemplatePart{Name: slot.Name}
			values = append(values, LineValue{slot.Name, LabelText(l, slot.Label, slot.Name), part.Placeholder()})
		}
	}
	return values
}

// chipWords are the words of the chips in lines.
func (p ScenarioEditor) chipWords() map[string]any {
	return map[string]any{
		"values": p.Values, "insert": ChipInsert.In(p.Lang), "none": ChipNone.In(p.Lang),
		"filters": map[string]string{
			"date": Date.In(p.Lang), "time": Time.In(p.Lang), "number": Number.In(p.Lang), "digits": ChipDigits.In(p.Lang),
		},
	}
}

// recorderAnchor names the recorder of a line on the page.
func recorderAnchor(line SpokenInput) string { return "record-" + line.Text.FieldName() }

// draftAction is where a button of the editor sends the draft; the answer shows the card of a step.
func (p ScenarioEditor) draftAction(anchor string) string {
	return scenarioAddress(p.ID, "/draft") + "#" + anchor
}

func operationValue(name string, index int) string { return name + ":" + strconv.Itoa(index) }

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
