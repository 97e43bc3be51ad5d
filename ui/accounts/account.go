package accounts

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// AccountView is the page of the user's own account.
type AccountView struct {
	layout.ConsolePage
	Numerals locale.Numerals // digits for Arabic texts
	Role     string
	Zone     *time.Location
	component.TableList
	Sessions []Session
	Others   bool   // there are other sessions
	Fault    string // error of the password form
	Governs  bool
	// Temporary says that the password was made for the user, who must change it.
	Temporary bool
}

// Session is a signed-in browser.
type Session struct {
	ID             string
	Agent, Address string
	Began, Seen    time.Time
	This           bool // the current session
}
