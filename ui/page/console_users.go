package page

import (
	"time"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Users is the page of an organization's users.
type Users struct {
	shell.ConsolePage
	part.List
	Zone    *time.Location
	Users   []User
	Made    string // a password that was made, shown once
	Name    string // what was typed
	Role    string
	Fault   string
	Governs bool
}

// User is one line.
type User struct {
	ID, Name, Role string
	Created        time.Time
	LastSignIn     *time.Time
	Disabled, You  bool
}

func (p Users) words() text.Users { return text.UsersIn(p.Lang) }

func roles() []string { return []string{"owner", "operator", "viewer"} }

// Organizations is the page of all organizations.
type Organizations struct {
	shell.ConsolePage
	part.List
	Zone     *time.Location
	All      []Organization
	ID, Name string // what was typed
	Fault    string
}

// Organization is one line.
type Organization struct {
	ID, Name string
	Created  time.Time
	Shown    bool // the one that is looked at
}

func (p Organizations) words() text.Users { return text.UsersIn(p.Lang) }
