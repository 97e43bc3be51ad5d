package accounts

import (
	"munadi/ui/layout"
)

// SignIn is the page before all others.
type SignIn struct {
	layout.ConsolePage
	Next    string         // where to go then
	Name    string         // what was typed
	Fault   string         // why it failed, a sentence
	Passkey bool           // passkeys can be used at this address
	Company *CompanyButton // nil: there is no identity provider
	Local   bool           // the appliance makes its own certificates
	// Directory says that people of the company's directory sign in in the same form.
	Directory bool
	// NotSetUp says that there is no user yet.
	NotSetUp bool
}

// CompanyButton leads to the company's identity provider.
type CompanyButton struct {
	Name    string // of the provider; empty: none
	Address string
	Away    bool // it has not answered yet
}
