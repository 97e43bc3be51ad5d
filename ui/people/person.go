package people

import (
	"net/url"
	"time"

	"munadi/ui/calls"
	"munadi/ui/layout"
	"munadi/ui/suppressions"
)

// PersonView is a person: every call to one number.
type PersonView struct {
	layout.ConsolePage
	Number     string
	Name       string // empty if no call says it
	Rows       []calls.CallRow
	Answers    []PersonAnswer              // the newest known value of each slot
	Suppressed *suppressions.SuppressedRow // nil: the number may be called
	Zone       *time.Location
	May        bool   // book, suppress and erase
	Older      string // address of the page behind this one; empty on the last
	Newer      string // of the first page; empty on it
}

// PersonAnswer is a slot's value, and the call that it is from.
type PersonAnswer struct {
	calls.ReportSlot
	CallID string
	At     time.Time // the dial time of that call
}

// erasePath returns the question before the person's data is erased; empty without a call.
func (p PersonView) erasePath() string {
	if len(p.Rows) == 0 {
		return ""
	}
	return p.Rows[0].CallPath() + "/erase"
}

// newCallPath returns the form that books a call to the person.
func (p PersonView) newCallPath() string {
	return calls.CallsPath + "/new?number=" + url.QueryEscape(p.Number)
}
