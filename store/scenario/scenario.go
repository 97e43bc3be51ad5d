// Package scenario defines conversation flows as data (dialogue flow): steps, slots, branches, and the final report.
//
// It is a leaf package that decodes and validates scenarios ([DecodeScenario], [CheckScenario]), independent of voices
// and lines. A validated scenario is safe to run: every id resolves, every loop listens and can be left, every template
// refers to an existing name, and a report without answers conforms to the schema.
//
// Templates in its texts are {{name}} for a variable or slot, {{name|date}}, {{name|time}}, {{name|number}} and
// {{name|digits}} for the way in which it is spoken; see [ParseTemplate].
package scenario

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
)

// Scenario is one conversation flow.
type Scenario struct {
	ID          string             `json:"id"` // 1–64 of a-z 0-9 _ -
	OrgID       string             `json:"-"`
	Version     int                `json:"-"` // number of the saved version; 0: built in, or without versions
	Draft       *Scenario          `json:"-"` // the draft beside a published scenario; nil: none
	Status      ScenarioStatus     `json:"status"`
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Language    string             `json:"language"` // "ar"
	Voice       string             `json:"voice,omitempty"`
	Variables   []ScenarioVariable `json:"variables,omitempty"`
	Start       string             `json:"start,omitempty"` // id of the first step; empty: the first in the list
	Steps       []FlowStep         `json:"steps"`

	Report       ReportPlan      `json:"report"`
	ResponseBody json.RawMessage `json:"response_body,omitempty"` // an object with templates as strings; absent: none

	Retry        *call.RetryPlan        `json:"retry,omitempty"` // for bookings without a retry plan
	CallingHours callrules.CallingHours `json:"calling_hours,omitempty"`
	TimeZone     string                 `json:"time_zone,omitempty"` // of CallingHours; empty: the organization's

	MaxDurationSeconds int            `json:"max_duration_seconds,omitempty"` // 0: [DefaultMaxDuration]
	RingSeconds        int            `json:"ring_seconds,omitempty"`         // 0: [DefaultRing]
	AnsweringMachine   MachinePolicy  `json:"answering_machine,omitempty"`    // empty: detect_and_hang_up
	UpdateBookedCalls  bool           `json:"update_booked_calls,omitempty"`  // booked calls follow this version, too
	OptOutPhrases      []string       `json:"opt_out_phrases,omitempty"`      // beyond the usual ones; suppress the number
	Identify           SpokenLines    `json:"identify,omitempty"`             // says who calls; empty: the first step
	Voicemail          SpokenLines    `json:"voicemail,omitempty"`            // left after the tone; empty: none
	Questions          []SideQuestion `json:"questions,omitempty"`            // that people ask in between
	LLM                *ModelEndpoint `json:"llm,omitempty"`                  // for steps of type llm

	Tests []ScenarioTest `json:"tests,omitempty"` // regression tests of the flow

	BuiltIn   bool      `json:"built_in"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Default limits of a conversation.
const (
	DefaultMaxDuration = 10 * time.Minute
	DefaultRing        = 30 * time.Second
	DefaultReasks      = 2
	DefaultTimeout     = 5 * time.Second // of silence after a question
	DefaultTurns       = 4               // of an llm step
	DefaultLLMTimeout  = 8 * time.Second // for one answer of the model
)

// MachinePolicy is the answering machine policy.
type MachinePolicy string

// Policies.
const (
	MachineOff    MachinePolicy = "off"
	MachineDetect MachinePolicy = "detect"             // record the verdict, continue; line tones end the call
	MachineHangUp MachinePolicy = "detect_and_hang_up" // end with status automation
)

// SideQuestion is a question that people ask instead of answering ("where are you?"), with what is said to it before
// the scenario's own question is asked again.
type SideQuestion struct {
	Phrases []string    `json:"phrases"` // by which it is heard
	Say     SpokenLines `json:"say"`
}

// ScenarioVariable is a value that a booking provides. A scenario without declared variables accepts any; one with
// declared variables accepts no others.
type ScenarioVariable struct {
	Name        string       `json:"name"`
	Label       Label        `json:"label,omitzero"` // display name
	Type        VariableType `json:"type,omitempty"` // empty: any scalar
	Description string       `json:"description,omitempty"`
	Required    bool         `json:"required,omitempty"`
	Default     string       `json:"default,omitempty"`
	Choices     []string     `json:"choices,omitempty"` // of choice
	// ChoiceLabels are the display names of the values of Choices, by value.
	ChoiceLabels map[string]Label `json:"choice_labels,omitempty"`
	Role         VariableRole     `json:"role,omitempty"` // role in the console; empty: none
}

// VariableRole is what a variable describes of the called person.
type VariableRole string

// PersonName returns the called person's name: the value of the variable with [NameRole]; empty without one.
func (s Scenario) PersonName(variables map[string]any) string {
	name, _ := variables[s.NameVariable(variables)].(string)
	return name
}

// NameVariable returns the first variable with [NameRole] that is given; empty without one.
func (s Scenario) NameVariable(variables map[string]any) string {
	for _, v := range s.Variables {
		if name, given := variables[v.Name].(string); v.Role == NameRole && given && name != "" {
			return v.Name
		}
	}
	return ""
}

// NameRole is the role of the variable that holds the person's name: the console shows it with the number.
const NameRole VariableRole = "name"

// VariableType is the type of a variable's value.
type VariableType string

// The types. A number may come as its decimal text, as forms and CSV files have it.
const (
	TextVariable   VariableType = "text"
	DateVariable   VariableType = "date"   // YYYY-MM-DD
	TimeVariable   VariableType = "time"   // HH:MM
	NumberVariable VariableType = "number" // a JSON number or its text
	PhoneVariable  VariableType = "phone"  // E.164
	ChoiceVariable VariableType = "choice" // one of Choices
)

// StepType is the type of a step.
type StepType string

// The types.
const (
	Say      StepType = "say"
	Ask      StepType = "ask"
	Branch   StepType = "branch"
	Transfer StepType = "transfer"
	LLMStep  StepType = "llm"
	Fetch    StepType = "fetch"
	End      StepType = "end"
)

// AllStepTypes returns every type of step, in the order in which the editor offers them.
func AllStepTypes() []StepType { return []StepType{Say, Ask, Branch, Transfer, LLMStep, Fetch, End} }

// FlowStep is one step of the flow. Next is the id of the next step; empty: the next in the list, or the end.
type FlowStep struct {
	ID    string      `json:"id"`
	Label Label       `json:"label,omitzero"` // display name
	Type  StepType    `json:"type"`
	Say   SpokenLines `json:"say,omitempty"`
	Next  string      `json:"next,omitempty"`

	// of ask
	Slot           *AnswerSlot `json:"slot,omitempty"`
	Reask          SpokenLines `json:"reask,omitempty"`    // after an unrecognized answer; empty: Say
	NoInput        SpokenLines `json:"no_input,omitempty"` // after silence; empty: Reask
	Change         SpokenLines `json:"change,omitempty"`   // of a yes_no, after a no: which earlier answer is to change?
	MaxReasks      *int        `json:"max_reasks,omitempty"`
	TimeoutSeconds int         `json:"timeout_seconds,omitempty"` // of silence before NoInput
	OnFailure      string      `json:"on_failure,omitempty"`      // step after the last re-ask; empty: Next
	NoBargeIn      bool        `json:"no_barge_in,omitempty"`     // the prompt cannot be interrupted
	Patience       *float64    `json:"patience,omitempty"`        // scales the silences that end an answer; nil: 1
	Confirm        bool        `json:"confirm,omitempty"`         // read the value back and ask for confirmation
	// MaxWrong is how many of 1,000 answers may be taken wrongly: a less certain answer is read back; 0: no bound.
	MaxWrong int `json:"max_wrong,omitempty"`
	// Also names slots of other asks that the same answer may fill ("two large pizzas"); those asks are then skipped. A
	// yes_no is only filled by its own phrases, a text never.
	Also []string `json:"also,omitempty"`

	// of end: a person must follow the call up
	NeedsPerson bool `json:"needs_person,omitempty"`

	// of branch: the first case that is true; without one, Next
	Cases []BranchCase `json:"cases,omitempty"`

	// of transfer
	To string `json:"to,omitempty"` // E.164, or a sip: or tel: address; a template
	// Targets are several of them, instead of To.
	Targets  []string     `json:"targets,omitempty"`
	Mode     TransferMode `json:"mode,omitempty"`     // empty: blind
	Order    TargetOrder  `json:"order,omitempty"`    // empty: in_turn
	Announce SpokenLines  `json:"announce,omitempty"` // of attended: what the person hears before they decide
	// Keys are sent to who answers, before anything else: the extension that a switch asks for (DTMF, post-dial digits).
	// [KeyPause] waits. They are no template: what a caller says must not dial.
	Keys string `json:"keys,omitempty"`

	// of llm; Say is spoken first; without it the model speaks first
	Prompt   string `json:"prompt,omitempty"`    // system prompt, a template whose values are data
	MaxTurns int    `json:"max_turns,omitempty"` // maximum replies; 0: [DefaultTurns]
	// Tools are what the model may ask before it answers.
	Tools []ModelTool `json:"tools,omitempty"`

	// of fetch; Say is spoken when the answer takes a while
	Tool string   `json:"tool,omitempty"` // a name in tools
	Send []string `json:"send,omitempty"` // variables and slots whose values it gets

	Slots []AnswerSlot `json:"slots,omitempty"` // of llm and fetch: slots that it fills; other asks for them are skipped
}

// ModelTool is a tool that a language model may call. It gets the values of Send: slots that the step fills are the
// model's to give, other values are those of the call, which the model cannot change.
type ModelTool struct {
	Tool        string   `json:"tool"`        // a name in tools
	Description string   `json:"description"` // tells the model what the tool knows
	Send        []string `json:"send,omitempty"`
}

// FunctionName returns the tool's name as models know it: without points, which OpenAI's API does not allow.
func (t ModelTool) FunctionName() string { return strings.ReplaceAll(t.Tool, ".", "_") }

// ToolArguments divides the values that a tool gets: the slots whose values the model gives, and the names of those
// that the call has.
func (s FlowStep) ToolArguments(t ModelTool) (own []AnswerSlot, given []string) {
	for _, name := range t.Send {
		i := slices.IndexFunc(s.Slots, func(slot AnswerSlot) bool { return slot.Name == name })
		if i < 0 {
			given = append(given, name)
		} else {
			own = append(own, s.Slots[i])
		}
	}
	return own, given
}

// SpokenLine is one line to say. An optional one is left out when a variable is missing or no voice can speak it. One
// with call_back promises another call: it is left out when no attempt is left, and saying it books the next one.
type SpokenLine struct {
	Text     string `json:"text"`
	Optional bool   `json:"optional,omitempty"`
	CallBack bool   `json:"call_back,omitempty"`
}

// SpokenLines are spoken in order. In JSON a line may be a bare string, and a single line needs no array.
type SpokenLines []SpokenLine

// SlotType is the type of an expected answer.
type SlotType string

// The types.
const (
	YesNo  SlotType = "yes_no"
	Number SlotType = "number"
	Date   SlotType = "date"
	Time   SlotType = "time"
	Choice SlotType = "choice"
	Text   SlotType = "text"
)

// AnswerSlot is a value that the conversation asks for (slot filling). In the report a yes_no is a boolean, a number a
// number, a date "YYYY-MM-DD", a time "HH:MM", others a string; null when unknown. The label of a slot that several
// steps ask for is the one of the first of them.
type AnswerSlot struct {
	Name    string         `json:"name"`
	Label   Label          `json:"label,omitzero"` // display name
	Type    SlotType       `json:"type"`
	Choices []ChoiceOption `json:"choices,omitempty"`
	Yes     []string       `json:"yes,omitempty"`    // phrases for yes, besides the usual ones
	No      []string       `json:"no,omitempty"`     // phrases that mean no: "move the appointment"
	Digits  int            `json:"digits,omitempty"` // DTMF: digits that end the input; 0: '#' or a pause
	Min     *float64       `json:"min,omitempty"`    // of a number
	Max     *float64       `json:"max,omitempty"`
}

// ChoiceOption is one option of a choice: its value in the report, spoken synonyms, DTMF key.
type ChoiceOption struct {
	Value   string   `json:"value"`
	Label   Label    `json:"label,omitzero"` // display name; empty: the first phrase
	Phrases []string `json:"phrases"`
	Key     string   `json:"key,omitempty"` // DTMF
}

// BranchCase is one condition of a branch.
type BranchCase struct {
	Slot   string `json:"slot"`             // slot or variable
	Equals any    `json:"equals,omitempty"` // JSON scalar
	IsSet  *bool  `json:"is_set,omitempty"`
	Next   string `json:"next"`
}

// ReportPlan defines the report: a JSON Schema, and the sources of its values.
type ReportPlan struct {
	Schema json.RawMessage            `json:"schema,omitempty"` // absent: derived from the slots
	Values map[string]json.RawMessage `json:"values,omitempty"` // property → template or constant; absent: slots by name
}

// ModelEndpoint selects the chat endpoint for steps of type llm. Its address, model and key are operator settings.
type ModelEndpoint struct {
	Endpoint       string `json:"endpoint"`                  // a name in llm-endpoints
	TimeoutSeconds int    `json:"timeout_seconds,omitempty"` // timeout of one whole reply; 0: [DefaultLLMTimeout]
}
