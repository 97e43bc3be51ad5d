package page

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// AccountView is a user's own page.
type AccountView struct {
	layout.ConsolePage
	Numerals locale.Numerals // that the visitor reads Arabic with
	Role     string
	Zone     *time.Location
	component.TableList
	Sessions []Session
	Others   bool   // there are sessions but the one that looks
	Fault    string // of the form for a new password
	Governs  bool
}

// Session is a browser that is signed in.
type Session struct {
	ID             string
	Agent, Address string
	Began, Seen    time.Time
	This           bool // the one that looks
}

func (p AccountView) pageWords() locale.UsersWords { return locale.UsersIn(p.Lang) }
