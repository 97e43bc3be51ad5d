package people

import (
	"net/url"
	"time"

	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/suppressions"
)

// PersonView is a person: every call to one number, as one conversation.
type PersonView struct {
	layout.ConsolePage
	Number     string
	Name       string                      // empty if no call says it
	Calls      []ConversationCall          // newest first
	Answers    []PersonAnswer              // the newest known value of each slot
	Suppressed *suppressions.SuppressedRow // nil: the number may be called
	Suppress   []form.Field
	Zone       *time.Location
	May        bool   // book, export, suppress and erase
	Rings      bool   // the user has an extension, which is rung for a call-back
	Older      string // address of the page behind this one; empty on the last
	Newer      string // of the first page; empty on it
}

// ConversationCall is a call with its messages, and what its record does not say.
type ConversationCall struct {
	call.Call
	Scenario      string // its name
	Shown, Reason string // the status that lists show; of a failure, empty without one
}

// ring is the call-back by the newest call.
func (p PersonView) ring() calls.PersonRing {
	if len(p.Calls) == 0 {
		return calls.PersonRing{Number: p.Number}
	}
	return calls.PersonRing{CallID: p.Calls[0].ID, Number: p.Number, Rings: p.Rings, Back: calls.PersonPath(p.Number)}
}

func (c ConversationCall) callPath() string { return calls.CallsPath + "/" + c.ID }

// happened returns when the call was answered, else when it was or is dialled.
func (c ConversationCall) happened() time.Time {
	if c.StartedAt != nil {
		return *c.StartedAt
	}
	return c.ScheduledAt
}

// turns returns the messages, those in a row of one speaker together.
func (c ConversationCall) turns() (turns [][]call.Message) {
	for _, m := range c.CurrentMessages() {
		if n := len(turns); n > 0 && turns[n-1][0].Role == m.Role {
			turns[n-1] = append(turns[n-1], m)
		} else {
			turns = append(turns, []call.Message{m})
		}
	}
	return turns
}

// dayOf returns the day of the i-th call, if it is not that of the call before it.
func (p PersonView) dayOf(i int) string {
	day := func(i int) string { return p.Calls[i].happened().In(p.zone()).Format(time.DateOnly) }
	if i > 0 && day(i) == day(i-1) {
		return ""
	}
	return day(i)
}

func (p PersonView) zone() *time.Location {
	if p.Zone == nil {
		return time.UTC
	}
	return p.Zone
}

// PersonAnswer is a slot's value, and the call that it is from.
type PersonAnswer struct {
	calls.ReportSlot
	CallID string
	At     time.Time // the dial time of that call
}

// exportPath returns where the person's data is exported.
func (p PersonView) exportPath() string { return calls.PersonPath(p.Number) + "/export" }

// erasePath returns the question before the person's data is erased; empty without a call.
func (p PersonView) erasePath() string {
	for _, c := range p.Calls {
		if c.ErasedAt == nil {
			return c.callPath() + "/erase"
		}
	}
	return ""
}

// newCallPath returns the form that books a call to the person.
func (p PersonView) newCallPath() string {
	return calls.CallsPath + "/new?number=" + url.QueryEscape(p.Number)
}

// NewSuppression forbids further calls to a number.
type NewSuppression struct{ From, Number, Reason string }

var suppressionFields = []form.Declared[*NewSuppression]{
	{Name: "from", Kind: form.Hidden, Value: func(s *NewSuppression) any { return &s.From }},
	{Name: "number", Kind: form.Hidden, Value: func(s *NewSuppression) any { return &s.Number }},
	{
		Name: "reason", Label: calls.SuppressReason, Help: calls.SuppressReasonHint, Most: 500,
		Value: func(s *NewSuppression) any { return &s.Reason },
	},
}

// BindSuppression binds the form that forbids further calls.
func BindSuppression(b *form.Binder, s *NewSuppression) []form.Field {
	return form.BindDeclared(b, "", s, suppressionFields)
}
