package callrules

import (
	"time"

	"munadi/store/call"
)

// CallFacts are what a decision rests on beside the rules.
type CallFacts struct {
	Number     string
	Scenario   CallingHours      // the scenario's own hours, on top of the organization's; nil: none
	Zone       string            // the scenario's own zone for them; empty: the organization's
	Suppressed *SuppressionEntry // the entry for the number, nil without one
	Today      int               // dials to the number since midnight in the organization's zone, this one not counted
	Week       int               // dials to it in the last seven days
	Running    int               // calls of the organization that hold a line
}

// CallAction is what becomes of a due call.
type CallAction int

// The actions.
const (
	Release  CallAction = iota // dial now
	Wait                       // not now: a line of the organization, or its kill switch, must come free
	Postpone                   // closed: move it to At
	Stop                       // never: fail it with Reason
)

// CallDecision is the verdict on a due call.
type CallDecision struct {
	Action CallAction
	At     time.Time          // of Postpone
	Reason call.FailureReason // of Stop
}
