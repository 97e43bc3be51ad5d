package page

import (
	"munadi/ui/shell"
	"munadi/ui/text"
)

// SignIn is the page before all others.
type SignIn struct {
	shell.ConsolePage
	Next  string // where to go then
	Name  string // what was typed
	Fault string // why it failed, a sentence
	Local bool   // the appliance makes its own certificates
}

func (p SignIn) words() text.SignIn { return text.SignInIn(p.Lang) }
