package page

import (
	"time"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Account is a user's own page.
type Account struct {
	shell.ConsolePage
	Numerals text.Numerals // that the visitor reads Arabic with
	Role     string
	Zone     *time.Location
	part.List
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

func (p Account) words() text.Users { return text.UsersIn(p.Lang) }
