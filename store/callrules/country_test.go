package callrules_test

import (
	"testing"

	"munadi/store/callrules"
)

func TestCountryOfAnOrganization(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]callrules.CallRules{
		"EG": {TimeZone: "Africa/Cairo"},
		"AE": {TimeZone: "Asia/Riyadh", City: "dubai"},
		"":   {TimeZone: "Europe/Berlin"},
	} {
		if got := r.Country(); got != want {
			t.Errorf("%+v is in %q, want %q", r, got, want)
		}
	}
}
