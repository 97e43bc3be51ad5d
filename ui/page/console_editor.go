package page

import (
	"net/url"
	"strconv"

	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
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
	Trial    *TypedTrial   // nil: none can be held
	Conflict []ConflictRow // the draft and the version that was saved meanwhile
}

// FormField is a field of the form. Its name is the path of the value in the JSON.
type FormField struct {
	Path, Value, Fault string
	Checked            bool
	Options            []ListChoice // of a list
}

// ScenarioForm is a scenario as a form.
type ScenarioForm struct {
	Name, About, Start, Longest, Ring, Machine, OptOut, Attempts, Delays, Endpoint FormField

	HasModel  bool // a step asks a language model
	Variables []FormVariable
	Steps     []FormStep
	Identify  FormLines
	Voicemail FormLines
	Faults    []FormFault // that belong to no field
}

// FormFault is a fault without a field in the form.
type FormFault struct{ Path, Message string }

// FormVariable is a value that a booking brings. One without a name adds a variable.
type FormVariable struct {
	Name, Label, Type, Required, Default, Choices, About FormField
}

// FormLines are lines that are said one after another; the last is empty and adds one.
type FormLines struct {
	Path, Fault string
	Lines       []FormLine
}

// FormLine is one of them.
type FormLine struct {
	Text, Optional, CallBack FormField
	Fixed                    bool // it can be heard: no value is filled in
	MayRecord                bool
	Recorded, Removable      bool          // calls say a recording of it; the recorder can remove it
	Recorder                 *LineRecorder // nil: it is not open
}

// LineRecorder records a line: by the microphone of the browser, or a file.
type LineRecorder struct {
	Fault   string
	Longest int // seconds
}

// EachLine visits all lines of the form.
func (f *ScenarioForm) EachLine(visit func(line *FormLine)) {
	all := []*FormLines{&f.Identify, &f.Voicemail}
	for i := range f.Steps {
		step := &f.Steps[i]
		all = append(all, &step.Say, &step.Reask, &step.NoInput)
	}
	for _, lines := range all {
		for i := range lines.Lines {
			visit(&lines.Lines[i])
		}
	}
}

// FormStep is one step.
type FormStep struct {
	Index       int
	Kind, Title string
	Anchor      string
	ID, Label   FormField
	Say         FormLines
	Next        FormField
	Faults      []FormFault
	Ends        bool // no step follows

	Slots                                           []FormSlot // of ask and llm
	Reask, NoInput                                  FormLines
	MaxReasks, Timeout, OnFailure, NoBarge, Confirm FormField
	Also                                            []FormField
	Cases                                           []FormCase
	To, Prompt, Turns                               FormField
}

// FormSlot is the slot of an answer.
type FormSlot struct {
	Name, Label, Type, Yes, No, Digits, Min, Max FormField
	Choices                                      []FormOption
	Fault                                        string
}

// FormOption is one of a choice's values. One without a value adds an option.
type FormOption struct{ Value, Label, Phrases, Key FormField }

// FormCase is a condition and the step that it leads to. One without a slot adds a case.
type FormCase struct{ Slot, Test, Value, Next FormField }

// recorderAnchor names the recorder of a line on the page.
func recorderAnchor(line FormLine) string { return "record-" + line.Text.Path }

// draftAction is where a button of the editor sends the draft; the answer shows the card of a step.
func (p ScenarioEditor) draftAction(anchor string) string {
	return scenarioAddress(p.ID, "/draft") + "#" + anchor
}

// CardAnchor names the card of a step on the page.
func CardAnchor(index int) string { return "card-" + strconv.Itoa(index) }

func operationValue(name string, index int) string { return name + ":" + strconv.Itoa(index) }

func (f FormField) fieldID() string { return "f-" + f.Path }

func (f FormField) ariaInvalid() string { return strconv.FormatBool(f.Fault != "") }

// stepKinds are the types of steps in display order.
func stepKinds() []string { return []string{"say", "ask", "branch", "transfer", "llm", "end"} }

// spokenRows is the height of a field for a line.
func spokenRows(text string) string {
	return strconv.Itoa(min(6, 1+len([]rune(text))/60))
}

// mustOpen reports whether something in folded lines must be seen.
func (l FormLines) mustOpen() bool {
	for _, line := range l.Lines {
		if line.Text.Fault != "" || line.Recorder != nil {
			return true
		}
	}
	return l.Fault != ""
}

func anyWrong(fields ...FormField) bool {
	for _, f := range fields {
		if f.Fault != "" {
			return true
		}
	}
	return false
}

func (f ScenarioForm) settingsWrong() bool {
	return anyWrong(f.Start, f.Longest, f.Ring, f.Machine, f.Attempts, f.Delays, f.Endpoint, f.OptOut)
}

func (f ScenarioForm) variablesWrong() bool {
	for _, v := range f.Variables {
		if anyWrong(v.Name, v.Label, v.Type, v.Required, v.Default, v.Choices, v.About) {
			return true
		}
	}
	return false
}

// checkOp is the operation that checks the draft and stays on its tab.
func checkOp(form bool) string {
	if form {
		return "check"
	}
	return "tab:json"
}

// hearAddress returns the address of the audio of a draft line.
func hearAddress(id, text string) string {
	return scenarioAddress(id, "/hear") + "?" + url.Values{"text": {text}}.Encode()
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
	Slots     []CallAnswer
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
		return scenarios.TrialPerson.In(l)
	}
	return scenarios.TrialPlatform.In(l)
}
