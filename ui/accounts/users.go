package accounts

import (
	"time"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
)

// UsersView is the page of an organization's users.
type UsersView struct {
	layout.ConsolePage
	component.TableList
	Zone    *time.Location
	Users   []account.User
	You     string // id of the visitor
	Made    string // a password that was made, shown once
	Form    []form.Field
	Needed  []form.Field // whether a second factor is required
	Governs bool
}

func (p UsersView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// OrganizationsView is the page of all organizations.
type OrganizationsView struct {
	layout.ConsolePage
	component.TableList
	Zone  *time.Location
	All   []account.Organization
	Shown string // id of the one that is looked at
	Form  []form.Field
}

func (p OrganizationsView) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }
