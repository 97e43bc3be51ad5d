package console

import (
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// dashboardSection declares the day: the first page.
func (s *ConsoleService) dashboardSection() kit.Section {
	shown := layout.ConsoleSection{
		ID: "", Name: locale.Text{"اليوم", "Today"}, Icon: "dashboard",
	}
	return kit.Section{ConsoleSection: shown, Role: account.Viewer, Order: 10, Routes: []kit.Route{
		kit.GetPage(account.Viewer, "", s.showDashboard),
		kit.GetPage(account.Viewer, "/", s.showDashboard),
	}}
}
