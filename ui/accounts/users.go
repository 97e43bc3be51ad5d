package accounts

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
)

// UsersView is the page of an organization's users.
type UsersView struct {
	layout.ConsolePage
	component.TableList
	Zone    *time.Location
	Users   []UserRow
	Made    string // a password that was made, shown once
	Name    string // what was typed
	Role    string
	Fault   string
	Governs bool
}

// UserRow is one line.
type UserRow struct {
	ID, Name, Role string
	Created        time.Time
	LastSignIn     *time.Time
	Disabled, You  bool
}

func roleNames() []string { return []string{"owner", "operator", "viewer"} }

// OrganizationsView is the page of all organizations.
type OrganizationsView struct {
	layout.ConsolePage
	component.TableList
	Zone     *time.Location
	All      []OrganizationRow
	ID, Name string // what was typed
	Fault    string
}

// OrganizationRow is one line.
type OrganizationRow struct {
	ID, Name string
	Created  time.Time
	Shown    bool // the one that is looked at
}
