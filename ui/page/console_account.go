package page

import (
	"time"

	"munadi/ui/shell"
	"munadi/ui/text"
)

// Account is a user's own page.
type Account struct {
	shell.ConsolePage
	Numerals text.Numerals // that the visitor reads Arabic with
	Role     string
	Zone     *time.Location
	Sessions []Session
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

// others counts the sessions but this one.
func (p Account) others() int {
	n := 0
	for _, s := range p.Sessions {
		if !s.This {
			n++
		}
	}
	return n
}
