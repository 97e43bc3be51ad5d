// Package scenario holds the flow of a conversation as data: steps, slots, branches, what is reported in the end.
//
// It is a leaf: it reads and checks itself ([DecodeScenario], [CheckScenario]) and knows neither voice nor line. Whoever runs one takes
// what Check lets pass as sound: every id leads somewhere, every loop waits for a person and can be left, every
// template names what exists, and a report in which nothing was found out follows the schema.
//
// Templates in its texts are {{name}} for a variable or slot, {{name|date}}, {{name|time}}, {{name|number}} and
// {{name|digits}} for the way in which it is spoken; see [ParseTemplate].
package scenario

import (
	"encoding/json"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
)

// Scenario is one conversation's plan.
type Scenario struct {
	ID          string             `json:"id"` // 1–64 of a-z 0-9 _ -
	OrgID       string             `json:"-"`
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Language    string             `json:"language"` // "ar"
	Voice       string             `json:"voice,omitempty"`
	Variables   []ScenarioVariable `json:"variables,omitempty"`
	Start       string             `json:"start,omitempty"` // id of the first step; empty: the first in the list
	Steps       []FlowStep         `json:"steps"`

	Report       ReportPlan      `json:"report"`
	ResponseBody json.RawMessage `json:"response_body,omitempty"` // an object whose strings are templates; absent: none

	Retry        *call.RetryPlan        `json:"retry,omitempty"` // for bookings that name none
	CallingHours callrules.CallingHours `json:"calling_hours,omitempty"`
	TimeZone     string                 `json:"time_zone,omitempty"` // of CallingHours; empty: the organization's

	MaxDurationSeconds int            `json:"max_duration_seconds,omitempty"` // 0: [DefaultMaxDuration]
	RingSeconds        int            `json:"ring_seconds,omitempty"`         // 0: [DefaultRing]
	AnsweringMachine   MachinePolicy  `json:"answering_machine,omitempty"`    // empty: detect_and_hang_up
	OptOutPhrases      []string       `json:"opt_out_phrases,omitempty"`      // beside the usual ones; suppress the number
	Identify           SpokenLines    `json:"identify,omitempty"`             // to who asks; empty: the first step
	LLM                *ModelEndpoint `json:"llm,omitempty"`                  // for steps of type llm

	BuiltIn   bool      `json:"built_in"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// The limits of a conversation that names none.
const (
	DefaultMaxDuration = 10 * time.Minute
	DefaultRing        = 30 * time.Second
	DefaultReasks      = 2
	DefaultTimeout     = 6 * time.Second // of silence after a question
	DefaultTurns       = 4               // of an llm step
	DefaultLLMTimeout  = 8 * time.Second // for one answer of the model
)

// MachinePolicy says what to do about answering machines.
type MachinePolicy string

// The policies.
const (
	MachineOff    MachinePolicy = "off"
	MachineDetect MachinePolicy = "detect"             // note the verdict, go on
	MachineHangUp MachinePolicy = "detect_and_hang_up" // end as automation
)

// ScenarioVariable is a value that a booking brings. A scenario that declares none takes any; one that declares some takes no
// others.
type ScenarioVariable struct {
	Name        string       `json:"name"`
	Label       string       `json:"label,omitempty"` // what people call it, in forms
	Type        VariableType `json:"type,omitempty"`  // empty: any scalar
	Description string       `json:"description,omitempty"`
	Required    bool         `json:"required,omitempty"`
	Default     string       `json:"default,omitempty"`
	Choices     []string     `json:"choices,omitempty"` // of choice
}

// VariableType says what a variable's value must be.
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

// StepType is what a step does.
type StepType string

// The types.
const (
	Say      StepType = "say"
	Ask      StepType = "ask"
	Branch   StepType = "branch"
	Transfer StepType = "transfer"
	LLMStep  StepType = "llm"
	End      StepType = "end"
)

// FlowStep is one piece of the flow. Next is the id of the step after it; empty: the next in the list, or the end.
type FlowStep struct {
	ID   string      `json:"id"`
	Type StepType    `json:"type"`
	Say  SpokenLines `json:"say,omitempty"`
	Next string      `json:"next,omitempty"`

	// of ask
	Slot           *AnswerSlot `json:"slot,omitempty"`
	Reask          SpokenLines `json:"reask,omitempty"`    // after an answer that was not understood; empty: Say again
	NoInput        SpokenLines `json:"no_input,omitempty"` // after silence; empty: Reask
	MaxReasks      *int        `json:"max_reasks,omitempty"`
	TimeoutSeconds int         `json:"timeout_seconds,omitempty"` // of silence before NoInput
	OnFailure      string      `json:"on_failure,omitempty"`      // step after the last re-ask; empty: Next; transfer, llm too
	NoBargeIn      bool        `json:"no_barge_in,omitempty"`     // the prompt is heard to its end
	Confirm        bool        `json:"confirm,omitempty"`         // read the value back and ask whether it is right
	// Also names slots of other asks that the same answer may fill ("two large pizzas"); those asks are skipped. A
	// yes_no is filled so only by phrases of its own, a text never.
	Also []string `json:"also,omitempty"`

	// of branch: the first case that holds; without one, Next
	Cases []BranchCase `json:"cases,omitempty"`

	// of transfer
	To string `json:"to,omitempty"` // E.164, or a sip:, sips: or tel: address; a template

	// of llm; Say opens it, without one the model does
	Prompt   string       `json:"prompt,omitempty"`    // the model's instructions, a template whose values are data
	MaxTurns int          `json:"max_turns,omitempty"` // answers of the model; 0: [DefaultTurns]
	Slots    []AnswerSlot `json:"slots,omitempty"`     // what it finds out; asks for the same are skipped
}

// SpokenLine is one thing to say. An optional one is left out when a variable of it is missing or nothing can speak it.
// One with call_back promises another call: it is left out when no attempt is left, and saying it books the next one.
type SpokenLine struct {
	Text     string `json:"text"`
	Optional bool   `json:"optional,omitempty"`
	CallBack bool   `json:"call_back,omitempty"`
}

// SpokenLines are said one after another. In JSON a line may be a bare string, and a single line needs no array.
type SpokenLines []SpokenLine

// SlotType is the kind of answer that is asked for.
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

// AnswerSlot is a value that the conversation finds out. In the report a yes_no is a boolean, a number a number, a date
// "YYYY-MM-DD", a time "HH:MM", the rest a string; null when it was not found out.
type AnswerSlot struct {
	Name    string         `json:"name"`
	Type    SlotType       `json:"type"`
	Choices []ChoiceOption `json:"choices,omitempty"`
	Yes     []string       `json:"yes,omitempty"`    // what means yes to this question of yes_no, beside the usual words
	No      []string       `json:"no,omitempty"`     // what means no to it: "move the appointment"
	Digits  int            `json:"digits,omitempty"` // a number keyed in: how many digits end it; 0: '#' or a pause
	Min     *float64       `json:"min,omitempty"`    // of a number
	Max     *float64       `json:"max,omitempty"`
}

// ChoiceOption is one of a choice: its value in the report, what people call it, the key that picks it.
type ChoiceOption struct {
	Value   string   `json:"value"`
	Phrases []string `json:"phrases"`
	Key     string   `json:"key,omitempty"` // DTMF
}

// BranchCase is one way out of a branch.
type BranchCase struct {
	Slot   string `json:"slot"`             // slot or variable
	Equals any    `json:"equals,omitempty"` // JSON scalar
	IsSet  *bool  `json:"is_set,omitempty"`
	Next   string `json:"next"`
}

// ReportPlan says what the call reports: a JSON Schema, and where its values come from.
type ReportPlan struct {
	Schema json.RawMessage            `json:"schema,omitempty"` // absent: made from the slots
	Values map[string]json.RawMessage `json:"values,omitempty"` // property → template or constant; absent: slots by name
}

// ModelEndpoint names the chat endpoint for steps of type llm. Its address, model and key are the operator's settings.
type ModelEndpoint struct {
	Endpoint       string `json:"endpoint"`                  // a name of llm-endpoints
	TimeoutSeconds int    `json:"timeout_seconds,omitempty"` // for one whole answer; 0: [DefaultLLMTimeout]
}
