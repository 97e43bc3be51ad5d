package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
)

// DeclareOrganizations declares organizations.
func DeclareOrganizations(console *kit.Console, parts Parts) kit.Section {
	s := handlers{console, parts}
	return kit.Section{ConsoleSection: layout.ConsoleSection{ID: "organizations"}, Routes: []kit.Route{
		kit.GetPage(account.Owner, "/organizations", s.showOrganizations, kit.RequireGovernor),
		kit.GetPage(account.Owner, "/organizations.csv", s.exportOrganizations, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/organizations", s.createOrganization, kit.RequireGovernor),
		kit.PostForm(account.Owner, "/organizations/:organization/look", s.selectOrganization, kit.RequireGovernor),
	}}
}
