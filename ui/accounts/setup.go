package accounts

import (
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/models"
	"munadi/ui/rules"
)

// SetUp is the first card of the first run: the password.
type SetUp struct {
	layout.ConsolePage
	User   string // name of the first user
	Form   []form.Field
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
