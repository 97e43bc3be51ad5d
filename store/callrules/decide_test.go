package callrules_test

import (
	"testing"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
)

const person = "+966501234567"

func TestDecide(t *testing.T) {
	t.Parallel()
	now := timeAt(t, "2026-11-21T10:00:00+03:00") // a Saturday
	later := now.Add(time.Hour)
	evening := everyDay(callrules.HourSlot{From: "18:00", To: "20:00"})
	opens := timeAt(t, "2026-11-21T18:00:00+03:00")
	listed := &callrules.SuppressionEntry{PhoneNumber: person}
	stop := func(why call.FailureReason) callrules.CallDecision {
		return callrules.CallDecision{Action: callrules.Stop, Reason: why}
	}
	for name, c := range map[string]struct {
		rules callrules.CallRules
		facts callrules.CallFacts
		want  callrules.CallDecision
	}{
		"a new organization": {want: callrules.CallDecision{Action: callrules.Release}},
		"kill switch":        {rules: callrules.CallRules{KillSwitch: true}, want: callrules.CallDecision{Action: callrules.Wait}},
		"kill switch before everything": {
			rules: callrules.CallRules{KillSwitch: true, CallingHours: evening}, facts: callrules.CallFacts{Suppressed: listed},
			want: callrules.CallDecision{Action: callrules.Wait},
		},
		"suppressed":      {facts: callrules.CallFacts{Suppressed: listed}, want: stop(call.Suppressed)},
		"suppressed till": {facts: callrules.CallFacts{Suppressed: &callrules.SuppressionEntry{Until: &later}}, want: stop(call.Suppressed)},
		"no longer suppressed": {
			facts: callrules.CallFacts{Suppressed: &callrules.SuppressionEntry{Until: &now}},
			want:  callrules.CallDecision{Action: callrules.Release},
		},
		"emergency":     {facts: callrules.CallFacts{Number: "+966911"}, want: stop(call.BlockedDestination)},
		"not allowed":   {rules: callrules.CallRules{AllowedPrefixes: []string{"+971", "+20"}}, want: stop(call.BlockedDestination)},
		"allowed":       {rules: callrules.CallRules{AllowedPrefixes: []string{"+971", "+966"}}, want: callrules.CallDecision{}},
		"blocked":       {rules: callrules.CallRules{AllowedPrefixes: []string{"+966"}, BlockedPrefixes: []string{"+96650"}}, want: stop(call.BlockedDestination)},
		"below the day": {rules: callrules.CallRules{AttemptsPerDay: 2}, facts: callrules.CallFacts{Today: 1, Week: 9}, want: callrules.CallDecision{}},
		"day":           {rules: callrules.CallRules{AttemptsPerDay: 2}, facts: callrules.CallFacts{Today: 2}, want: stop(call.AttemptLimit)},
		"week":          {rules: callrules.CallRules{AttemptsPerWeek: 5}, facts: callrules.CallFacts{Week: 6}, want: stop(call.AttemptLimit)},
		"closed":        {rules: callrules.CallRules{CallingHours: evening, TimeZone: "Asia/Riyadh"}, want: callrules.CallDecision{Action: callrules.Postpone, At: opens}},
		"closed by the scenario": {
			rules: callrules.CallRules{TimeZone: "Asia/Riyadh"}, facts: callrules.CallFacts{Scenario: evening},
			want: callrules.CallDecision{Action: callrules.Postpone, At: opens},
		},
		"holiday": {
			rules: callrules.CallRules{Holidays: []string{"2026-11-21"}},
			want:  callrules.CallDecision{Action: callrules.Postpone, At: timeAt(t, "2026-11-22T00:00:00Z")},
		},
		"never open": {
			rules: callrules.CallRules{CallingHours: evening}, facts: callrules.CallFacts{Scenario: everyDay(callrules.HourSlot{From: "20:00", To: "24:00"})},
			want: callrules.CallDecision{Action: callrules.Postpone, At: now.Add(24 * time.Hour)},
		},
		"a line is left": {rules: callrules.CallRules{MaxConcurrent: 3}, facts: callrules.CallFacts{Running: 2}, want: callrules.CallDecision{}},
		"no line left":   {rules: callrules.CallRules{MaxConcurrent: 3}, facts: callrules.CallFacts{Running: 3}, want: callrules.CallDecision{Action: callrules.Wait}},
		"closed before full": {
			rules: callrules.CallRules{MaxConcurrent: 1, CallingHours: evening, TimeZone: "Asia/Riyadh"}, facts: callrules.CallFacts{Running: 1},
			want: callrules.CallDecision{Action: callrules.Postpone, At: opens},
		},
		"suppressed before closed": {
			rules: callrules.CallRules{CallingHours: evening}, facts: callrules.CallFacts{Suppressed: listed}, want: stop(call.Suppressed),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.facts.Number == "" {
				c.facts.Number = person
			}
			got := callrules.DecideCall(c.rules, c.facts, now)
			if got.Action != c.want.Action || got.Reason != c.want.Reason || !got.At.Equal(c.want.At) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestBlocked(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{
		"+966501234567": false, "+966112345678": false, "+971501234567": false, "+97333123456": false, "+201001234567": false,
		"+962791234567": false, "+9613123456": false, "+96171123456": false, "+212612345678": false, "+213551234567": false, "+21620123456": false,
		"+447911123456": false, "+12025550123": false, "+19122345678": false, "+33612345678": false, "+6834112": false,
		"+963991234567": false, "+9647901234567": false, "+966999": true, "+966997": true, "+971998": true, "+112": true, "+20122": true,
		"+1911": true, "+44999": true, "+212190": true, "911": true, "999": true, "": true, "0501234567": true, "+4418000": true,
		"+966925012345": true, "+971900234567": true, "+97390123456": true, "+96890012345": true, "+96290012345": true, "+96190123456": true,
		"+209001234567": true, "+21688123456": true, "+213808123456": true, "+212891234567": true, "+19002345678": true,
		"+979123456789": true, "+881612345678": true, "+882161234567": true, "+883510012345": true, "+870773123456": true,
	} {
		if got := callrules.IsBlocked(number); got != want {
			t.Errorf("Blocked(%q) = %t", number, got)
		}
	}
}

func TestMidnight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, at, want string }{
		{"Asia/Riyadh", "2026-11-21T00:30:00+03:00", "2026-11-21T00:00:00+03:00"},
		{"Asia/Riyadh", "2026-11-21T00:00:00+03:00", "2026-11-21T00:00:00+03:00"},
		{"Asia/Riyadh", "2026-11-20T23:30:00Z", "2026-11-21T00:00:00+03:00"},
		{"", "2026-11-20T23:30:00Z", "2026-11-20T00:00:00Z"},
		{"not a zone", "2026-11-20T23:30:00Z", "2026-11-20T00:00:00Z"},
		{"Europe/London", "2026-03-29T10:00:00+01:00", "2026-03-29T00:00:00Z"},
		{"Europe/London", "2026-10-25T10:00:00Z", "2026-10-25T00:00:00+01:00"},
		{"Africa/Cairo", "2026-04-24T10:00:00+03:00", "2026-04-24T01:00:00+03:00"}, // 00:00 is skipped
		{"Africa/Cairo", "2026-10-29T23:30:00+02:00", "2026-10-29T00:00:00+03:00"}, // the second 23:30
		{"Africa/Cairo", "2026-10-30T08:00:00+02:00", "2026-10-30T00:00:00+02:00"},
		{"Asia/Beirut", "2026-03-29T08:00:00+03:00", "2026-03-29T01:00:00+03:00"},
		{"Asia/Beirut", "2026-10-24T23:10:00+02:00", "2026-10-24T00:00:00+03:00"},
	} {
		if got := callrules.LocalMidnight(callrules.CallRules{TimeZone: c.zone}, timeAt(t, c.at)); !got.Equal(timeAt(t, c.want)) {
			t.Errorf("%s: the day of %s began at %s, want %s", c.zone, c.at, got, c.want)
		}
	}
}
