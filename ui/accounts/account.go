package accounts

import (
	"time"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// AccountView is the page of the user's own account.
type AccountView struct {
	layout.ConsolePage
	Numerals locale.Numerals // digits for Arabic texts
	Role     account.UserRole
	Zone     *time.Location
	component.TableList
	Sessions []account.UserSession
	Table    list.Table[account.UserSession] // of the sessions
	Others   bool                            // there are other sessions
	// Confirm is where the user authenticates again before sessions are ended; empty: that was done.
	Confirm string
	Form    []form.Field // of the password
	Governs bool
	// HasPassword says that the user signs in here; without one only the company's identity provider does.
	HasPassword bool
	OfDirectory bool // the password is that of the company's directory
	HasFactor   bool // an authenticator app is set up
	HasPasskey  bool
	Extension   form.Field
	MayRing     bool // may call people back
	Temporary   bool // the password was made for the user, who must change it
}

func (p AccountView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }
