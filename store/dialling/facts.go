package dialling

import (
	"time"

	"munadi/store/call"
)

// Facts are what a decision rests on beside the rules.
type Facts struct {
	Number     string
	Scenario   Hours        // the scenario's own hours, on top of the organization's; nil: none
	Zone       string       // the scenario's own zone for them; empty: the organization's
	Suppressed *Suppression // the entry for the number, nil without one
	Today      int          // dials to the number since midnight in the organization's zone, this one not counted
	Week       int          // dials to it in the last seven days
	Running    int          // calls of the organization that hold a line
}

// Action is what becomes of a due call.
type Action int

// The actions.
const (
	Release  Action = iota // dial now
	Wait                   // not now: a line of the organization, or its kill switch, must come free
	Postpone               // closed: move it to At
	Stop                   // never: fail it with Reason
)

// Decision is the verdict on a due call.
type Decision struct {
	Action Action
	At     time.Time   // of Postpone
	Reason call.Reason // of Stop
}
