package console

import (
	"munadi/store/account"
	"munadi/ui/layout"
)

// organizationsSection declares organizations.
func (s *ConsoleService) organizationsSection() Section {
	return Section{ConsoleSection: layout.ConsoleSection{ID: "organizations"}, Routes: []Route{
		GetPage(account.Owner, "/organizations", s.showOrganizations, requireGovernor),
		GetPage(account.Owner, "/organizations.csv", s.exportOrganizations, requireGovernor),
		PostForm(account.Owner, "/organizations", s.createOrganization, requireGovernor),
		PostForm(account.Owner, "/organizations/:organization/look", s.selectOrganization, requireGovernor),
	}}
}
