package accounts

import "munadi/ui/layout"

// Confirmation is how a signed-in user confirms something that cannot be undone.
type Confirmation struct {
	User        string
	Confirmed   bool   // the user authenticated again within the last minutes
	HasPassword bool   // the password is enough
	Elsewhere   string // address where the user authenticates in other ways; empty: there are none
}

// CanAct reports whether the form can be sent.
func (c Confirmation) CanAct() bool { return c.Confirmed || c.HasPassword }

// ConfirmView is the page where a user authenticates again.
type ConfirmView struct {
	layout.ConsolePage
	HasPassword bool
	NeedsCode   bool           // the password alone does not do
	Passkey     bool           // the user has passkeys, and they can be used here
	Company     *CompanyButton // nil: the user does not sign in there
	Next        string         // where to go then
	Fault       string
}
