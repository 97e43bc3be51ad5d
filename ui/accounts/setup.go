package accounts

import (
	"munadi/ui/layout"
	"munadi/ui/models"
	"munadi/ui/rules"
)

// SetUp is the first card of the first run: the password.
type SetUp struct {
	layout.ConsolePage
	User   string // name of the first user
	Zone   string // time zone that was typed
	Fault  string
	Closed bool // the link is invalid
}

// WelcomeView is the second: the key, and the first call.
type WelcomeView struct {
	layout.ConsolePage
	Key      string            // shown this once; empty: it was
	Number   string            // that is called; empty: the carrier is no simulator
	Pitch    *models.PitchView // nil: no model is offered
	Proposed rules.Proposals
}

// usualZones are the time zones that the set-up offers; every other IANA name can be typed.
func usualZones() []string {
	return []string{
		"Asia/Riyadh", "Asia/Dubai", "Asia/Kuwait", "Asia/Qatar", "Asia/Bahrain", "Asia/Muscat", "Asia/Aden", "Asia/Baghdad",
		"Asia/Amman", "Asia/Beirut", "Asia/Damascus", "Asia/Gaza", "Africa/Cairo", "Africa/Khartoum", "Africa/Tripoli",
		"Africa/Tunis", "Africa/Algiers", "Africa/Casablanca", "Africa/Nouakchott", "UTC",
	}
}
