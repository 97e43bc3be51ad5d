package callrules

import (
	"strings"
	"time"

	"munadi/store/call"
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
	case !rules.AllowsNumber(facts.Number):
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

// AllowsNumber reports whether a number may be called: not [IsBlocked] and within the organization's own prefixes.
func (r CallRules) AllowsNumber(number string) bool {
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
