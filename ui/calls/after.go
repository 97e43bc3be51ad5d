package calls

import (
	"strconv"
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/suppressions"
)

// QueuePath is the URL path of the queue of calls that need staff.
const QueuePath = "/console/queue"

// AfterCall are the staff's additions to a call.
type AfterCall struct {
	May         bool                        // add to it
	MaySuppress bool                        // forbid further calls to the number
	Suppressed  *suppressions.SuppressedRow // the number may not be called; nil: it may
	Notes       []CallRemark
	Need        *CallNeed // nil: never marked
	Corrections []CorrectedAnswer
	Fields      []AnswerField // of the form that corrects the report; none: it cannot be corrected
}

// CallRemark is a note on a call.
type CallRemark struct {
	At       time.Time
	By, Text string
}

// CallNeed is the mark that a call needs staff.
type CallNeed struct {
	Open    bool
	Mine    bool   // the user has taken it
	Reason  string // as people read it
	At      time.Time
	TakenBy string
	DoneBy  string
	DoneAt  time.Time
}

// CorrectedAnswer is one correction of the report.
type CorrectedAnswer struct {
	Label, Before, After, By string
	At                       time.Time
}

// AnswerField is a field of the form that corrects answers.
type AnswerField struct {
	Name, Label, Value string
	Type               string                 // of the input: select, number, date, time, text
	Choices            []component.ListChoice // of a select
	Min, Max           string                 // of a number
}

// fieldID returns the field's id in the page.
func (f AnswerField) fieldID() string { return "answer-" + f.Name }

// QueueView is the queue of calls that need staff, oldest first.
type QueueView struct {
	layout.ConsolePage
	Choices     []QueueChoice
	Rows        []QueueRow
	May         bool
	Zone        *time.Location
	Next, First string // addresses of further pages; empty without
}

// QueueChoice shows a part of the queue.
type QueueChoice struct {
	Name, Count, Path string
	Chosen            bool
}

// QueueRow is a call of the queue.
type QueueRow struct {
	CallRow
	Need CallNeed
	Note string // the last one
}

// turnID returns the id of a turn's form.
func (m CallMessage) turnID() string { return "turn-" + strconv.Itoa(m.Index) }
