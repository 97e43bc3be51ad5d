package callrules

import (
	"time"

	"munadi/store/call"
)

// CallFacts are the inputs of a decision besides the rules.
type CallFacts struct {
	Number     string
	Scenario   CallingHours      // the scenario's hours, in addition to the organization's; nil: none
	Zone       string            // time zone of the scenario's hours; empty: the organization's
	Suppressed *SuppressionEntry // the entry of the number, nil without one
	Today      int               // attempts to the number since midnight in the organization's zone, without this one
	Week       int               // attempts to it in the last seven days
	Running    int               // running calls of the organization
}

// CallAction is the decision about a due call.
type CallAction int

// Actions.
const (
	Release  CallAction = iota // dial now
	Wait                       // not now: kill switch on, or no free line
	Postpone                   // outside calling hours: reschedule to At
	Stop                       // never: fail with Reason
)

// CallDecision is the decision about a due call, with its details.
type CallDecision struct {
	Action CallAction
	At     time.Time          // for Postpone
	Reason call.FailureReason // for Stop
}
