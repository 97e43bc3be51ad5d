package service_test

import (
	"errors"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/memory"
	"munadi/store/storetest"
)

// TestFindTrialPhone: a trial by telephone obeys the rules that hold for a telephone; an extension has no hours.
func TestFindTrialPhone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	closed := callrules.CallingHours{"saturday": {{From: "18:00", To: "19:00"}}}
	for name, c := range map[string]struct {
		extension string
		rules     callrules.CallRules
		suppress  bool
		want      string // the number, or the fault
	}{
		"a number":                  {" +966500000007 ", callrules.CallRules{}, false, "+966500000007"},
		"an extension":              {"sip:204@pbx.example.com", callrules.CallRules{CallingHours: closed}, false, "sip:204@pbx.example.com"},
		"none":                      {"", callrules.CallRules{}, false, "extension"},
		"no number":                 {"my phone", callrules.CallRules{}, false, "extension"},
		"suppressed":                {"+966500000007", callrules.CallRules{}, true, "extension"},
		"not allowed":               {"+966500000007", callrules.CallRules{AllowedPrefixes: []string{"+971"}}, false, "extension"},
		"outside the hours":         {"+966500000007", callrules.CallRules{CallingHours: closed}, false, "closed"},
		"stopped":                   {"+966500000007", callrules.CallRules{KillSwitch: true}, false, "kill_switch"},
		"an extension when stopped": {"sip:204@pbx.example.com", callrules.CallRules{KillSwitch: true}, false, "kill_switch"},
	} {
		s := memory.OpenStore()
		t.Cleanup(func() { _ = s.Close() })
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: "acme", Name: "Acme", CreatedAt: now}, "test"); err != nil {
			t.Fatal(err)
		}
		c.rules.TimeZone = "UTC"
		if err := storetest.ReplaceRules(t.Context(), s, "acme", c.rules, "test", now); err != nil {
			t.Fatal(err)
		}
		if c.suppress {
			entries := []callrules.SuppressionEntry{{OrgID: "acme", PhoneNumber: "+966500000007", Source: "api", CreatedAt: now}}
			if err := s.AddSuppressions(t.Context(), entries, "test", now); err != nil {
				t.Fatal(err)
			}
		}
		cases := &service.UseCases{Store: s, Now: func() time.Time { return now }}
		to, err := cases.FindTrialPhone(t.Context(), "acme", c.extension)
		got := to.String()
		var invalid *service.ViolationError
		var refused *service.ConflictError
		switch {
		case errors.As(err, &invalid):
			got = invalid.Violations[0].Field
		case errors.As(err, &refused):
			got = string(refused.Violations[0].Reason)
		case err != nil:
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q: %v", name, got, c.want, err)
		}
	}
}
