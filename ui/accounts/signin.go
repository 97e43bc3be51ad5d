package accounts

import (
	"munadi/ui/layout"
)

// SignIn is the page before all others.
type SignIn struct {
	layout.ConsolePage
	Next  string // where to go then
	Name  string // what was typed
	Fault string // why it failed, a sentence
	Local bool   // the appliance makes its own certificates
	// NotSetUp says that there is no user yet.
	NotSetUp bool
}
