package callrules

import (
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/phonenumber"
)

// never is how long a call is postponed when its calling hours never open: it is checked again a day later, in case
// they were changed.
const never = 24 * time.Hour

// DecideCall decides whether a due call may be dialled now: kill switch, suppression, blocked destination, attempt
// limits, calling hours, concurrency limit. Permanent reasons come first, so that a call that may never be dialled is
// not postponed from day to day; the concurrency limit comes last, since a closed or forbidden call needs no line.
func DecideCall(rules CallRules, facts CallFacts, now time.Time) CallDecision {
	if rules.KillSwitch {
		return CallDecision{Action: Wait}
	}
	if reason := forbiddenReason(rules, facts, now); reason != "" {
		return CallDecision{Action: Stop, Reason: reason}
	}
	open, ok := NextOpen(rules, facts.Scenario, facts.Zone, now)
	switch {
	case !ok:
		return CallDecision{Action: Postpone, At: now.Add(never)}
	case open.After(now):
		return CallDecision{Action: Postpone, At: open}
	case rules.hasNoFreeLine(facts.Running):
		return CallDecision{Action: Wait}
	default:
		return CallDecision{Action: Release}
	}
}

// forbiddenReason returns the permanent reason against a call; empty when there is none.
func forbiddenReason(rules CallRules, facts CallFacts, now time.Time) call.FailureReason {
	switch {
	case facts.Suppressed != nil && facts.Suppressed.IsActive(now):
		return call.Suppressed
	case !rules.allowsNumber(facts.Number):
		return call.BlockedDestination
	case exceedsLimit(facts.Today, rules.AttemptsPerDay), exceedsLimit(facts.Week, rules.AttemptsPerWeek):
		return call.AttemptLimit
	default:
		return ""
	}
}

// exceedsLimit reports whether one more would exceed a limit; 0 means no limit.
func exceedsLimit(made, limit int) bool { return limit > 0 && made >= limit }

// hasNoFreeLine reports whether the organization's concurrency limit is reached.
func (r CallRules) hasNoFreeLine(running int) bool {
	return r.MaxConcurrent > 0 && running >= r.MaxConcurrent
}

// allowsNumber reports whether a number may be called: not [IsBlocked] and within the organization's own prefixes.
func (r CallRules) allowsNumber(number string) bool {
	if IsBlocked(number) || beginsWith(number, r.BlockedPrefixes) {
		return false
	}
	return len(r.AllowedPrefixes) == 0 || beginsWith(number, r.AllowedPrefixes)
}

func beginsWith(number string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(number, p) {
			return true
		}
	}
	return false
}

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

// IsBlocked reports whether a number is never dialled under any rules: emergency and other short numbers, those that
// cost more than a call ([phonenumber.IsCostly]), and anything that is not an E.164 number.
func IsBlocked(number string) bool {
	return !phonenumber.IsE164(number) || isEmergency(number[1:]) || phonenumber.IsCostly(number)
}

// isEmergency reports whether a number is an emergency number behind a country code of one to three digits.
func isEmergency(digits string) bool {
	for _, service := range emergencies {
		rest, found := strings.CutSuffix(digits, service)
		if found && len(rest) <= 3 {
			return true
		}
	}
	return false
}

// emergencies are the emergency numbers (police, ambulance, fire, civil defence) of the Arab countries and the major
// ones worldwide. Most are short enough to be blocked anyway; add here those that are not.
var emergencies = []string{
	"110", "111", "112", "911", "999", "000",
	"989", "990", "991", "992", "993", "994", "996", "997", "998", // Saudi Arabia, the Emirates, Gulf-wide
	"100", "101", "102", "104", "113", "115", "122", "123", "125", "140", "175", "180", // Palestine, Iraq, Lebanon, Egypt
	"190", "191", "192", "193", "194", "195", "197", "198", "199", // Jordan, Yemen, Libya, Tunisia, Bahrain
	"14", "15", "17", "18", "19", "118", "177", "1548", // Algeria, Morocco, Mauritania
	"18000", // text relay of 999, United Kingdom
}
