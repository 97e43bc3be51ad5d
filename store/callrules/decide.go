package callrules

import (
	"strings"
	"time"

	"munadi/store/call"
)

// never is how long a call rests whose hours do not come at all: it is judged again a day later, when somebody may
// have changed them.
const never = 24 * time.Hour

// DecideCall judges a due call. What ends it for good comes first, so that a call that may never be made is not moved from
// day to day; a full house comes last, since what is closed or forbidden needs no line.
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
	case rules.hasNoLine(facts.Running):
		return CallDecision{Action: Wait}
	default:
		return CallDecision{Action: Release}
	}
}

// forbiddenReason is why a call is never made; empty when it may be.
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

// exceedsLimit says whether one more would exceed a limit; 0 is none.
func exceedsLimit(made, limit int) bool { return limit > 0 && made >= limit }

// hasNoLine says whether the organization's lines are all held.
func (r CallRules) hasNoLine(running int) bool {
	return r.MaxConcurrent > 0 && running >= r.MaxConcurrent
}

// AllowsNumber says whether a number may be called at all: neither [IsBlocked] nor outside the organization's own prefixes.
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
