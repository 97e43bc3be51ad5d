package dialling

import (
	"strings"
	"time"

	"munadi/store/call"
)

// never is how long a call rests whose hours do not come at all: it is judged again a day later, when somebody may
// have changed them.
const never = 24 * time.Hour

// Decide judges a due call. What ends it for good comes first, so that a call that may never be made is not moved from
// day to day; a full house comes last, since what is closed or forbidden needs no line.
func Decide(rules Rules, facts Facts, now time.Time) Decision {
	if rules.KillSwitch {
		return Decision{Action: Wait}
	}
	if reason := forbidden(rules, facts, now); reason != "" {
		return Decision{Action: Stop, Reason: reason}
	}
	open, ok := NextOpen(rules, facts.Scenario, facts.Zone, now)
	switch {
	case !ok:
		return Decision{Action: Postpone, At: now.Add(never)}
	case open.After(now):
		return Decision{Action: Postpone, At: open}
	case rules.full(facts.Running):
		return Decision{Action: Wait}
	default:
		return Decision{Action: Release}
	}
}

// forbidden is why a call is never made; empty when it may be.
func forbidden(rules Rules, facts Facts, now time.Time) call.Reason {
	switch {
	case facts.Suppressed != nil && facts.Suppressed.Active(now):
		return call.Suppressed
	case !rules.Allows(facts.Number):
		return call.BlockedDestination
	case over(facts.Today, rules.AttemptsPerDay), over(facts.Week, rules.AttemptsPerWeek):
		return call.AttemptLimit
	default:
		return ""
	}
}

// over says whether one more would exceed a limit; 0 is none.
func over(made, limit int) bool { return limit > 0 && made >= limit }

// full says whether the organization's lines are all held.
func (r Rules) full(running int) bool { return r.MaxConcurrent > 0 && running >= r.MaxConcurrent }

// Allows says whether a number may be called at all: neither [Blocked] nor outside the organization's own prefixes.
func (r Rules) Allows(number string) bool {
	if Blocked(number) || beginsWith(number, r.BlockedPrefixes) {
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
